import { keyOf } from '../../../../nodes/BusinessMessaging/shared/phoneNumbers.ts';
import type { IDataObject, JsonValue } from 'n8n-workflow';

import {
	receivedMessages,
	toEvents,
} from '../../../../nodes/BusinessMessaging/delivery/event/message.ts';
import { messageBody } from '../../../core/harness/deliveries.mts';
import { items } from './items.mts';

const received = (body: unknown) => receivedMessages(body as JsonValue);

/** The published message with other contents. */
function message(changes: IDataObject, options: Parameters<typeof messageBody>[0] = {}) {
	const body = messageBody(options);
	return { ...body, message: { ...body.message, ...changes } };
}
const withStates = (...states: unknown[]) =>
	message({ contents: [{ type: 'TEXT', message: 'a', state_items: states as IDataObject[] }] });

describe('the messages of customers in a delivery', () => {
	it('are simplified, in their order', () => {
		expect(received(messageBody()).map(({ message }) => message)).toEqual(items(messageBody()));
		const list = [
			messageBody({ id: 'A'.repeat(32) }),
			messageBody({ fromMe: true }),
			messageBody({ id: 'B'.repeat(32) }),
		];
		expect(received(list).map(({ message: { messageId } }) => messageId)).toEqual([
			'A'.repeat(32),
			'B'.repeat(32),
		]);
	});

	it('leave out other events, statuses, and messages without a known side', () => {
		expect(received({ event: 'CONNECTED' })).toEqual([]);
		expect(received('text')).toEqual([]);
		expect(received(messageBody({ type: 'MESSAGE_STATUS' }))).toEqual([]);
		expect(received(message({ metadata: null }))).toEqual([]);
		const { metadata: _metadata, ...bare } = messageBody().message;
		expect(received({ message: bare })).toEqual([]);
	});
});

it.each<[string, IDataObject, IDataObject, number | undefined]>([
	['the moment, when it is earlier', { moment: 1_000_000_000_001 }, {}, 1_000_000_000_001],
	['the moment, in seconds', { moment: 1_000_000_000 }, {}, 1_000_000_000_000],
	['the creation, when it is earlier', { moment: 1_999_999_999_999 }, {}, 1_779_980_473_342],
	['the creation alone', { moment: null }, {}, 1_779_980_473_342],
	['the moment alone', { moment: 1_900_000_000_000 }, { created: null }, 1_900_000_000_000],
	['nothing, without a time', { moment: null }, { created: null }, undefined],
	['nothing, by times that are none', { moment: 0 }, { created: -1 }, undefined],
])('a message was written at %s', (_what, times, changes, written) => {
	const metadata = { from_me: false, ...times };
	expect(received(message({ metadata, ...changes }))).toMatchObject([{ written }]);
	const settings = { chatFields: false, skipOwnMessages: false } as const;
	const filters = { senders: [], contentKinds: [], statuses: [] };
	for (const output of ['simplified', 'raw'] as const) {
		const [event] = toEvents(message({ metadata, ...changes }), {
			output,
			...settings,
			...filters,
		});
		expect(event?.written).toBe(written);
	}
});

describe('the time of a message', () => {
	const timeOf = (metadata: IDataObject, created?: unknown) =>
		items(
			message({
				metadata: { from_me: false, ...metadata },
				created: created as IDataObject[string],
			}),
		)[0]?.timestamp;

	it("is the message's own, or else its record's", () => {
		expect(timeOf({ moment: 1_000_000_000_000 }, 1_779_980_473_342)).toBe(
			'2001-09-09T01:46:40.000Z',
		);
		expect(timeOf({}, 1_000_000_000_000)).toBe('2001-09-09T01:46:40.000Z');
		expect(timeOf({})).toBeNull();
	});

	it('may be given in seconds', () => {
		expect(timeOf({ moment: 1_000_000_000 })).toBe('2001-09-09T01:46:40.000Z');
		expect(timeOf({ moment: 99_999_999_999 })).toBe('5138-11-16T09:46:39.000Z');
		// The first that counts as milliseconds.
		expect(timeOf({ moment: 1e11 })).toBe('1973-03-03T09:46:40.000Z');
		expect(timeOf({ moment: 1e17 })).toBeNull();
	});
});

