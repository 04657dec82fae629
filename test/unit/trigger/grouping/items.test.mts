import type { IDataObject, JsonValue } from 'n8n-workflow';

import { toEvents } from '../../../../nodes/BusinessMessaging/delivery/event/message.ts';
import {
	customerOf,
	oneItem,
	separateItems,
} from '../../../../nodes/BusinessMessaging/trigger/grouping/items.ts';
import { messageBody } from '../../../core/harness/deliveries.mts';

interface Written {
	text?: string;
	moment?: number;
	from?: string;
	fromMe?: boolean;
	type?: string;
	attachments?: IDataObject[];
	contents?: IDataObject[];
}

function body({ moment = 1_779_980_473_000, from, attachments, contents, ...more }: Written) {
	const { message, ...rest } = messageBody(more);
	return {
		...rest,
		message: {
			...message,
			_id: `id of ${more.text}`,
			created: moment,
			metadata: { ...message.metadata, moment },
			...(from === undefined ? {} : { sender: { identifier: from, name: 'Ana' } }),
			...(attachments ? { attachments } : {}),
			...(contents ? { contents } : {}),
		},
	};
}

const settings = {
	output: 'simplified' as 'simplified' | 'raw',
	chatFields: false,
	skipOwnMessages: false,
	senders: [],
	contentKinds: [],
	statuses: [],
};
const eventsOf = (value: unknown, changes: Partial<typeof settings> = {}) =>
	toEvents(value as JsonValue, { ...settings, ...changes });
const delivery = (value: unknown, changes: Partial<typeof settings> = {}, arrivedAt = 0) => ({
	events: eventsOf(value, changes),
	arrivedAt,
});
const single = (value: unknown, changes: Partial<typeof settings> = {}) =>
	eventsOf(value, changes)[0]?.item;

describe('the customer of a delivery', () => {
	const of = (from: string) => customerOf(eventsOf(body({ from })));

	it('is the same for all spellings of a phone number that the service has', () => {
		expect(of('551199990000')).toBe(of('+5511999990000'));
	});

	it('is another for each name or ID', () => {
		const names = ['12345678', '1234-5678', '1234.5678', '0012345678', 'ana.b', 'anab'];
		expect(new Set(names.map(of)).size).toBe(names.length);
	});
});

