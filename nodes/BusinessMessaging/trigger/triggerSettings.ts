import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { ID_FORM, ID_PATTERN, SUGGESTED_TIMESTAMP_TOLERANCE } from '../service/contract';
import { cutText } from '../service/cutText';
import type { SignatureScheme } from '../service/signature';
import type { WebhookOwner } from '../service/webhooks';
import type { OutputSettings } from '../delivery/event/message';
import { numberIn, numbersIn, type ReadNumber, toNumber } from '../shared/texts/numbers';
import { asPlainObject } from '../service/parseJson';
import { textsOf } from '../shared/texts/words';
import {
	type GroupedBy,
	type GroupingSettings,
	readGrouping,
	readPersonLimit,
} from './groupingSettings';
import type { LimitRules } from './personLimit';
import { RegistrationError } from './registrationError';
import { OLDEST_HOURS } from './triggerFields';
import { checkSenders, readSenders } from './senders';

/** What the node's fields say about the registration. */
export interface RegistrationSettings {
	owner: WebhookOwner;
	events: string[];
	manual: boolean;
}

/** @throws RegistrationError that names the field and the remedy */
export function readRegistrationSettings(context: IHookFunctions): RegistrationSettings {
	const owner = readSource(context);
	if (!owner) {
		const entered = channelText(context);
		const cause =
			entered === ''
				? 'No channel is chosen'
				: `"Channel" is not an ID of the service: "${cutText(entered, 64)}"`;
		throw new RegistrationError(
			cause,
			`Choose one in the field "Channel", or enter its ID there: ${ID_FORM}.`,
		);
	}
	const events = textsOf(
		context.getNodeParameter(owner.kind === 'template' ? 'templateEvents' : 'channelEvents', []),
	);
	if (events.length === 0)
		throw new RegistrationError(
			'No events are chosen',
			'Choose at least one in the field "Events".',
		);
	// Publishing refuses what no delivery could be received with.
	readReceptionSettings(context);
	if (owner.kind === 'channel') checkSenders(context);
	return { owner, events, manual: isManual(context) };
}

/** Undefined without a channel ID. In a path, a text such as `..` would lead to another route. */
export function readSource(context: IHookFunctions | IWebhookFunctions): WebhookOwner | undefined {
	if (!isChannelSource(context)) return { kind: 'template' };
	const channelId = channelText(context);
	return ID_PATTERN.test(channelId) ? { kind: 'channel', channelId } : undefined;
}

function channelText(context: IHookFunctions | IWebhookFunctions): string {
	const channelId = context.getNodeParameter('channelId', '', { extractValue: true });
	return typeof channelId === 'string' ? channelId.trim() : '';
}

export const isManual = (context: IHookFunctions | IWebhookFunctions): boolean =>
	context.getNodeParameter('registration', 'automatic') === 'manual';

const isChannelSource = (context: IHookFunctions | IWebhookFunctions): boolean =>
	context.getNodeParameter('source', 'channel') !== 'template';

/** How events of a channel share an execution. Templates have few, so they share none. */
const groupedBy = (context: IHookFunctions | IWebhookFunctions): GroupedBy | undefined =>
	GROUPED.find((by) => by === context.getNodeParameter('grouping', 'none'));
const GROUPED = ['arrival', 'customer'] as const;

/** What the node's fields say about receiving a delivery. */
export interface ReceptionSettings {
	manual: boolean;
	/** Only with manual registration: the channel or account whose events the trigger takes. */
	owner: WebhookOwner | undefined;
	scheme: SignatureScheme;
	/** Seconds. */
	tolerance: number;
	deduplicate: boolean;
	includeHeaders: boolean;
	output: OutputSettings;
	/** Undefined if no message is too old. */
	oldestHours: number | undefined;
	/** The channel on which replies to questions are ignored. Undefined if they are not ignored. */
	repliesOn: string | undefined;
	/** Undefined without the option. */
	personLimit: LimitRules | undefined;
	/** Undefined if each event starts an execution of its own. */
	grouping: GroupingSettings | undefined;
}

/** Events that bring none of the business's own messages. */
const NOT_OF_OWN = ['MESSAGE_RECEIVED', 'CONNECTED', 'DISCONNECTED', 'BLOCK', 'PRESENCE_CHAT'];
const isNotOfOwn = (event: string) => NOT_OF_OWN.includes(event);

/** @throws RegistrationError about a number. Of a delivery, only an expression can still give it */
export function readReceptionSettings(
	context: IHookFunctions | IWebhookFunctions,
): ReceptionSettings {
	const option = asPlainObject(context.getNodeParameter('options', {}));
	const events = textsOf(context.getNodeParameter('channelEvents', []));
	const manual = isManual(context);
	const source = readSource(context);
	const isChannel = isChannelSource(context);
	const read = numbersIn(context, 'options', option);
	const tolerance = readTolerance(read);
	const oldest = readOldest(read);
	const output = option.output === 'raw' ? 'raw' : 'simplified';
	const by = isChannel ? groupedBy(context) : undefined;
	return {
		manual,
		owner: manual ? source : undefined,
		oldestHours: isChannel && oldest > 0 ? oldest : undefined,
		repliesOn:
			option.ignoreReplies !== false && source?.kind === 'channel' ? source.channelId : undefined,
		personLimit:
			isChannel && option.personLimit !== undefined
				? readPersonLimit(numbersIn(context, 'options.personLimit.limit', limitOf(option)))
				: undefined,
		grouping: readGrouping(by, output, (name, place) =>
			name === 'quietTime'
				? numberIn(context, name, place, context.getNodeParameter(name, null))
				: read(name, place),
		),
		scheme: option.signatureScheme === 'bodyOnly' ? 'bodyOnly' : 'fiveField',
		tolerance,
		deduplicate: option.deduplicate !== false,
		includeHeaders: option.includeHeaders === true,
		output: {
			output,
			chatFields: option.chatFields === true,
			skipOwnMessages: isChannel && events.includes('MESSAGE_RECEIVED') && events.every(isNotOfOwn),
			senders: readSenders(context, option),
			contentKinds: textsOf(option.contentKinds),
			statuses: textsOf(option.statuses),
		},
	};
}

const limitOf = ({ personLimit }: IDataObject) => asPlainObject(asPlainObject(personLimit).limit);

/** Seconds. */
function readTolerance(read: ReadNumber): number {
	const given = read('timestampTolerance', '"Timestamp Tolerance (Seconds)"');
	const seconds = toNumber(given ?? SUGGESTED_TIMESTAMP_TOLERANCE);
	if (Number.isFinite(seconds) && seconds > 0) return seconds;
	throw new RegistrationError(
		'The timestamp tolerance is not a number of seconds above zero',
		'Correct the option "Timestamp Tolerance (Seconds)", or remove it.',
	);
}

/** Hours, 0 for none. */
function readOldest(read: ReadNumber): number {
	const given = read('ignoreOlderThan', '"Ignore Older Than (Hours)"');
	const hours = toNumber(given ?? OLDEST_HOURS);
	if (Number.isFinite(hours) && hours >= 0) return hours;
	throw new RegistrationError(
		'The age of old messages is not a number of hours, 0 or more',
		'Correct the option "Ignore Older Than (Hours)", or remove it.',
	);
}