test.each<[unknown, string | null]>([
	['1000000000000', '2001-09-09T01:46:40.000Z'],
	['1000000000', '2001-09-09T01:46:40.000Z'],
	[1_000_000_000, '2001-09-09T01:46:40.000Z'],
	['2026-07-15T19:00:00Z', '2026-07-15T19:00:00Z'],
	['a1000000000', 'a1000000000'],
	['1000000000 or so', '1000000000 or so'],
	['1'.repeat(17), '1'.repeat(17)],
	['', ''],
	[null, null],
	[undefined, null],
])('the time %j of a template event is shown as %j', (category_update_timestamp, shown) => {
	const value = { new_category: 'UTILITY', category_update_timestamp } as IDataObject;
	expect(items({ field: 'template_category_update', value })[0]).toMatchObject({
		event: 'UPDATE_TEMPLATE_CATEGORY',
		newCategory: 'UTILITY',
		timestamp: shown,
	});
});

describe('a message', () => {
	it('has its texts and captions as lines', () => {
		const body = message({
			contents: [
				{ type: 'TEXT', message: 'one' },
				{ type: 'TEXT', message: 'two' },
			],
			attachments: [{ type: 'IMAGE', caption: 'three' }, { type: 'IMAGE' }],
		});
		expect(items(body)[0]?.text).toBe('one\ntwo\nthree');
	});

	it('has the caption and preview of an attachment only if they are texts', () => {
		const attachments = [
			{
				type: 'IMAGE',
				url: 'https://a.example/1',
				caption: 'c',
				thumbnail_url: 'https://a.example/t',
			},
			{ caption: null, thumbnail_url: null },
		];
		expect(items(message({ attachments }))[0]?.attachments).toEqual([
			{
				type: 'IMAGE',
				url: 'https://a.example/1',
				caption: 'c',
				thumbnailUrl: 'https://a.example/t',
			},
			{ type: null, url: null },
		]);
	});

	it("shows contents that are no text, without the service's internals", () => {
		const contents = [
			{ '@class': 'x', identifier: 'c1', state_items: [], type: 'CONTACT', name: 'Ana' },
		];
		expect(items(message({ contents }))[0]?.contents).toEqual([{ type: 'CONTACT', name: 'Ana' }]);
	});

	it('has the last of several states of one moment, or of several without one', () => {
		expect(
			items(
				withStates({ moment: 5, state: { name: 'SENT' } }, { moment: 5, state: { name: 'READ' } }),
			)[0]?.status,
		).toBe('READ');
		expect(
			items(withStates({ state: { name: 'SENT' } }, { state: { name: 'READ' } }))[0]?.status,
		).toBe('READ');
		expect(
			items(withStates({ moment: 5, state: { name: 'READ' } }, { state: { name: 'SENT' } }))[0]
				?.status,
		).toBe('READ');
	});

	it('has no status if no state has a name', () => {
		expect(
			items(
				withStates({ moment: 1 }, { moment: 2, state: null }, { moment: 3, state: { name: null } }),
			)[0]?.status,
		).toBeNull();
		expect(items(message({ contents: [{ type: 'TEXT', message: 'a' }] }))[0]?.status).toBeNull();
	});

	it('belongs to the session of its channel and its customer, and names what is empty', () => {
		const chat = (body: unknown) => items(body, { chatFields: true })[0];
		expect(chat(messageBody())).toMatchObject({
			chatInput: 'Hello!',
			sessionId: '019E4C54B1B375A28970B605CA9B03C3:5511999990000',
		});
		expect(chat(messageBody({ fromMe: true }))).toMatchObject({
			sessionId: '019E4C54B1B375A28970B605CA9B03C3:5511999990000',
		});
		expect(chat(message({ channel_id: null, sender: null, contents: [] }))).toMatchObject({
			chatInput: '(an empty message)',
			sessionId: ':',
		});
	});

	it('stays whole in raw output, even if it is no message', () => {
		expect(items(messageBody(), { output: 'raw' })).toEqual([messageBody()]);
		const category = { event: 'x', value: 1 };
		expect(items([category, null, 'text', [1]], { output: 'raw' })).toEqual([
			category,
			{ event: null, payload: null },
			{ event: null, payload: 'text' },
			{ event: null, payload: [1] },
		]);
	});
});

