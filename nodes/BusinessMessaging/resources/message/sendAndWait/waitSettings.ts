import { tryToParseDateTime, type IExecuteFunctions } from 'n8n-workflow';

import { numbersIn, toNumber, type ReadNumber } from '../../../shared/texts/numbers';
import {
	readEntries,
	readId,
	readRecipientField,
	readRequired,
	requireRecipient,
	wholeNumberOf,
} from '../../../shared/node/parameters';
import { keyOfEntered } from '../../../shared/texts/phoneNumbers';
import { asPlainObject, isPlainObject } from '../../../service/parseJson';
import { DEFAULT_ONCE_MEMORY } from '../batch/options';
import { type ChatDraft, isInChat, type LinkDraft, linkKinds, panels } from './kinds';
import { type AskIn, type LinkLook, readCount, textOr } from './kinds/kind';
import { ANSWERED_TEXT, DEFAULT_QUEUE_MINUTES, MOST_QUEUE_MINUTES } from './sendAndWaitFields';
import { TELL_OTHERS } from './tellOthers';
import { isDay } from '../../../shared/texts/words';

/** The webhook of a question in the chat must not stay for ever. */
const DEFAULT_CHAT_LIMIT: WaitLimit = { after: 24 * 3_600_000 };
const MINUTE = 60_000;
/** Approvers beside the recipient. The question's webhook carries a mark of each. */
const APPROVERS_MAX = 20;

interface CommonSettings {
	channelId: string;
	/** The people to ask. No two are the same. */
	recipients: string[];
	/** The question as it is sent, without link and choices. */
	message: string;
	/** Milliseconds to queue while another question waits. 0 refuses. */
	queue: number;
	sendOnceMemory: number;
	/** The text for the other approvers after the first reply. Empty: they get none. */
	tellOthers: string;
}
export interface LinkSettings extends CommonSettings {
	question: LinkDraft;
	link: LinkLook;
	/** Undefined: waits without a limit. */
	limit: WaitLimit | undefined;
}
export interface ChatSettings extends CommonSettings {
	question: ChatDraft;
	link?: undefined;
	limit: WaitLimit;
}
export type Settings = LinkSettings | ChatSettings;

/** Reads the node's fields for the first item. @throws Error that names the field and what to do */
export function readSettings(context: IExecuteFunctions, now: number): Settings {
	const options = asPlainObject(context.getNodeParameter('options', 0, {}));
	const askIn: AskIn = context.getNodeParameter('askIn', 0, 'link') === 'chat' ? 'chat' : 'link';
	const responseType = String(context.getNodeParameter('responseType', 0, 'approval'));
	const channelId = readId(context, 'channelId', 'Channel', 0);
	const panel = panels.find(({ responseTypes }) =>
		Object.hasOwn(responseTypes[askIn] ?? {}, responseType),
	);
	const recipients = readRecipients(context, panel?.asksSeveral === true);
	const message = readRequired(context, 'message', 'Message', 0);
	if (!panel)
		throw new Error(`The response type "${responseType}" is not known. Choose one from the list.`);
	const answeredText = textOr(options.answeredText, 'Text After Answering', ANSWERED_TEXT);
	const question = panel.read({
		context,
		askIn,
		responseType,
		options,
		common: { message, answeredText },
	});
	const read = numbersIn(context, 'options', options);
	const limit = readWaitLimit(context, asPlainObject(options.limitWaitTime).values, now);
	const { tellOthers = TELL_OTHERS } = options;
	const common: CommonSettings = {
		channelId,
		recipients,
		message,
		queue:
			context.getNodeParameter('whenAnotherWaits', 0, 'refuse') === 'queue' ? readQueue(read) : 0,
		sendOnceMemory: wholeNumberOf(read('sendOnceMemory', '"Send Once Memory"'), {
			label: 'Send Once Memory',
			fallback: DEFAULT_ONCE_MEMORY,
			least: 1,
		}),
		// Unlike other texts, it may be empty.
		tellOthers: typeof tellOthers === 'string' ? tellOthers.trim() : '',
	};
	return isInChat(question)
		? { ...common, question, limit: limit ?? DEFAULT_CHAT_LIMIT }
		: { ...common, question, limit, link: linkKinds[question.kind].readLink(options) };
}

function readQueue(read: ReadNumber): number {
	const count = readCount(read, 'queueMinutes', 'Max Time in Queue', DEFAULT_QUEUE_MINUTES);
	return Math.min(count, MOST_QUEUE_MINUTES) * MINUTE;
}

