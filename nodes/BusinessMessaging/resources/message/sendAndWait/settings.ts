import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	readId,
	readList,
	readRequired,
	readWholeNumber,
	textOf,
} from '../../../shared/parameters';
import { normalizeIdentifier } from '../../../shared/phoneNumbers';
import { asPlainObject } from '../../../shared/plainObject';
import { DEFAULT_ONCE_MEMORY } from '../sendingFields';
import { BUTTON_TITLE_MAX, fitButtons } from './buttons';
import { checkChoices, checkLabels } from './choices';
import { TELL_OTHERS } from './tellOthers';
import { readDeadline } from './waitLimit';
import { readFormFields } from './form';
import type { Question } from './question';
import { isInChat } from './question';

/** Longest wait for a reply in the chat, unless the user says otherwise: its webhook must not stay for ever. In milliseconds. */
const DEFAULT_CHAT_WAIT = 24 * 3_600_000;
const MINUTE = 60_000;
/** Version of the node from which on choices are buttons where they fit, and an approval has one link. What a saved node sends stays as it is. */
const BUTTONS_SINCE = 1.1;
/** People beside the recipient. Their marks stand with the question's webhook. */
const APPROVERS_MAX = 20;

/** What the node's fields say, before anything is sent. */
export interface Settings {
	channelId: string;
	/** Who is asked: one, or several approvers. No two are the same. */
	recipients: string[];
	/** Undefined: waits without a limit. */
	deadline: Date | undefined;
	/** The question as it is sent, without links and choices. */
	message: string;
	/** What is asked, as far as the fields say. */
	question: Asked;
	/** Milliseconds to stand in the queue while another question waits; 0 refuses. */
	queue: number;
	/** Keys that the node remembers. */
	sendOnceMemory: number;
	/** Stands on the button to a page, or before the link. */
	linkLabel: string;
	/** How the one link of an approval is sent. Undefined: a link for each reply, as version 1 sends them. */
	linkAs: 'button' | 'text' | undefined;
	/** What the approvers are told who were not first. Empty: nothing. */
	tellOthers: string;
}

type Without<Kinds, Names extends PropertyKey> = Kinds extends unknown ? Omit<Kinds, Names> : never;
/** A question without what only asking it brings about. */
export type Asked = Without<
	Question,
	| 'id'
	| 'links'
	| 'webhookId'
	| 'sealedSecret'
	| 'deadline'
	| 'channelId'
	| 'recipient'
	| 'approvers'
	| 'several'
	| 'tellOthers'
>;

/**
 * Reads the node's fields for the first item.
 * @throws Error that names the field and the remedy
 */
export function readSettings(context: IExecuteFunctions, now: number): Settings {
	const options = asPlainObject(context.getNodeParameter('options', 0, {}));
	const kind = context.getNodeParameter('responseType', 0, 'approval');
	const channelId = readId(context, 'channelId', 'Channel', 0);
	const recipients = readRecipients(context, kind);
	const question = readAsked(context, kind, options);
	const limit = asPlainObject(options.limitWaitTime).values;
	const deadline =
		readDeadline(limit, now) ??
		(isInChat(question) ? new Date(now + DEFAULT_CHAT_WAIT) : undefined);
	return {
		channelId,
		recipients,
		deadline,
		message: readRequired(context, 'message', 'Message', 0),
		question,
		queue:
			context.getNodeParameter('whenAnotherWaits', 0, 'refuse') === 'queue'
				? readNumber(options.queueMinutes, 'Longest Time in Queue', 30) * MINUTE
				: 0,
		sendOnceMemory: readWholeNumber(options, 'sendOnceMemory', {
			label: 'Send Once Memory',
			fallback: DEFAULT_ONCE_MEMORY,
			least: 1,
		}),
		...readLink(context, question, options),
		tellOthers: readTellOthers(options),
	};
}

function readAsked(context: IExecuteFunctions, kind: unknown, options: IDataObject): Asked {
	const common = {
		message: readRequired(context, 'message', 'Message', 0),
		answeredText: text(
			options.answeredText,
			'Thank you. Your answer was recorded. You can close this page.',
		),
	};
	switch (kind) {
		case 'approval':
			return readApproval(context, common);
		case 'freeText':
		case 'customForm': {
			const page = {
				title: text(options.responseFormTitle, ''),
				buttonLabel: text(options.responseFormButtonLabel, 'Submit'),
			};
			const message = text(options.responseFormDescription, common.message);
			return {
				...common,
				...page,
				kind,
				message,
				fields: kind === 'freeText' ? [REPLY_FIELD] : readFormFields(readDefinedForm(context)),
			};
		}
		case 'replyInChat': {
			const choices = readChoices(context);
			const askAgain = readNumber(options.askAgain, 'Ask Again At Most', 2);
			const isButtons = context.getNode().typeVersion >= BUTTONS_SINCE && fitButtons(choices);
			return {
				...common,
				kind,
				choices,
				...(isButtons ? { buttons: true } : {}),
				askAgain,
				askAgainText: text(options.askAgainText, 'Please reply with one of these:'),
			};
		}
		default:
			throw new Error(
				`The response type "${String(kind)}" is not known. Choose one from the list.`,
			);
	}
}

