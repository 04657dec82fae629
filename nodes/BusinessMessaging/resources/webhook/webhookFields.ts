import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod';

import { API_KEY_HEADER, WEBHOOK_URL_MAX } from '../../service/contract';
import type { WebhookOwner } from '../../service/webhooks';
import { CHANNEL_EVENT_OPTIONS, TEMPLATE_EVENT_OPTIONS } from '../../shared/node/eventOptions';
import {
	channelField,
	choiceField,
	choicesField,
	fixedCollectionField,
	jsonField,
	noticeField,
	switchField,
	textField,
	webhookField,
} from '../../shared/node/fields';
import { jsonOf, readId } from '../../shared/node/parameters';

const roleNotice = noticeField(
	'roleNotice',
	'Only accounts with the ENTERPRISE role can use webhooks',
);

/** The two resources with webhook operations differ only in the owner of the webhooks. */
export type OwnerKind = WebhookOwner['kind'];

/** Each with the fields of an owner, and those of one webhook. */
export const OWNERS = {
	channel: {
		resource: 'webhook',
		singular: 'webhook',
		ownerFields: [channelField, roleNotice],
		selectionFields: [channelField, webhookField('searchWebhooks'), roleNotice],
	},
	template: {
		resource: 'templateWebhook',
		singular: 'template webhook',
		ownerFields: [roleNotice],
		selectionFields: [webhookField('searchTemplateWebhooks'), roleNotice],
	},
};

export const readWebhookOwner = (
	context: IExecuteFunctions,
	kind: OwnerKind,
	itemIndex: number,
): WebhookOwner =>
	kind === 'template'
		? { kind }
		: { kind, channelId: readId(context, 'channelId', 'Channel', itemIndex) };

export const eventsField = (kind: OwnerKind): INodeProperties =>
	choicesField('Events', 'events', {
		options: kind === 'channel' ? CHANNEL_EVENT_OPTIONS : TEMPLATE_EVENT_OPTIONS,
		description: 'The events that the service delivers to the URL',
	});

export const urlField = textField('URL', 'url', {
	placeholder: 'e.g. https://example.com/events',
	description: 'The address for events, which the service must be able to reach',
});

export const statusField = choiceField('Status', 'status', {
	options: {
		DISABLED: ['Disabled', 'Deliveries are paused'],
		ENABLED: ['Enabled', 'Events are delivered'],
	},
	default: 'ENABLED',
	description: 'Whether the service delivers events to the URL',
});

/** A value that the editor hides, of one type of authentication. */
const secretField = (displayName: string, name: string, type: string): INodeProperties =>
	textField(displayName, name, {
		typeOptions: { password: true },
		displayOptions: { show: { type: [type] } },
	});

const authTypeField = choiceField('Authentication Type', 'type', {
	options: {
		API_KEY: ['API Key', `A key in the header ${API_KEY_HEADER}`],
		BASIC: ['Basic', 'A username and a password'],
		BEARER: ['Bearer', 'A token in the header Authorization'],
		CUSTOM_HEADER: ['Custom Header', 'A header of your choice'],
		NONE: ['None', 'No authentication'],
	},
	default: 'BEARER',
});

/** Each is of one type. */
const authFields = [
	textField('Header Name', 'headerName', {
		placeholder: 'e.g. x-token',
		displayOptions: { show: { type: ['CUSTOM_HEADER'] } },
	}),
	secretField('Header Value', 'headerValue', 'CUSTOM_HEADER'),
	secretField('Key', 'key', 'API_KEY'),
	secretField('Password', 'password', 'BASIC'),
	secretField('Token', 'token', 'BEARER'),
	textField('Username', 'username', { displayOptions: { show: { type: ['BASIC'] } } }),
];

const authField = fixedCollectionField('Authentication', 'auth', {
	placeholder: 'Add Authentication',
	description: 'What the service sends to prove itself. Nobody can read it later.',
	options: [
		{ displayName: 'Authentication', name: 'value', values: [authTypeField, ...authFields] },
	],
});

/** Template webhooks have the default alone. */
const payloadFormatField = textField('Payload Format', 'payloadFormat', {
	default: 'DEFAULT',
	description:
		'The form of the events, by a name that the service documents. The trigger node reads DEFAULT alone.',
});

/** Further fields of both create and update. */
export const commonFields = (kind: OwnerKind): INodeProperties[] => [
	authField,
	jsonField('Custom Attributes', 'customAttributes', {
		default: '{}',
		description: 'A JSON object of your own, which the service stores with the webhook',
	}),
	textField('Description', 'description', {
		placeholder: 'e.g. Orders',
		description: 'What the webhook is for. Lists show it beside the URL.',
	}),
	...(kind === 'channel' ? [payloadFormatField] : []),
	switchField('Signing', 'signing', {
		description:
			'Whether the service signs deliveries. The output holds the signing secret, which is not shown again. It replaces an earlier one.',
	}),
];

/** What to enter instead. The other fields are lists. */
const REMEDIES: Record<string, string> = {
	url: `Enter a whole URL of at most ${WEBHOOK_URL_MAX} characters, e.g. https://example.com/events.`,
	events: 'Choose at least one event.',
	customAttributes: 'Enter an object, e.g. {"team": "support"}.',
	description: 'Enter a text.',
	payloadFormat: 'Enter a name, e.g. DEFAULT.',
	signing: 'Enter true or false.',
};

/** Only the keys of the chosen type, because the editor keeps the values of hidden fields. */
function readAuth(auth: IDataObject): IDataObject {
	const type = String(auth.type ?? 'BEARER');
	const ofType = authFields.filter(({ displayOptions }) =>
		displayOptions?.show?.type?.includes(type),
	);
	const keys = ofType.map(({ name }) => name);
	return { type, ...Object.fromEntries(keys.map((key) => [key, auth[key] ?? ''])) };
}

const labelIn = (fields: INodeProperties[], wanted: string): string | undefined =>
	fields.find(({ name }) => name === wanted)?.displayName;

/** @param schema what the service accepts. @throws Error that names a field it would refuse */
export function readRequest<Request>(
	schema: ZodType<Request, ZodTypeDef, unknown>,
	values: IDataObject,
): Request {
	const wanted: IDataObject = { ...values };
	const auth = (values.auth as IDataObject | undefined)?.value as IDataObject | undefined;
	delete wanted.auth;
	if (auth) wanted.auth = readAuth(auth);
	if ('customAttributes' in values)
		wanted.customAttributes = jsonOf(values.customAttributes, 'Custom Attributes') ?? null;
	const parsed = schema.safeParse(wanted);
	if (parsed.success) return parsed.data;
	const [field = '', part = ''] = parsed.error.issues[0]?.path.map(String) ?? [];
	const fields = [urlField, eventsField('channel'), statusField, ...commonFields('channel')];
	const label = labelIn(fields, field);
	const partOfAuth = field === 'auth' ? labelIn(authFields, part) : undefined;
	const remedy = partOfAuth === undefined ? REMEDIES[field] : `Fill in its "${partOfAuth}".`;
	throw new Error(
		`"${label ?? field}" cannot be used. ${remedy ?? 'Choose a value from the list.'}`,
	);
}