describe('a filter', () => {
	it('of types passes a message for any of its attachments', () => {
		const body = message({ attachments: [{ type: 'IMAGE' }, { type: 'AUDIO' }] });
		expect(items(body, { contentKinds: ['AUDIO'] })).toHaveLength(1);
		expect(items(body, { contentKinds: ['VIDEO'] })).toHaveLength(0);
		expect(items(body, { contentKinds: ['VIDEO', 'IMAGE'] })).toHaveLength(1);
	});

	it('of statuses ignores case and blanks', () => {
		expect(items(messageBody({ state: 'Read' }), { statuses: [' READ '] })).toHaveLength(1);
		expect(items(messageBody({ state: 'SENT' }), { statuses: ['read'] })).toHaveLength(0);
	});

	it('of senders passes only the named ones', () => {
		expect(items(message({ sender: null }), { senders: ['5511999990000'] })).toHaveLength(0);
		expect(items(messageBody(), { senders: ['+55 (11) 99999-0000'] })).toHaveLength(1);
		// Without the ninth digit, and a landline with similar digits.
		expect(items(messageBody(), { senders: ['551199990000'] })).toHaveLength(1);
		expect(items(messageBody(), { senders: ['551139990000'] })).toHaveLength(0);
	});

	it('of senders takes nobody for somebody else on a channel of names', () => {
		const from = (identifier: string, ...senders: string[]) =>
			items(message({ sender: { identifier, name: null } }), { senders }).length;
		for (const identifier of ['1234-5678', '0012345678', '1234.5678', '1234 5678'])
			expect(from(identifier, '12345678')).toBe(0);
		expect(from('1234-5678', '1234-5678')).toBe(1);
		expect(from('0012345678', '0012345678')).toBe(1);
		expect(from('+12345678', '12345678')).toBe(1);
	});

	it('of senders lets nobody in by an empty entry', () => {
		expect(items(messageBody(), { senders: [''] })).toHaveLength(0);
		expect(items(message({ sender: { identifier: '' } }), { senders: [''] })).toHaveLength(0);
		expect(items(messageBody(), { senders: ['', '5511999990000'] })).toHaveLength(1);
	});
});

test.each([
	['551199990000', '5511999990000'],
	['+551199990000', '5511999990000'],
	['55.11.99999.0000', '55.11.99999.0000'],
	['  ana@example.com ', '  ana@example.com '],
	['user 55', 'user 55'],
	['++5511999990000', '++5511999990000'],
])('the key of the sender %j is %j', (identifier, key) => {
	expect(keyOf(identifier)).toBe(key);
	const [item] = items(message({ sender: { identifier, name: 'Ana' } }), { chatFields: true });
	expect(item?.sender).toEqual({ identifier, name: 'Ana', key });
	expect(item?.sessionId).toBe(`019E4C54B1B375A28970B605CA9B03C3:${key}`);
});

describe('an event of a template', () => {
	const template = (value: IDataObject) =>
		items({ field: 'message_template_status_update', waba_id: 'W', value })[0];

	it('has its ID as text, and null for missing values', () => {
		expect(
			template({
				event: 'APPROVED',
				message_template_id: 7,
				message_template_name: 'hello',
				message_template_language: 'pt_BR',
			}),
		).toMatchObject({ templateId: '7', templateName: 'hello', language: 'pt_BR' });
		for (const message_template_id of [null, undefined])
			expect(template({ event: 'APPROVED', message_template_id })).toMatchObject({
				templateId: null,
				templateName: null,
				language: null,
				reason: null,
			});
	});

	it('has a category only if it is a text', () => {
		expect(template({ event: 'APPROVED', message_template_category: 'MARKETING' })).toMatchObject({
			category: 'MARKETING',
		});
		expect(template({ event: 'APPROVED', message_template_category: null })).not.toHaveProperty(
			'category',
		);
	});
});