function readApproval(
	context: IExecuteFunctions,
	common: Pick<Question, 'message' | 'answeredText'>,
): Asked {
	const values = asPlainObject(context.getNodeParameter('approvalOptions.values', 0, {}));
	const isDouble = values.approvalType === 'double';
	const approveLabel = text(values.approveLabel, 'Approve').trim();
	const disapproveLabel = isDouble ? text(values.disapproveLabel, 'Decline').trim() : undefined;
	if (values.askIn !== 'chat')
		return {
			...common,
			kind: 'approval',
			approveLabel,
			...(disapproveLabel === undefined ? {} : { disapproveLabel }),
		};
	const choices = [approveLabel, ...(disapproveLabel === undefined ? [] : [disapproveLabel])];
	checkButtonLabels(choices, ['Approve Button Label', 'Disapprove Button Label']);
	return { ...common, kind: 'approvalInChat', choices, buttons: true };
}

/** @throws Error when the label does not fit the button */
function readLink(
	context: IExecuteFunctions,
	{ kind }: Asked,
	options: IDataObject,
): Pick<Settings, 'linkLabel' | 'linkAs'> {
	const linkLabel = text(options.messageButtonLabel, 'Respond');
	if (kind !== 'approval' || context.getNode().typeVersion < BUTTONS_SINCE)
		return { linkLabel, linkAs: undefined };
	const linkAs = options.linkAs === 'text' ? 'text' : 'button';
	const label = linkLabel.trim();
	if (linkAs === 'button' && !fitButtons([label])) throw tooLong('Message Button Label', label);
	return { linkLabel: label, linkAs };
}

/** Unlike other texts it may be empty. */
function readTellOthers({ tellOthers = TELL_OTHERS }: IDataObject): string {
	return typeof tellOthers === 'string' ? tellOthers.trim() : '';
}

/** @throws Error that names the field, when a label fits no button, or does not tell the replies apart */
function checkButtonLabels(labels: readonly string[], fields: readonly string[]): void {
	checkLabels(labels, fields.slice(0, labels.length));
	const long = labels.findIndex((label) => !fitButtons([label]));
	if (long >= 0) throw tooLong(fields[long]!, labels[long]!);
}

const tooLong = (field: string, { length }: string): Error =>
	new Error(
		`"${field}" has ${length} characters. A button in the chat has room for ${BUTTON_TITLE_MAX}: enter a shorter text.`,
	);

/** The recipient, and the approvers beside, each once. */
function readRecipients(context: IExecuteFunctions, kind: unknown): string[] {
	const recipient = readRequired(context, 'recipient', 'Recipient', 0);
	if (kind !== 'approval') return [recipient];
	const approvers = readList(context, 'approvers', 'Approvers', 0).map((entry) => entry.trim());
	if (approvers.length > APPROVERS_MAX)
		throw new Error(
			`"Approvers" has ${approvers.length} entries. At most ${APPROVERS_MAX} can be asked beside the recipient.`,
		);
	const people = new Map<string, string>();
	for (const person of [recipient, ...approvers]) {
		const key = normalizeIdentifier(person);
		if (!people.has(key)) people.set(key, person);
	}
	return [...people.values()];
}

/** The one field of the page for a free text. */
const REPLY_FIELD = {
	label: 'Your answer',
	type: 'textarea' as const,
	placeholder: '',
	options: [],
	multiple: false,
	required: true,
};

function readDefinedForm(context: IExecuteFunctions): unknown {
	if (context.getNodeParameter('defineForm', 0, 'fields') === 'json')
		return context.getNodeParameter('jsonOutput', 0, '[]');
	return context.getNodeParameter('formFields.values', 0, []);
}

function readChoices(context: IExecuteFunctions): string[] {
	const values: unknown = context.getNodeParameter('choices.values', 0, []);
	const choices = (Array.isArray(values) ? values : []).map((value) =>
		text(asPlainObject(value).choice, '').trim(),
	);
	checkChoices(choices);
	return choices;
}

function readNumber(value: unknown, label: string, fallback: number): number {
	const number = Number(value ?? fallback);
	if (Number.isFinite(number) && number >= 0) return number;
	throw new Error(`"${label}" must be a number of 0 or more.`);
}

function text(value: unknown, fallback: string): string {
	const given = textOf(value);
	return given.trim() === '' ? fallback : given;
}
