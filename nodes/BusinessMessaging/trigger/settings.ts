import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { ID_PATTERN, SUGGESTED_TIMESTAMP_TOLERANCE } from '../service/contract';
import type { SignatureScheme } from '../service/signature';
import type { WebhookOwner } from '../service/webhooks';
import type { OutputSettings } from './events';
import { RegistrationError } from './reconciliation';

/** What the node's fields say about what is to be registered. */
export interface RegistrationSettings {
	owner: WebhookOwner;
	events: string[];
	manual: boolean;
}

/** @throws RegistrationError that names the field and the remedy */
export function readRegistrationSettings(context: IHookFunctions): RegistrationSettings {
	const owner = readOwner(context);
	if (!owner) {
		const entered = channelText(context);
		const cause = entered === '' ? 'No channel is chosen' : `"Channel" is not an ID of the service: "${entered.slice(0, 64)}"`;
		throw new RegistrationError(cause, 'Choose one in the field "Channel", or enter its ID there: 32 hexadecimal characters.');
	}
	const events = texts(context.getNodeParameter(owner.kind === 'template' ? 'templateEvents' : 'channelEvents', []));
	if (events.length === 0) throw new RegistrationError('No events are chosen', 'Choose at least one in the field "Events".');
	readTolerance(options(context));
	return { owner, events, manual: isManual(context) };
}

/** Undefined while no channel is chosen, or something that is none. An id's form is checked before it enters a path: `..` would lead to another route. */
export function readOwner(context: IHookFunctions): WebhookOwner | undefined {
	if (!isChannelSource(context)) return { kind: 'template' };
	const channelId = channelText(context);
	return ID_PATTERN.test(channelId) ? { kind: 'channel', channelId } : undefined;
}

function channelText(context: IHookFunctions): string {
	const channelId = context.getNodeParameter('channelId', '', { extractValue: true });
	return typeof channelId === 'string' ? channelId.trim() : '';
}

export function isManual(context: IHookFunctions | IWebhookFunctions): boolean {
	return context.getNodeParameter('registration', 'automatic') === 'manual';
}

function isChannelSource(context: IHookFunctions | IWebhookFunctions): boolean {
	return context.getNodeParameter('source', 'channel') !== 'template';
}

/** What the node's fields say about how a delivery is received. */
export interface ReceptionSettings {
	manual: boolean;
	scheme: SignatureScheme;
	/** Seconds. */
	tolerance: number;
	deduplicate: boolean;
	includeHeaders: boolean;
	output: OutputSettings;
}

export function readReceptionSettings(context: IWebhookFunctions): ReceptionSettings {
	const option = options(context);
	const events = texts(context.getNodeParameter('channelEvents', []));
	return {
		manual: isManual(context),
		scheme: option.signatureScheme === 'bodyOnly' ? 'bodyOnly' : 'fiveField',
		tolerance: readTolerance(option),
		deduplicate: option.deduplicate !== false,
		includeHeaders: option.includeHeaders === true,
		output: {
			output: context.getNodeParameter('output', 'simplified') === 'raw' ? 'raw' : 'simplified',
			chatFields: option.chatFields === true,
			// Some events are about nothing but the business's own messages: only who asked for customers' messages alone is not told of them.
			skipOwnMessages: isChannelSource(context) && option.includeOwnMessages !== true && events.length === 1 && events[0] === 'MESSAGE_RECEIVED',
			senders: texts(option.senders),
			contentKinds: texts(option.contentKinds),
			statuses: texts(option.statuses),
		},
	};
}

function options(context: IHookFunctions | IWebhookFunctions): IDataObject {
	const value = context.getNodeParameter('options', {});
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as IDataObject) : {};
}

/** @throws RegistrationError when it is not a number of seconds above zero: a delivery would never, or always, be fresh */
function readTolerance({ timestampTolerance }: IDataObject): number {
	const seconds = timestampTolerance === undefined ? SUGGESTED_TIMESTAMP_TOLERANCE : Number(timestampTolerance);
	if (Number.isFinite(seconds) && seconds > 0) return seconds;
	throw new RegistrationError('The timestamp tolerance is not a number of seconds above zero', 'Correct the option "Timestamp Tolerance (Seconds)", or remove it.');
}

/** Texts of a field that is a list, or, when it comes from an expression, a list in one text. */
function texts(value: unknown): string[] {
	const list: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
	const trimmed = list.filter((text): text is string => typeof text === 'string').map((text) => text.trim());
	return [...new Set(trimmed)].filter((text) => text !== '');
}
