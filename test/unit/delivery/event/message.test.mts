import type { IDataObject, JsonValue } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '#nodes/BusinessMessagingTrigger.node.ts';
import { type OutputSettings, receivedMessages, toEvents } from '#nodes/delivery/event/message.ts';
import { keyOf } from '#nodes/shared/texts/phoneNumbers.ts';
import { type OutputSchema, outputSchemas } from '#scripts/outputSchemas.mts';
import { messageBody, WRITTEN_AT } from '../../../core/harness/deliveries.mts';
import { CHANNEL } from '../../../support/constants.mts';
import { itemOf, items, SETTINGS, withFields } from './items.mts';

const received = (body: unknown) => receivedMessages(body as JsonValue);
const text = (message: string, more: object = {}) => ({ type: 'TEXT', message, ...more });
const state = (moment: unknown, name: unknown) => ({ moment, state: { name } });
const states = [state(2, 'DELIVERED'), state(3, 'READ'), state(1, 'SENT')];
const nobody = { identifier: null, name: null, key: null };
const many = <Item,>(length: number, make: (index: number) => Item) =>
	Array.from({ length }, (_, index) => make(index));

describe('a message', () => {
	it('begins with its text and its sender, so that a table shows them without scrolling', () => {
		for (const fromMe of [false, true])
			expect(Object.keys(itemOf({}, fromMe)).slice(0, 2)).toEqual(['text', 'sender']);
	});

	it.each([
		[messageBody({ fromMe: true, state: 'SENT' }), 'MESSAGE_STATUS', true, 'SENT'],
		[messageBody({ fromMe: true, type: 'NEW_MESSAGE' }), 'MESSAGE_STATUS', true, 'PENDING'],
		[messageBody({ type: 'MESSAGE_STATUS' }), 'MESSAGE_STATUS', false, 'PENDING'],
		[{ message: messageBody().message }, 'MESSAGE_RECEIVED', false, 'PENDING'],
	])('tells what it is about by its writer and its type', (body, event, fromMe, status) => {
		expect(items(body)).toMatchObject([{ event, fromMe, status }]);
	});

	it('has all fields, also if the service leaves out optional ones', () => {
		expect(items({ message: { _id: '1', metadata: { from_me: false } } })).toEqual([
			{
				event: 'MESSAGE_RECEIVED',
				channelId: null,
				messageId: '1',
				timestamp: null,
				fromMe: false,
				sender: nobody,
				recipient: nobody,
				type: null,
				text: null,
				status: null,
				attachments: [],
			},
		]);
	});

	it('has what else the service says of its people, except internals and what says nothing', () => {
		const more = { user_id: 'u.1', username: '@ana', profile: { city: 'Recife' } };
		const internal = { '@class': '.Sender', tenant: 't', email: null };
		const sender = { ...internal, identifier: 'ana', name: 'Ana', ...more };
		const recipient = { identifier: 'shop', name: null, user_id: 'u.2', key: 'another' };
		expect(itemOf({ sender, recipient })).toMatchObject({
			sender: { identifier: 'ana', name: 'Ana', ...more, key: 'ana' },
			recipient: { identifier: 'shop', name: null, user_id: 'u.2', key: 'shop' },
		});
		expect(Object.keys(itemOf({ sender }).sender as object)).toHaveLength(6);
	});

	it('has its texts and captions as lines', () => {
		const attachments = [{ type: 'IMAGE', caption: 'three' }, { type: 'IMAGE' }];
		const contents = [text('one'), text('two')];
		expect(itemOf({ contents, attachments })).toMatchObject({
			type: 'IMAGE',
			text: 'one\ntwo\nthree',
		});
	});

	it.each<[unknown[] | undefined, string | null]>([
		[states, 'READ'],
		[[state(5, 'SENT'), state(5, 'READ')], 'READ'],
		[[state(undefined, 'SENT'), state(undefined, 'READ')], 'READ'],
		[[state(5, 'READ'), state(undefined, 'SENT')], 'READ'],
		[[{ moment: 1 }, { moment: 2, state: null }, state(3, null)], null],
		[undefined, null],
	])('has the newest status by time, or the last one: %j', (state_items, status) => {
		expect(itemOf({ contents: [text('a', { state_items })] }).status).toBe(status);
	});
});

