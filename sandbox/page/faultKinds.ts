import type { MediaSubCode } from '../contract.mts';
import type { Fault, Operation } from '../faults/schema.mts';

export interface Parameter {
	name: string;
	label: string;
	value: number | string;
	unit?: string;
	choices?: string[];
}
export interface Definition {
	kind: Fault['kind'];
	label: string;
	isAdvanced?: boolean;
	parameters?: Parameter[];
}

const MEDIA_CODES: MediaSubCode[] = [
	'MEDIA_URL_REQUIRED',
	'MEDIA_INVALID_URL',
	'MEDIA_INVALID_DATA_URL',
	'MEDIA_MIME_NOT_ALLOWED',
	'MEDIA_TOO_LARGE',
	'MEDIA_CAPTION_TOO_LONG',
	'MEDIA_UNSUPPORTED_ATTACHMENT',
	'MEDIA_DOWNLOAD_FAILED',
	'MEDIA_CONVERSION_FAILED',
	'MEDIA_UPLOAD_FAILED',
	'MEDIA_PROCESSING_FAILED',
];

const LATE = { name: 'ms', label: 'by', value: 2000, unit: 'ms' };
const RETRY_AFTER = { name: 'retryAfter', label: 'Retry-After', value: 5, unit: 's' };

/** The faults in people's words, with their parameters. The common ones first. */
export const FAULTS: Record<Fault['on'], Definition[]> = {
	route: [
		{ kind: 'windowClosed', label: 'Conversation window closed' },
		{
			kind: 'status',
			label: 'Respond with a status',
			parameters: [{ name: 'status', label: 'status', value: 429 }, RETRY_AFTER],
		},
		{ kind: 'latency', label: 'Respond late', parameters: [LATE] },
		{
			kind: 'media',
			label: 'Refuse media',
			parameters: [
				{ name: 'subCode', label: 'code', value: 'MEDIA_TOO_LARGE', choices: MEDIA_CODES },
			],
		},
		{ kind: 'dropBefore', label: 'Cut the connection, nothing done', isAdvanced: true },
		{ kind: 'dropAfter', label: 'Cut the connection after it was done', isAdvanced: true },
	],
	webhook: [
		{ kind: 'latency', label: 'Deliver late', parameters: [LATE] },
		{
			kind: 'duplicate',
			label: 'Deliver more than once',
			parameters: [{ name: 'copies', label: 'copies', value: 1 }],
		},
		{ kind: 'dropBefore', label: 'Fail before delivering' },
		{
			kind: 'reorder',
			label: 'Deliver out of order',
			isAdvanced: true,
			parameters: [{ name: 'withinMs', label: 'within', value: 1000, unit: 'ms' }],
		},
		{ kind: 'dropAfter', label: 'Deliver, but lose the response', isAdvanced: true },
		{
			kind: 'status',
			label: 'Do not deliver, as if refused with a status',
			isAdvanced: true,
			parameters: [{ name: 'status', label: 'status', value: 503 }],
		},
		{ kind: 'badSignature', label: 'Wrong signature', isAdvanced: true },
		{
			kind: 'staleSignature',
			label: 'Signature with an old time',
			isAdvanced: true,
			parameters: [{ name: 'seconds', label: 'by', value: 3600, unit: 's' }],
		},
		{
			kind: 'gzip',
			label: 'Compress with gzip',
			isAdvanced: true,
			parameters: [{ name: 'mode', label: 'when', value: 'always', choices: ['always', 'never'] }],
		},
	],
};

/** The calls that can have faults of their own. */
export const OPERATIONS: Partial<Record<Operation, string>> = {
	sendMessage: 'Send a message',
	connectChannel: 'Connect a channel',
	createChannel: 'Create a channel',
	listChannels: 'List the channels',
	getChannel: 'Get a channel',
	disconnectChannel: 'Disconnect a channel',
	deleteChannel: 'Delete a channel',
	subscribeChannel: 'Subscribe a channel',
	cancelSubscription: 'Cancel a subscription',
	listChannelWebhooks: 'List webhooks',
	createChannelWebhook: 'Create a webhook',
	updateChannelWebhook: 'Change a webhook',
	deleteChannelWebhook: 'Delete a webhook',
	listTemplateWebhooks: 'List template webhooks',
	listBusinesses: 'List business accounts',
	listTemplates: 'List templates',
};

export const definitionOf = (on: Fault['on'], kind: string) =>
	FAULTS[on].find((known) => known.kind === kind);
