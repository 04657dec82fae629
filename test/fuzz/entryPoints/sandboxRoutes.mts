/** The routes of the sandbox, each with bodies that it takes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { OperationDescription } from '../../../sandbox/openapi/operation.mts';
import { OPERATION_DESCRIPTIONS } from '../../../sandbox/openapi/operations.mts';
import { DEMO_CHANNEL_ID } from '../../../sandbox/seed.mts';

export interface SandboxRoute {
	method: string;
	/** With its parameters in braces. */
	path: string;
	/** Bodies that it takes; none for a route that takes none. */
	bodies: unknown[];
	/**
	 * What the published document says of it; undefined for the control routes, which are not in it.
	 */
	published?: OperationDescription;
}

const { valid } = JSON.parse(
	readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'messages.json'), 'utf8'),
) as { valid: Record<string, unknown> };

const CUSTOMER = '5511999990000';
/** Receivers are elsewhere: the sandbox calls nobody but this machine. */
const RECEIVER = 'https://receiver.example/hook';

/** Bodies of the service's operations, by operation. */
const PUBLISHED: Record<string, unknown[]> = {
	connectChannel: [{ wabaId: '1', phoneId: '2', code: '3', coexistence: true }],
	sendMessage: [...Object.values(valid)],
	deleteChannel: [{ cancelReason: 'Moved' }],
	createChannel: [{ name: 'A channel', type: 'OFFICIAL_CHATAPP' }],
	createChannelWebhook: [
		{
			...{ url: RECEIVER, events: ['MESSAGE_RECEIVED', 'MESSAGE_STATUS', 'CONNECTED'] },
			...{ signing: true, auth: { type: 'BEARER', token: 't' } },
		},
		{
			...{ url: RECEIVER, events: ['DISCONNECTED'], description: 'One' },
			...{ payloadFormat: 'DEFAULT', customAttributes: { a: { b: [1, null] } } },
		},
	],
	updateChannelWebhook: [
		{ status: 'DISABLED', events: ['MESSAGE_RECEIVED'], signing: true },
		{ auth: { type: 'NONE' } },
		{ description: null },
	],
	createTemplateWebhook: [{ url: RECEIVER, events: ['UPDATE_TEMPLATE_STATUS'], signing: true }],
	createTemplate: [
		{
			...{ name: 'order_left', category: 'UTILITY', language: 'en' },
			components: [{ type: 'BODY', text: 'Hello {{1}}!', example: { body_text: [['Ana']] } }],
		},
	],
	updateTemplate: [{ components: [{ type: 'BODY', text: 'Hello' }] }],
	updateTemplateWebhook: [{ status: 'DISABLED', signing: true }, { url: `${RECEIVER}/other` }],
};