describe('the messages of customers in a delivery', () => {
	it('are simplified, in their order', () => {
		expect(received(messageBody()).map(({ message }) => message)).toEqual(items(messageBody()));
		const list = [
			messageBody({ id: 'A' }),
			messageBody({ fromMe: true }),
			messageBody({ id: 'B' }),
		];
		expect(received(list).map(({ message }) => message.messageId)).toEqual(['A', 'B']);
	});

	it('leave out other events, statuses, and messages without a known side', () => {
		const bodies = [{ event: 'CONNECTED' }, 'text', messageBody({ type: 'MESSAGE_STATUS' })];
		const unknown = [null, undefined].map((metadata) => withFields({ metadata }));
		for (const body of [...bodies, ...unknown]) expect(received(body)).toEqual([]);
	});
});

describe('the time of a message', () => {
	it.each<[string, IDataObject, IDataObject, number | undefined]>([
		['its moment, when that is earlier', { moment: 1_000_000_000_001 }, {}, 1_000_000_000_001],
		['its moment, in seconds', { moment: 1_000_000_000 }, {}, 1_000_000_000_000],
		['its creation, when that is earlier', { moment: WRITTEN_AT + 1 }, {}, WRITTEN_AT],
		['its creation alone', { moment: null }, {}, WRITTEN_AT],
		['its moment alone', { moment: 1_900_000_000_000 }, { created: null }, 1_900_000_000_000],
		['unknown without a time', { moment: null }, { created: null }, undefined],
		['unknown by times that are none', { moment: 0 }, { created: -1 }, undefined],
	])('of writing is %s', (_what, times, changes, written) => {
		const body = withFields({ metadata: { from_me: false, ...times }, ...changes });
		expect(received(body)).toMatchObject([{ written }]);
		for (const output of ['simplified', 'raw'] as const)
			expect(toEvents(body as JsonValue, { ...SETTINGS, output })[0]?.written).toBe(written);
	});

	it.each<[IDataObject, unknown, string | null]>([
		[{ moment: 1_000_000_000_000 }, 1_779_980_473_342, '2001-09-09T01:46:40.000Z'],
		[{}, 1_000_000_000_000, '2001-09-09T01:46:40.000Z'],
		[{}, undefined, null],
		[{ moment: 1_000_000_000 }, undefined, '2001-09-09T01:46:40.000Z'],
		[{ moment: 99_999_999_999 }, undefined, '5138-11-16T09:46:39.000Z'],
		// The first that counts as milliseconds.
		[{ moment: 1e11 }, undefined, '1973-03-03T09:46:40.000Z'],
		[{ moment: 1e17 }, undefined, null],
	])("is its own, or else its record's, maybe in seconds: %j %j", (times, created, shown) => {
		expect(itemOf({ metadata: { from_me: false, ...times }, created }).timestamp).toBe(shown);
	});
});

describe('parts beyond the limits are passed on unread', () => {
	const attachment = (index: number) => ({ type: 'IMAGE', url: `${index}`, state_items: states });

	it('attachments and contents after the first 100 are passed on unchanged', () => {
		const attachments = many(5000, attachment);
		const further = text('further', { state_items: 'odd' });
		const contents = [...many(100, (index) => text(`text ${index}`)), further, 7];
		const item = itemOf({ contents, attachments });
		expect(item.event).toBe('MESSAGE_RECEIVED');
		expect(item.attachments).toEqual([
			...attachments.slice(0, 100).map(({ type, url }) => ({ type, url })),
			...attachments.slice(100),
		]);
		expect(item.text).toBe(many(100, (index) => `text ${index}`).join('\n'));
		expect(item.contents).toEqual([further, { event: null, payload: 7 }]);
	});

	it('the filter for types sees all of them', () => {
		const body = withFields({ attachments: [...many(100, attachment), { type: 'VIDEO' }] });
		for (const [kind, count] of [['VIDEO', 1] as const, ['AUDIO', 0] as const])
			expect(items(body, { contentKinds: [kind] })).toHaveLength(count);
	});

	it.each([
		[0, 'S4999'],
		[200, 'S4999'],
		[4899, 'S4999'],
		[4900, 'S4900'],
		[4998, 'S4998'],
	])('the status is the newest of the last 100 states: %i', (newest, status) => {
		const state_items = many(5000, (at) => state(at === newest ? 9999 : at, `S${at}`));
		expect(itemOf({ contents: [text('a', { state_items })] }).status).toBe(status);
	});

	it('an array of more than 1,000 elements is one item, whole', () => {
		const body = many(1001, () => messageBody());
		for (const output of ['simplified', 'raw'] as const)
			expect(items(body, { output })).toEqual([{ event: null, payload: body }]);
		expect(items(body.slice(1))).toHaveLength(1000);
		expect(received(body)).toEqual([]);
		expect(received(body.slice(1))).toHaveLength(1000);
	});
});

