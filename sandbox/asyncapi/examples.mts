import { Origin } from '../core/origin.mts';
import { connectionBody, messageBody } from '../events/bodies.mts';
import { templateBody, templateChangeSchema } from '../events/templateBodies.mts';
import { AS_DOCUMENTED } from '../facts/imitate.mts';
import type { Channel } from '../store/channels.mts';
import type { Content } from '../store/content.mts';
import type { Message } from '../store/messages.mts';
import type { BodyName } from './events.mts';

const MOMENT = Date.parse('2026-07-15T12:00:00Z');
const CUSTOMER = '5500000000101';
const WABA = '1000000000000000';

/** Ids that nobody has; the last digits differ. */
const id = (number: number): string => String(number).padStart(32, '0');

const channel: Channel = {
	...{ id: id(1), tenantId: id(2), name: 'Example Channel', type: 'OFFICIAL_CHATAPP' },
	...{ token: '', connected: true, wabaId: WABA, phoneId: '1', businessNumber: '5500000000001' },
	...{ coexistence: false, createdAt: MOMENT, hasWindow: true, paymentStatus: 'TRIAL', due: null },
};
const tenant = {
	...{ id: id(2), name: 'Example', owner: 'owner@example.com', publicKey: '', enterprise: true },
};

function message(
	content: Content,
	direction: Message['direction'],
	reached: Message['reached'],
	kind: 'newMessage' | 'status' = 'newMessage',
): unknown {
	const states = Object.keys(reached) as Array<keyof typeof reached>;
	const said: Message = {
		...{ number: 1, id: id(3), channelId: channel.id, customer: CUSTOMER, direction, content },
		...{
			fromApi: direction === 'out',
			forwarded: false,
			windowClosed: false,
			createdAt: MOMENT,
			reached,
		},
		status: states.at(-1) ?? 'PENDING',
	};
	const parties = {
		...{ tenant, channel, customerName: 'Ana Example', origin: new Origin() },
		imitation: AS_DOCUMENTED,
	};
	return JSON.parse(messageBody(said, parties, kind));
}

const received = (content: Content) => message(content, 'in', { DELIVERED: MOMENT });
const sent = (content: Content) => message(content, 'out', { PENDING: MOMENT });
const template = (change: object): unknown =>
	JSON.parse(templateBody(templateChangeSchema.parse(change), id(4), WABA, MOMENT));
const connection = (event: 'CONNECTED' | 'DISCONNECTED'): unknown =>
	JSON.parse(connectionBody(event, channel, tenant, MOMENT));

const FILE = 'https://files.example.com/menu';
const BUTTONS = [
	{ id: 'yes', title: 'Yes' },
	{ id: 'no', title: 'No' },
];

const RECEIVED: Content[] = [
	{ type: 'TEXT', text: 'Hello' },
	{ type: 'IMAGE', url: `${FILE}.png`, caption: 'This one' },
	{ type: 'VIDEO', url: `${FILE}.mp4` },
	{ type: 'AUDIO', url: `${FILE}.ogg` },
	{ type: 'STICKER', url: `${FILE}.webp` },
	{ type: 'CONTACT_ARRAY', contacts: [{ name: 'Bea Example', phones: ['5500000000102'] }] },
	{ type: 'BUTTON_REPLY', text: 'Yes', id: 'yes' },
];
const SENT: Content[] = [
	{ type: 'TEXT', text: 'Hello, how can we help?' },
	{ type: 'INTERACTIVE_BUTTON', text: 'Shall we?', mediaType: 'TEXT', buttons: BUTTONS },
	{
		...{ type: 'INTERACTIVE_ACTION', text: 'Our menu', header: 'New', footer: 'Every day' },
		buttons: [
			{ id: '1', title: 'Open', name: 'URL', url: FILE },
			{ id: '2', title: 'Call', name: 'CALL', phone: '5500000000001' },
		],
	},
	{
		...{ type: 'TEMPLATE', text: 'Your order is on its way.', buttons: [] },
		template: {
			name: 'order_update',
			language: { policy: 'deterministic', code: 'en_US' },
			components: [{ type: 'body', parameters: [] }],
		},
	},
];

/**
 * An example of each body, about an invented person. The code that makes delivery bodies makes
 * these.
 */
export const EXAMPLES: Record<BodyName, unknown[]> = {
	MessageReceived: RECEIVED.map(received),
	MessageSent: SENT.map(sent),
	MessageStatus: [
		message(
			SENT[0]!,
			'out',
			{ PENDING: MOMENT, SENT: MOMENT + 300, DELIVERED: MOMENT + 600 },
			'status',
		),
	],
	Connected: [connection('CONNECTED')],
	Disconnected: [connection('DISCONNECTED')],
	TemplateStatus: [template({ field: 'status', status: 'APPROVED' })],
	TemplateCategory: [template({ field: 'category', newCategory: 'MARKETING' })],
};
