import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { readId, readRequired } from '../resources/shared/parameters';
import { checkChoices } from './choices';
import { readDeadline } from './deadline';
import { readFormFields } from './form';
import type { Question } from './question';

/** Longest wait for an answer in the chat, unless the user says otherwise: its webhook must not stay for ever. In milliseconds. */
const DEFAULT_CHAT_WAIT = 24 * 3_600_000;
const MINUTE = 60_000;

/** What the node's fields say, before anything is sent. */
export interface Settings {
	channelId: string;
	recipient: string;
	/** Undefined: waits without a limit. */
	deadline: Date | undefined;
	/** The question as it is sent, without links and choices. */
	message: string;
	/** What is asked, as far as the fields say. */
	question: Asked;
	/** Milliseconds to stand in the queue while another question waits; 0 refuses. */
	queue: number;
	/** Stands before the link to a form. */
	linkLabel: string;
}

type Without<Kinds, Names extends PropertyKey> = Kinds extends unknown ? Omit<Kinds, Names> : never;
/** A question without what only asking it brings about. */
export type Asked = Without<Question, 'id' | 'webhookId' | 'sealedSecret' | 'deadline' | 'channelId' | 'recipient'>;

/**
 * Reads the node's fields for the first item.
 * @throws Error that names the field and the remedy
 */
export function readSettings(context: IExecuteFunctions, now: number): Settings {
	const options = asObject(context.getNodeParameter('options', 0, {}));
	const kind = context.getNodeParameter('responseType', 0, 'approval');
	const limit = asObject(options.limitWaitTime).values;
	const deadline = readDeadline(limit, now) ?? (kind === 'replyInChat' ? new Date(now + DEFAULT_CHAT_WAIT) : undefined);
	return {
		channelId: readId(context, 'channelId', 'Channel', 0),
		recipient: readRequired(context, 'recipient', 'Recipient', 0),
		deadline,
		message: readRequired(context, 'message', 'Message', 0),
		question: readAsked(context, kind, options),
		queue: context.getNodeParameter('whenAnotherWaits', 0, 'refuse') === 'queue' ? readNumber(options.queueMinutes, 'Longest Time in Queue', 30) * MINUTE : 0,
		linkLabel: text(options.messageButtonLabel, 'Respond'),
	};
}

function readAsked(context: IExecuteFunctions, kind: unknown, options: IDataObject): Asked {
	const common = {
		message: readRequired(context, 'message', 'Message', 0),
		answeredText: text(options.answeredText, 'Thank you. Your answer was recorded. You can close this page.'),
	};
	switch (kind) {
		case 'approval': {
			const values = asObject(context.getNodeParameter('approvalOptions.values', 0, {}));
			const isDouble = values.approvalType === 'double';
			const labels = { approveLabel: text(values.approveLabel, 'Approve'), ...(isDouble ? { disapproveLabel: text(values.disapproveLabel, 'Decline') } : {}) };
			return { ...common, kind, ...labels };
		}
		case 'freeText':
		case 'customForm': {
			const page = { title: text(options.responseFormTitle, ''), buttonLabel: text(options.responseFormButtonLabel, 'Submit') };
			const message = text(options.responseFormDescription, common.message);
			return { ...common, ...page, kind, message, fields: kind === 'freeText' ? [ANSWER_FIELD] : readFormFields(readDefinedForm(context)) };
		}
		case 'replyInChat': {
			const choices = readChoices(context);
			const askAgain = readNumber(options.askAgain, 'Ask Again At Most', 2);
			return { ...common, kind, choices, askAgain, askAgainText: text(options.askAgainText, 'Please reply with one of these:') };
		}
		default:
			throw new Error(`The response type "${String(kind)}" is not known. Choose one from the list.`);
	}
}

/** The one field of the page for a free text. */
const ANSWER_FIELD = { label: 'Your answer', type: 'textarea' as const, placeholder: '', options: [], multiple: false, required: true };

function readDefinedForm(context: IExecuteFunctions): unknown {
	if (context.getNodeParameter('defineForm', 0, 'fields') === 'json') return context.getNodeParameter('jsonOutput', 0, '[]');
	return context.getNodeParameter('formFields.values', 0, []);
}

function readChoices(context: IExecuteFunctions): string[] {
	const values: unknown = context.getNodeParameter('choices.values', 0, []);
	const choices = (Array.isArray(values) ? values : []).map((value) => text(asObject(value).choice, '').trim());
	checkChoices(choices);
	return choices;
}

function readNumber(value: unknown, label: string, fallback: number): number {
	const number = Number(value ?? fallback);
	if (Number.isFinite(number) && number >= 0) return number;
	throw new Error(`"${label}" must be a number of 0 or more.`);
}

function asObject(value: unknown): IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as IDataObject) : {};
}

function text(value: unknown, fallback: string): string {
	const given = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	return given.trim() === '' ? fallback : given;
}