describe("a customer's messages", () => {
	it('become the item of the last one, with all texts and each message, in the order of writing', () => {
		const bodies = [
			body({ text: 'are you there?', moment: 1_779_980_473_002 }),
			body({ text: 'hi', moment: 1_779_980_473_001 }),
			body({ text: 'my order', moment: 1_779_980_473_003 }),
		];
		const [second, first, third] = bodies.map((value) => single(value));
		expect(
			oneItem(
				bodies.map((value) => delivery(value)),
				'simplified',
			),
		).toEqual({
			...third,
			text: 'hi\nare you there?\nmy order',
			messages: [first, second, third],
		});
	});

	it('of the same moment stay in the order of arrival', () => {
		const texts = ['a', 'b', 'c', 'd'];
		expect(
			oneItem(
				texts.map((text) => delivery(body({ text }))),
				'simplified',
			).text,
		).toBe('a\nb\nc\nd');
	});

	it('without a time count from their arrival', () => {
		const withoutMoment = body({ text: 'later' });
		const { moment: _moment, ...metadata } = withoutMoment.message.metadata;
		const { created: _created, ...message } = withoutMoment.message;
		const untold = delivery(
			{ ...withoutMoment, message: { ...message, metadata } },
			{},
			2_000_000_000_000,
		);
		const told = delivery(body({ text: 'earlier' }), {}, 2_000_000_000_001);
		expect(untold.events[0]?.message?.timestamp).toBeNull();
		expect(oneItem([untold, told], 'simplified').text).toBe('earlier\nlater');
	});

	it('bring all attachments and the chat input of all', () => {
		const picture = body({
			text: 'look',
			moment: 1_779_980_473_001,
			attachments: [{ type: 'IMAGE', url: 'https://files.example/1', caption: 'a cup' }],
		});
		const voice = body({
			text: '',
			moment: 1_779_980_473_002,
			contents: [],
			attachments: [{ type: 'AUDIO', url: 'https://files.example/2' }],
		});
		const item = oneItem(
			[picture, voice].map((value) => delivery(value, { chatFields: true })),
			'simplified',
		);
		expect(item).toMatchObject({
			type: 'AUDIO',
			text: 'look\na cup',
			chatInput: 'look\n(an image) a cup\n(a voice message)',
			sessionId: '019E4C54B1B375A28970B605CA9B03C3:5511999990000',
			attachments: [
				{ type: 'IMAGE', url: 'https://files.example/1' },
				{ type: 'AUDIO', url: 'https://files.example/2' },
			],
		});
		expect(item.messages).toEqual([single(picture), single(voice)]);
	});

	it('without any text become an item without text, whose chat input says what they are', () => {
		const voice = body({ contents: [], attachments: [{ type: 'AUDIO', url: 'u' }] });
		expect(oneItem([delivery(voice, { chatFields: true })], 'simplified')).toMatchObject({
			text: null,
			chatInput: '(a voice message)',
		});
	});

	it('give a model at most 16,384 characters, however many they are', () => {
		const long = (count: number) =>
			Array.from({ length: count }, (_, index) =>
				delivery(body({ text: 'x'.repeat(65_536), moment: 1_779_980_473_000 + index }), {
					chatFields: true,
				}),
			);
		const item = oneItem(long(60), 'simplified');
		expect(item.chatInput).toHaveLength(16_384);
		expect(String(item.chatInput).endsWith(' […]')).toBe(true);
		expect(item.text).toHaveLength(60 * 65_537 - 1);
		expect(String(oneItem(long(2), 'simplified').chatInput)).toHaveLength(2 * 4096 + 1);
	});

	it('become the last raw body, with all bodies', () => {
		const bodies = [body({ text: 'a' }), body({ text: 'b', moment: 1_779_980_473_009 })];
		const deliveries = bodies.map((value) => delivery(value, { output: 'raw' }));
		expect(oneItem(deliveries, 'raw')).toEqual({ ...bodies[1], messages: bodies });
	});

	it.each(['simplified', 'raw'] as const)("have the last one's headers, output %s", (output) => {
		const [first, second] = ['a', 'b'].map((text) => delivery(body({ text }), { output }));
		const item = oneItem(
			[
				{ ...first!, headers: { trace: '1' } },
				{ ...second!, headers: { trace: '2' } },
			],
			output,
		);
		expect(item.headers).toEqual({ trace: '2' });
		expect(JSON.stringify(item.messages)).not.toContain('trace');
	});
});

describe('the customer of a delivery', () => {
	const customer = (value: unknown) => customerOf(eventsOf(value));

	it('is the same in any spelling of the number, and another on another channel', () => {
		const known = customer(body({ from: '5511999990000' }));
		expect(known).toBeDefined();
		expect(customer(body({ from: '+5511999990000' }))).toBe(known);
		expect(customer(body({ from: '551199990000' }))).toBe(known);
		expect(customer(body({ from: '5511999990001' }))).not.toBe(known);
		const elsewhere = body({});
		expect(
			customer({ ...elsewhere, message: { ...elsewhere.message, channel_id: 'another' } }),
		).not.toBe(known);
	});

	it.each([
		['a message of the business', body({ fromMe: true })],
		['a status', body({ type: 'STATUS' })],
		['something else', { battery: 80 }],
		['a message without a sender', { ...body({}), message: { ...body({}).message, sender: null } }],
		['messages of several customers', [body({ from: '1' }), body({ from: '2' })]],
		['a message beside something else', [body({}), { battery: 80 }]],
	])('is nobody for %s', (_what, value) => {
		expect(customer(value)).toBeUndefined();
	});

	it('wrote all messages of a list', () => {
		expect(customer([body({ text: 'a' }), body({ text: 'b' })])).toBe(customer(body({})));
	});
});

it('groups by arrival keep the items of each delivery, with its own headers', () => {
	const deliveries = [
		{ ...delivery([body({ text: 'a' }), { battery: 80 }]), headers: { trace: '1' } },
		delivery(body({ text: 'b' })),
	];
	expect(separateItems(deliveries)).toEqual([
		{ ...single(body({ text: 'a' })), headers: { trace: '1' } },
		{ event: null, payload: { battery: 80 }, headers: { trace: '1' } },
		single(body({ text: 'b' })),
	]);
});
