import type { IDataObject, JsonValue } from 'n8n-workflow';

import { type OutputSettings, toEvents } from '#nodes/delivery/event/message.ts';
import { itemsOf } from '#nodes/delivery/respond.ts';
import { customerOf, oneItem } from '#nodes/trigger/grouping/receiveGrouped.ts';
import { messageBody } from '../../../core/harness/deliveries.mts';
import { SETTINGS } from '../../delivery/event/items.mts';
import { CHANNEL } from '../../../support/constants.mts';

const FIRST = 1_779_980_473_000;

/** A message with these fields. @param moment when it was written, after the first */
function body(fields: IDataObject & { moment?: number; from?: string } = {}, fromMe = false) {
	const { moment = 0, text = 'Hello!', from, ...more } = fields;
	const { message, ...rest } = messageBody({ fromMe, text: String(text) });
	const metadata = { ...message.metadata, moment: FIRST + moment };
	const sender = from === undefined ? message.sender : { identifier: from, name: 'Ana' };
	const own = { _id: `id of ${String(text)}`, created: FIRST + moment, metadata, sender };
	return { ...rest, message: { ...message, ...own, ...more } };
}

const eventsOf = (value: unknown, changes: Partial<OutputSettings> = {}) =>
	toEvents(value as JsonValue, { ...SETTINGS, ...changes });
const delivery = (value: unknown, changes: Partial<OutputSettings> = {}, arrivedAt = 0) => ({
	events: eventsOf(value, changes),
	arrivedAt,
});
const single = (value: unknown) => eventsOf(value)[0]?.item;
/** The item of these bodies, delivered one by one. */
const joined = (bodies: unknown[], changes: Partial<OutputSettings> = {}) =>
	oneItem(
		bodies.map((value) => delivery(value, changes)),
		changes.output ?? 'simplified',
	);
const voice = { contents: [], attachments: [{ type: 'AUDIO', url: 'https://files.example/2' }] };

describe("a customer's messages", () => {
	it('become the item of the last one, with all texts and each message, in the order of writing', () => {
		const bodies = [
			body({ text: 'are you there?', moment: 2 }),
			body({ text: 'hi', moment: 1 }),
			body({ text: 'my order', moment: 3 }),
		];
		const [second, first, third] = bodies.map(single);
		expect(joined(bodies)).toEqual({
			...third,
			text: 'hi\nare you there?\nmy order',
			messages: [first, second, third],
		});
	});

	it('have the reply of the last tap, each message its own', () => {
		const tap = (id: string) => [{ type: 'INTERACTIVE_BUTTON', message: id, id, title: id }];
		const bodies = [
			...['a', 'b'].map((id, moment) => body({ text: id, contents: tap(id), moment })),
			body({ text: 'thanks', moment: 2 }),
		];
		const { reply, messages } = joined(bodies);
		expect(reply).toEqual({ id: 'b', title: 'b' });
		const replies = (messages as IDataObject[]).map((message) => message.reply);
		expect(replies).toEqual([{ id: 'a', title: 'a' }, { id: 'b', title: 'b' }, undefined]);
	});

	it('of the same moment stay in the order of arrival', () => {
		expect(joined(['a', 'b', 'c', 'd'].map((text) => body({ text }))).text).toBe('a\nb\nc\nd');
	});

	it('without a time count from their arrival', () => {
		const timeless = body({ text: 'later', created: null, metadata: { from_me: false } });
		const untold = delivery(timeless, {}, 2_000_000_000_000);
		const told = delivery(body({ text: 'earlier' }), {}, 2_000_000_000_001);
		expect(untold.events[0]?.message?.timestamp).toBeNull();
		expect(oneItem([untold, told], 'simplified').text).toBe('earlier\nlater');
	});

	it('bring all attachments and the chat input of all', () => {
		const image = { type: 'IMAGE', url: 'https://files.example/1', caption: 'a cup' };
		const bodies = [
			body({ text: 'look', moment: 1, attachments: [image] }),
			body({ moment: 2, ...voice }),
		];
		expect(joined(bodies, { chatFields: true })).toMatchObject({
			type: 'AUDIO',
			text: 'look\na cup',
			chatInput: 'look\n(an image) a cup\n(a voice message)',
			sessionId: `${CHANNEL}:5511999990000`,
			attachments: [image, voice.attachments[0]],
			messages: bodies.map(single),
		});
	});

	it('give a model at most 16,384 characters, however many they are', () => {
		const long = (count: number) => {
			const bodies = Array.from({ length: count }, (_, moment) =>
				body({ text: 'x'.repeat(65_536), moment }),
			);
			return joined(bodies, { chatFields: true });
		};
		const { chatInput, text } = long(60);
		expect(chatInput).toHaveLength(16_384);
		expect(String(chatInput).endsWith(' […]')).toBe(true);
		expect(text).toHaveLength(60 * 65_537 - 1);
		expect(long(2).chatInput).toHaveLength(2 * 4096 + 1);
	});
});

describe('the customer of a delivery', () => {
	const customer = (value: unknown) => customerOf(eventsOf(value));

	it('is the same in any spelling of the number, and another on another channel', () => {
		const known = customer(body({ from: '5511999990000' }));
		expect(known).toBeDefined();
		for (const from of ['+5511999990000', '551199990000'])
			expect(customer(body({ from }))).toBe(known);
		expect(customer(body({ from: '5511999990001' }))).not.toBe(known);
		expect(customer(body({ channel_id: 'another' }))).not.toBe(known);
	});

	it('is another for each name or ID', () => {
		const names = ['12345678', '1234-5678', '1234.5678', '0012345678', 'ana.b', 'anab'];
		expect(new Set(names.map((from) => customer(body({ from })))).size).toBe(names.length);
	});

	it.each([
		['a message of the business', body({}, true)],
		['a status', { ...body(), messageEventType: 'STATUS' }],
		['something else', { battery: 80 }],
		['a message without a sender', body({ sender: null })],
		['a message of an empty identifier', body({ from: '' })],
		['messages of several customers', [body({ from: '1' }), body({ from: '2' })]],
		['a message beside something else', [body(), { battery: 80 }]],
	])('is nobody for %s', (_what, value) => {
		expect(customer(value)).toBeUndefined();
	});

	it('wrote all messages of a list', () => {
		expect(customer([body({ text: 'a' }), body({ text: 'b' })])).toBe(customer(body()));
	});
});

it('groups by arrival keep the items of each delivery, with its own headers', () => {
	const deliveries = [
		{ ...delivery([body({ text: 'a' }), { battery: 80 }]), headers: { trace: '1' } },
		delivery(body({ text: 'b' })),
	];
	expect(deliveries.flatMap(itemsOf)).toEqual([
		{ ...single(body({ text: 'a' })), headers: { trace: '1' } },
		{ event: null, payload: { battery: 80 }, headers: { trace: '1' } },
		single(body({ text: 'b' })),
	]);
});