describe('templates', () => {
	const names = {
		message_template_id: 1587155656151346,
		message_template_name: 'order',
		message_template_language: 'pt_BR',
	};
	const shownNames = { templateId: '1587155656151346', templateName: 'order', language: 'pt_BR' };
	const of = (field: string, value: object) => ({ field, identifier: 'x', waba_id: '8', value });
	const status = (value: object) => of('message_template_status_update', value);
	const category = (value: object) => of('template_category_update', value);
	const rejected = { event: 'REJECTED', ...names, reason: 'SPAM' };
	const changed = {
		correct_category: 'UTILITY',
		new_category: 'MARKETING',
		previous_category: 'UTILITY',
		...names,
	};

	it('several in one delivery give an item each, in order', () => {
		expect(items([status({ ...rejected, reason: 'NONE' })])).toMatchObject([{ reason: null }]);
		const list = [
			status({ ...rejected, message_template_category: 'UTILITY' }),
			'odd',
			category({ ...changed, category_update_timestamp: 1779980473 }),
		];
		expect(items(list)).toEqual([
			{
				event: 'UPDATE_TEMPLATE_STATUS',
				...shownNames,
				status: 'REJECTED',
				reason: 'SPAM',
				category: 'UTILITY',
				wabaId: '8',
			},
			{ event: null, payload: 'odd' },
			{
				event: 'UPDATE_TEMPLATE_CATEGORY',
				...shownNames,
				previousCategory: 'UTILITY',
				newCategory: 'MARKETING',
				correctCategory: 'UTILITY',
				timestamp: '2026-05-28T15:01:13.000Z',
				wabaId: '8',
			},
		]);
	});

	it.each([null, undefined])('have null for missing values, and no category: %s', (missing) => {
		const value = { message_template_id: missing, message_template_category: missing };
		const [item] = items(status({ event: 'APPROVED', ...value }));
		const unknown = { templateId: null, templateName: null, language: null, reason: null };
		expect(item).toMatchObject(unknown);
		expect(item).not.toHaveProperty('category');
	});

	it.each<[unknown, string | null]>([
		['1000000000000', '2001-09-09T01:46:40.000Z'],
		['1000000000', '2001-09-09T01:46:40.000Z'],
		[1_000_000_000, '2001-09-09T01:46:40.000Z'],
		...['2026-07-15T19:00:00Z', 'a1000000000', '1000000000 or so', '1'.repeat(17), ''].map(
			(same): [string, string] => [same, same],
		),
		[null, null],
		[undefined, null],
	])('show the time %j as %j', (category_update_timestamp, timestamp) => {
		const value = { new_category: 'UTILITY', category_update_timestamp };
		expect(items(category(value))).toMatchObject([{ newCategory: 'UTILITY', timestamp }]);
	});

	/** The shape of a value, as n8n's schema files write it. */
	function schemaOf(value: unknown): OutputSchema {
		if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0]) };
		if (typeof value !== 'object' || value === null) return { type: typeof value };
		const properties = Object.entries(value).map(([name, inner]) => [name, schemaOf(inner)]);
		return { type: 'object', properties: Object.fromEntries(properties) };
	}

	it('have the shape that the editor shows before the first event, as do messages', () => {
		// What differs from kind to kind has no fixed shape.
		const { contents: _contents, ...ofCustomer } = itemOf({
			contents: [text('a', { state_items: states, button: { id: '1', title: 'a' } })],
			attachments: [{ type: 'IMAGE', url: 'u', caption: 'c', thumbnail_url: 't' }],
		});
		const { fromApi } = itemOf({}, true);
		const ofTemplates = items([
			status({ ...rejected, message_template_category: 'MARKETING' }),
			category({ ...changed, category_update_timestamp: 1 }),
		]);
		const version = Number(new BusinessMessagingTrigger().description.version);
		expect(outputSchemas().get(`__schema__/v${version}.0.0.json`)).toEqual({
			...schemaOf(Object.assign({}, ...ofTemplates, ofCustomer, { fromApi, statusDetails: {} })),
			version: 1,
		});
	});
});