const STATE = { format: 'business-messaging-sandbox', version: 3, checksum: '' };
const OTHER = {
	...{ name: 'Other', secretKey: 'sandbox_sk_other', publicKey: 'sandbox_pk_other' },
	channels: [{ name: 'One', connected: false }],
};
const FROM = { channelId: DEMO_CHANNEL_ID, from: CUSTOMER };
const CONNECTED = {
	...{ success: true, channelId: DEMO_CHANNEL_ID, wabaId: '1', phoneId: '2', code: '3' },
	coexistence: false,
};
/** Control routes by `METHOD path`, but for the endless stream of events. */
const CONTROL: Record<string, unknown[]> = {
	'GET /': [],
	'GET /openapi.json': [],
	'GET /_sandbox/state': [],
	'POST /_sandbox/reset': [{ seed: 'again' }],
	'GET /_sandbox/export': [],
	'POST /_sandbox/import': [{ ...STATE, tables: { meta: [['a', 'b']] } }],
	'POST /_sandbox/seed': [{ tenants: [OTHER] }],
	'POST /_sandbox/clock': [{ advance: 90_000 }, { now: '2099-12-31T23:59:59.999Z', speed: 86_400 }],
	'POST /_sandbox/role': [{ enterprise: false }],
	'POST /_sandbox/secret-key': [{ secretKey: 'sandbox_sk_changed' }],
	'PATCH /_sandbox/settings': [
		{
			...{ progression: { upTo: 'READ', stepMs: 0 }, firstPage: 1, connectRefusal: 'ERROR' },
			...{ templateRoutingLag: 0, codeLifetime: 1, sendErrors: 'C' },
		},
	],
	'POST /_sandbox/inbound': [
		{ ...FROM, name: 'Ana', text: 'Hello!' },
		{ ...FROM, type: 'IMAGE', url: 'https://pictures.example/1.png', caption: 'A picture' },
		{ ...FROM, type: 'CONTACT_ARRAY', contacts: [{ name: 'Bea', phones: ['1'] }] },
		{ ...FROM, type: 'BUTTON_REPLY', text: 'Yes', id: 'y' },
	],
	'POST /_sandbox/from-phone': [
		{ channelId: DEMO_CHANNEL_ID, to: CUSTOMER, text: 'On my way', forwarded: true },
	],
	'POST /_sandbox/messages/{id}/tap': [{ buttonId: '1' }],
	'POST /_sandbox/media': [{ a: 1 }],
	'POST /_sandbox/template-media': [{ a: 1 }],
	'GET /_sandbox/message-templates': [],
	'POST /_sandbox/message-templates': [
		{
			...{ name: 'recall', language: 'en', body: 'Hello {{1}}', status: 'APPROVED' },
			buttons: [{ id: '1', title: 'Yes' }],
		},
		{
			...{ name: 'parts', business: 'Shop', category: 'UTILITY' },
			components: [
				{ type: 'HEADER', format: 'TEXT', text: 'Order' },
				{ type: 'BODY', text: 'Hello {{1}}!', example: { body_text: [['Ana']] } },
				{ type: 'FOOTER', text: 'The shop' },
				{
					type: 'BUTTONS',
					buttons: [
						{ type: 'QUICK_REPLY', text: 'Yes', id: 'y' },
						{ type: 'URL', text: 'Open', url: 'https://shop.example/{{1}}' },
						{ type: 'COPY_CODE', example: 'WELCOME10' },
					],
				},
			],
		},
	],
	'PATCH /_sandbox/message-templates/{id}': [{ status: 'REJECTED', reason: 'x', category: 'y' }],
	'DELETE /_sandbox/message-templates/{id}': [],
	'PATCH /_sandbox/channels/{id}': [{ hasWindow: false }],
	'GET /media/{id}': [],
	'GET /_sandbox/messages': [],
	'GET /_sandbox/messages/{id}': [],
	'POST /_sandbox/messages/{id}/status': [{ status: 'READ' }],
	'GET /_sandbox/conversations': [],
	'POST /_sandbox/close-window': [{ channelId: DEMO_CHANNEL_ID, customer: CUSTOMER }],
	'DELETE /_sandbox/tenants/{id}': [],
	'POST /_sandbox/read': [{ channelId: DEMO_CHANNEL_ID, customer: CUSTOMER }],
	'POST /_sandbox/templates': [
		{ field: 'status', status: 'APPROVED', name: 'welcome', language: 'en', reason: null },
		{ field: 'category', newCategory: 'MARKETING', previousCategory: 'UTILITY' },
	],
	'GET /_sandbox/channels/{id}/phones': [],
	'POST /_sandbox/sdk/connect': [{ channelId: DEMO_CHANNEL_ID, coexistence: true }],
	'POST /_sandbox/sdk/post': [{ url: 'https://receiver.example/connect', answer: CONNECTED }],
	'POST /_sandbox/channels/{id}/connect': [{ coexistence: true }],
	'POST /_sandbox/channels/{id}/disconnect': [],
	'GET /_sandbox/deliveries': [],
	'GET /_sandbox/deliveries/{id}': [],
	'POST /_sandbox/deliveries/{id}/redeliver': [],
	'PATCH /_sandbox/webhooks/{id}': [{ order: 'shuffled', status: 'ENABLED' }],
	'GET /_sandbox/requests': [],
	'DELETE /_sandbox/requests': [],
	'GET /_sandbox/faults': [],
	'POST /_sandbox/faults': [
		{ on: 'route', operation: 'sendMessage', kind: 'status', status: 429, retryAfter: 5, times: 1 },
		{ on: 'route', kind: 'media', subCode: 'MEDIA_DOWNLOAD_FAILED' },
		{ on: 'webhook', kind: 'duplicate', copies: 2, times: 2, every: 3 },
	],
	'DELETE /_sandbox/faults/{id}': [],
	'DELETE /_sandbox/faults': [],
};

export const SANDBOX_ROUTES: SandboxRoute[] = [
	...Object.entries(OPERATION_DESCRIPTIONS).map(([name, published]) => ({
		method: published.method.toUpperCase(),
		path: published.path,
		bodies: PUBLISHED[name] ?? [],
		published,
	})),
	...Object.entries(CONTROL).map(([route, bodies]) => {
		const [method = '', path = ''] = route.split(' ');
		return { method, path, bodies };
	}),
];