/** The recipient, and the approvers beside them, each once. */
function readRecipients(context: IExecuteFunctions, asksSeveral: boolean): string[] {
	const recipient = requireRecipient(readRecipientField(context, 0));
	if (!asksSeveral) return [recipient];
	const approvers = readEntries(context, 'approvers', 'Also Ask', 0).map((entry, at) =>
		requireRecipient(entry, `Value ${at + 1} of "Also Ask"`),
	);
	if (approvers.length > APPROVERS_MAX)
		throw new Error(
			`"Also Ask" has ${approvers.length} entries. At most ${APPROVERS_MAX} can be asked beside the recipient.`,
		);
	const people = new Map<string, string>();
	for (const person of [recipient, ...approvers]) {
		const key = keyOfEntered(person);
		if (!people.has(key)) people.set(key, person);
	}
	return [...people.values()];
}

const MILLISECONDS: Record<string, number> = {
	minutes: 60_000,
	hours: 3_600_000,
	days: 86_400_000,
};

/** When a wait ends: at a time, or some milliseconds after it begins. */
export type WaitLimit = { at: Date } | { after: number };

/** Undefined: no limit. @param now milliseconds. @throws Error that names the field */
export function readWaitLimit(
	context: Pick<IExecuteFunctions, 'getNode' | 'getTimezone'>,
	values: unknown,
	now: number,
): WaitLimit | undefined {
	if (!isPlainObject(values) || Object.keys(values).length === 0) return undefined;
	const { limitType, resumeUnit, maxDateAndTime } = values;
	if (limitType === 'atSpecifiedTime') {
		const at = readDate(maxDateAndTime, context.getTimezone());
		if (!at)
			throw new Error(
				'"Max Date and Time" in "Limit Wait Time" is not a date that can be read one way only. Enter it as 2026-07-14T21:00:00, with its zone behind it if it is not the workflow\'s: Z or +02:00.',
			);
		beginWait({ at }, now);
		return { at };
	}
	const read = numbersIn(context, 'options.limitWaitTime.values', values);
	const amount = toNumber(read('resumeAmount', '"Amount" in "Limit Wait Time"') ?? 1);
	const unit = MILLISECONDS[String(resumeUnit ?? 'hours')];
	const after = amount * (unit ?? Number.NaN);
	if (!(amount > 0) || Number.isNaN(new Date(now + after).getTime()))
		throw new Error('"Amount" in "Limit Wait Time" must be a number above 0.');
	return { after };
}

/** The end of a wait that begins now. */
export const endOfWait = (limit: WaitLimit, now: number): Date =>
	'at' in limit ? limit.at : new Date(now + limit.after);

/** The end of the wait of a question that is not sent yet. @throws Error if it is over */
export function beginWait(limit: WaitLimit, now: number): Date {
	const end = endOfWait(limit, now);
	if (end.getTime() <= now)
		throw new Error(
			`"Max Date and Time" in "Limit Wait Time" has already passed: ${end.toISOString()}. Choose a time in the future.`,
		);
	return end;
}

/** The editor gives a text. Expressions also give dates and n8n's date objects. */
function readDate(value: unknown, timezone: string): Date | undefined {
	if (typeof value === 'string') return readText(value, timezone);
	if (typeof value !== 'number' && !(value instanceof Date) && !hasIsoForm(value)) return undefined;
	const date = new Date(hasIsoForm(value) ? String(value.toISO()) : value);
	return Number.isNaN(date.getTime()) ? undefined : date;
}

/** `2026-07-14`, `2026-07-14 21:00` or `2026-07-14T21:00:00.000+02:00`. */
const ISO =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
/** `Tue, 14 Jul 2026 21:00:00 +0200`. Its month is a word, and it names its zone. */
const MAIL =
	/^(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UTC?|Z|[ECMP][SD]T|[+-]\d{4})$/i;

/** A time without a zone is one of the workflow's, as in n8n's expressions. */
function readText(given: string, timezone: string): Date | undefined {
	const text = given.trim();
	const [, day, time = '00:00', zone = ''] = ISO.exec(text) ?? [];
	if (day !== undefined)
		return isDay(day) ? parse(`${day}T${time}${zone.toUpperCase()}`, timezone) : undefined;
	return MAIL.test(text) ? parse(text, timezone) : undefined;
}

function parse(text: string, timezone: string): Date | undefined {
	try {
		return tryToParseDateTime(text, timezone).toJSDate();
	} catch {
		return undefined;
	}
}

const hasIsoForm = (value: unknown): value is { toISO(): string } =>
	typeof value === 'object' &&
	value !== null &&
	'toISO' in value &&
	typeof value.toISO === 'function';