it.each<[unknown]>([
	[{ connected: true }],
	['text'],
	[{}],
	[{ message: { text: 'x' } }],
	[{ message: null }],
	[{ message: { _id: '1', metadata: { from_me: false }, contents: [null] } }],
	...[{}, null, undefined].map((metadata): [unknown] => [withFields({ metadata })]),
	[{ field: 'message_template_quality_update', value: { event: 'X' } }],
])('an unknown body is passed on whole: %j', (body) => {
	expect(items(body)).toEqual([{ event: null, payload: body }]);
});

it('raw output passes objects on unchanged, wraps anything else, and is filtered, too', () => {
	const raw = { output: 'raw' } as const;
	const category = { event: 'x', value: 1 };
	const wrapped = [null, 'text', [1]].map((payload) => ({ event: null, payload }));
	expect(items([messageBody(), category, null, 'text', [1]], raw)).toEqual([
		messageBody(),
		category,
		...wrapped,
	]);
	expect(items([], raw)).toEqual([{ event: null, payload: [] }]);
	expect(items(messageBody({ fromMe: true }), { ...raw, skipOwnMessages: true })).toEqual([]);
});

describe('filters', () => {
	const two = withFields({ attachments: [{ type: 'IMAGE' }, { type: 'AUDIO' }] });

	it.each<[Partial<OutputSettings>, unknown, number]>([
		[{ senders: ['5511999990000'] }, messageBody(), 1],
		[{ senders: ['+55 (11) 99999-0000'] }, messageBody(), 1],
		// Without the ninth digit, and a landline with similar digits.
		[{ senders: ['551139990000'] }, messageBody(), 0],
		[{ senders: ['5511999990001'] }, messageBody(), 0],
		[{ senders: [''] }, messageBody(), 0],
		[{ senders: [''] }, withFields({ sender: { identifier: '' } }), 0],
		[{ senders: ['5511999990000'] }, withFields({ sender: null }), 0],
		[{ contentKinds: ['IMAGE'] }, messageBody(), 0],
		[{ contentKinds: ['AUDIO'] }, two, 1],
		[{ contentKinds: ['VIDEO', 'IMAGE'] }, two, 1],
		[{ statuses: ['pending'] }, messageBody(), 1],
		[{ statuses: [' READ '] }, messageBody({ state: 'Read' }), 1],
		[{ statuses: ['READ'] }, messageBody(), 0],
		[{ senders: ['5511999990000'], contentKinds: ['IMAGE'] }, messageBody(), 0],
		[
			{ senders: ['1'], contentKinds: ['TEXT'], statuses: ['READ'], skipOwnMessages: true },
			{ odd: 1 },
			1,
		],
	])('%j let through of %j: %i', (changes, body, count) => {
		expect(items(body, changes)).toHaveLength(count);
	});

	it('of senders take nobody for somebody else on a channel of names', () => {
		const from = (identifier: string, ...senders: string[]) =>
			items(withFields({ sender: { identifier, name: null } }), { senders }).length;
		for (const identifier of ['1234-5678', '0012345678', '1234.5678', '1234 5678'])
			expect(from(identifier, '12345678')).toBe(0);
		for (const known of ['1234-5678', '0012345678']) expect(from(known, known)).toBe(1);
		expect(from('+12345678', '12345678')).toBe(1);
	});
});

it.each([
	['551199990000', '5511999990000'],
	['+551199990000', '5511999990000'],
])('the key of the sender %j is %j, also in the session', (identifier, key) => {
	expect(keyOf(identifier)).toBe(key);
	const body = withFields({ sender: { identifier, name: 'Ana' } });
	expect(items(body, { chatFields: true })).toMatchObject([
		{ sender: { identifier, name: 'Ana', key }, sessionId: `${CHANNEL}:${key}` },
	]);
});

it('chat fields are the text and a session, the same for both sides', () => {
	const chat = (body: unknown) => items(body, { chatFields: true })[0];
	const sessionId = `${CHANNEL}:5511999990000`;
	for (const fromMe of [false, true])
		expect(chat(messageBody({ fromMe }))).toMatchObject({ chatInput: 'Hello!', sessionId });
	const spelled = CHANNEL.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
	expect(chat(withFields({ channel_id: spelled }))).toMatchObject({
		channelId: spelled,
		sessionId,
	});
	// Nobody knows whether two of them are the same person.
	for (const sender of [null, { identifier: '' }, { identifier: ' ' }])
		expect(chat(withFields({ _id: 'M1', sender, contents: [] }))).toMatchObject({
			chatInput: '(an empty message)',
			sessionId: `${CHANNEL}:M1`,
		});
});
