import type { IDataObject, JsonValue } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '../../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node.ts';
import { receivedMessages } from '../../../../nodes/BusinessMessaging/delivery/event/message.ts';
import { type OutputSchema, outputSchemas } from '../../../../scripts/outputSchemas.mts';
import { messageBody } from '../../../core/harness/deliveries.mts';
import { items } from './items.mts';

/** The published message, with other contents. */
function withContents(contents: unknown[], attachments: unknown[] = []) {
	const body = messageBody();
	return { ...body, message: { ...body.message, contents, attachments } };
}

const states = [
	{ moment: 2, state: { name: 'DELIVERED' } },
	{ moment: 3, state: { name: 'READ' } },
	{ moment: 1, state: { name: 'SENT' } },
];

describe('a message', () => {
	it('is simplified to the fields that workflows need', () => {
		expect(items(messageBody())).toEqual([
			{
				event: 'MESSAGE_RECEIVED',
				channelId: '019E4C54B1B375A28970B605CA9B03C3',
				messageId: '019E6F1A93FE78DCB54332F9FF0CCAE7',
				timestamp: '2026-05-28T15:01:13.342Z',
				fromMe: false,
				forwarded: false,
				sender: { identifier: '5511999990000', name: 'Ana', key: '5511999990000' },
				recipient: { identifier: '551130000000', name: 'Shop', key: '551130000000' },
				type: 'TEXT',
				text: 'Hello!',
				status: 'PENDING',
				attachments: [],
			},
		]);
	});

	it('begins with its text and its sender, so that a table shows them without scrolling', () => {
		for (const body of [messageBody(), messageBody({ fromMe: true })])
			expect(Object.keys(items(body)[0] ?? {}).slice(0, 2)).toEqual(['text', 'sender']);
	});

	it('has its newest status by time, whatever the order', () => {
		expect(
			items(withContents([{ type: 'TEXT', message: 'a', state_items: states }])),
		).toMatchObject([{ status: 'READ' }]);
	});

	it('of the business has its status', () => {
		expect(items(messageBody({ fromMe: true, state: 'SENT' }))).toMatchObject([
			{ event: 'MESSAGE_STATUS', fromMe: true, status: 'SENT' },
		]);
	});

	it('is not new if its type says that it is about an earlier one', () => {
		expect(items(messageBody({ type: 'MESSAGE_STATUS' }))).toMatchObject([
			{ event: 'MESSAGE_STATUS', fromMe: false },
		]);
	});

	it('is recognised without a type', () => {
		const { message } = messageBody();
		expect(items({ message })).toMatchObject([{ event: 'MESSAGE_RECEIVED' }]);
	});

	it('is passed on whole if nothing says who wrote it', () => {
		const body = messageBody();
		for (const metadata of [{}, null, undefined]) {
			const unknown = { ...body, message: { ...body.message, metadata } };
			expect(items(unknown)).toEqual([{ event: null, payload: unknown }]);
		}
	});

	it('has all fields, also if the service leaves out optional ones', () => {
		expect(items({ message: { _id: '1', metadata: { from_me: false } } })).toEqual([
			{
				event: 'MESSAGE_RECEIVED',
				channelId: null,
				messageId: '1',
				timestamp: null,
				fromMe: false,
				sender: { identifier: null, name: null, key: null },
				recipient: { identifier: null, name: null, key: null },
				type: null,
				text: null,
				status: null,
				attachments: [],
			},
		]);
	});
});

describe('every content kind', () => {
	it.each([
		[
			'IMAGE',
			{ url: 'https://f/i.jpg', caption: 'Look', thumbnail_url: 'https://f/t.jpg' },
			{ url: 'https://f/i.jpg', caption: 'Look', thumbnailUrl: 'https://f/t.jpg' },
			'Look',
		],
		['VIDEO', { url: 'https://f/v.mp4', caption: null }, { url: 'https://f/v.mp4' }, null],
		['AUDIO', { url: 'https://f/a.ogg' }, { url: 'https://f/a.ogg' }, null],
		['STICKER', { url: 'https://f/s.webp' }, { url: 'https://f/s.webp' }, null],
	])('%s', (type, sent, attachment, text) => {
		const [item] = items(withContents([], [{ '@class': 'x', type, state_items: states, ...sent }]));
		expect(item).toMatchObject({ type, text, status: 'READ' });
		expect(item?.attachments).toEqual([{ type, ...attachment }]);
	});

	it.each([
		['INTERACTIVE_BUTTON', { message: 'Yes', button_id: 'yes' }, 'Yes'],
		['INTERACTIVE_ACTION', { message: { title: 'Menu' } }, null],
		['CONTACT_ARRAY', { message: null, contacts: [{ name: 'Bo', phones: [] }] }, null],
		['SOMETHING_NEW', { message: 'text', field: 1 }, 'text'],
	])('%s is passed on unchanged, without internals', (type, sent, text) => {
		const [item] = items(
			withContents([{ '@class': 'x', identifier: 'i', type, state_items: states, ...sent }]),
		);
		expect(item).toMatchObject({ type, text, status: 'READ', contents: [{ type, ...sent }] });
		expect(Object.keys((item?.contents as IDataObject[])[0] ?? {})).not.toContain('state_items');
	});

	it('an image with a text beside it has both', () => {
		expect(
			items(withContents([{ type: 'TEXT', message: 'Look' }], [{ type: 'IMAGE', url: 'u' }])),
		).toMatchObject([{ type: 'IMAGE', text: 'Look', attachments: [{ url: 'u' }] }]);
	});
});

describe('parts beyond the limits are passed on unread', () => {
	const attachment = (index: number) => ({
		type: 'IMAGE',
		url: `https://f/${index}`,
		thumbnail_url: null,
		state_items: states,
	});

	it('attachments and contents after the first 100 are passed on unchanged', () => {
		const attachments = Array.from({ length: 5000 }, (_, index) => attachment(index));
		const contents = [
			...Array.from({ length: 100 }, (_, index) => ({ type: 'TEXT', message: `text ${index}` })),
			{ type: 'TEXT', message: 'further', state_items: 'odd' },
			7,
		];
		const [item] = items(withContents(contents, attachments));
		expect(item?.event).toBe('MESSAGE_RECEIVED');
		expect(item?.attachments).toEqual([
			...attachments.slice(0, 100).map(({ type, url }) => ({ type, url })),
			...attachments.slice(100),
		]);
		expect(item?.text).toBe(Array.from({ length: 100 }, (_, index) => `text ${index}`).join('\n'));
		expect(item?.contents).toEqual([contents[100], { event: null, payload: 7 }]);
	});

	it('the filter for types sees all of them', () => {
		const attachments = [
			...Array.from({ length: 100 }, (_, index) => attachment(index)),
			{ type: 'VIDEO' },
		];
		expect(items(withContents([], attachments), { contentKinds: ['VIDEO'] })).toHaveLength(1);
		expect(items(withContents([], attachments), { contentKinds: ['AUDIO'] })).toHaveLength(0);
	});

	it('the status is the newest of the last 100 states', () => {
		const statusOf = (newest: number) => {
			const many = Array.from({ length: 5000 }, (_, index) => ({
				moment: index === newest ? 9999 : index,
				state: { name: `S${index}` },
			}));
			return items(withContents([{ type: 'TEXT', message: 'a', state_items: many }]))[0]?.status;
		};
		expect([0, 200, 4899, 4900, 4998].map(statusOf)).toEqual([
			'S4999',
			'S4999',
			'S4999',
			'S4900',
			'S4998',
		]);
	});

	it('an array of more than 1,000 elements is one item, whole', () => {
		const body = Array.from({ length: 1001 }, () => messageBody());
		expect(items(body.slice(1))).toHaveLength(1000);
		expect(items(body)).toEqual([{ event: null, payload: body }]);
		expect(items(body, { output: 'raw' })).toEqual([{ event: null, payload: body }]);
		expect(receivedMessages(body as unknown as JsonValue)).toEqual([]);
		expect(receivedMessages(body.slice(1) as unknown as JsonValue)).toHaveLength(1000);
	});
});

describe('templates', () => {
	const template = {
		message_template_id: 1587155656151346,
		message_template_name: 'order',
		message_template_language: 'pt_BR',
	};
	const status = {
		field: 'message_template_status_update',
		identifier: 'x',
		type: 'TEMPLATE_STATUS',
		value: { event: 'APPROVED', ...template, reason: 'NONE', message_template_category: 'UTILITY' },
		waba_id: '8',
	};
	const category = {
		field: 'template_category_update',
		type: 'TEMPLATE_CATEGORY_UPDATE',
		value: {
			category_update_timestamp: 1779980473,
			correct_category: 'UTILITY',
			new_category: 'MARKETING',
			previous_category: 'UTILITY',
			...template,
		},
		waba_id: '8',
	};

	it('a status', () => {
		expect(items([status])).toEqual([
			{
				event: 'UPDATE_TEMPLATE_STATUS',
				templateId: '1587155656151346',
				templateName: 'order',
				language: 'pt_BR',
				status: 'APPROVED',
				reason: 'NONE',
				category: 'UTILITY',
				wabaId: '8',
			},
		]);
	});

	it('a category', () => {
		expect(items([category])).toEqual([
			{
				event: 'UPDATE_TEMPLATE_CATEGORY',
				templateId: '1587155656151346',
				templateName: 'order',
				language: 'pt_BR',
				previousCategory: 'UTILITY',
				newCategory: 'MARKETING',
				correctCategory: 'UTILITY',
				timestamp: '2026-05-28T15:01:13.000Z',
				wabaId: '8',
			},
		]);
	});

	it('several in one delivery give an item each, in order', () => {
		expect(items([status, 'odd', category]).map(({ event }) => event)).toEqual([
			'UPDATE_TEMPLATE_STATUS',
			null,
			'UPDATE_TEMPLATE_CATEGORY',
		]);
	});
});

describe('an unknown body is passed on whole', () => {
	it.each([
		[{ connected: true }],
		['text'],
		[''],
		[0],
		[null],
		[false],
		[[]],
		[{}],
		[{ message: { text: 'x' } }],
		[{ message: null }],
		[{ message: { _id: '1', metadata: { from_me: false }, contents: [null] } }],
	])('%j', (body) => {
		expect(items(body)).toEqual([{ event: null, payload: body }]);
	});

	it('a template event of another field', () => {
		const body = { field: 'message_template_quality_update', value: { event: 'X' } };
		expect(items([body])).toEqual([{ event: null, payload: body }]);
	});
});

describe('raw output', () => {
	it('passes objects on unchanged, and wraps anything else', () => {
		expect(items([messageBody(), 'text'], { output: 'raw' })).toEqual([
			messageBody(),
			{ event: null, payload: 'text' },
		]);
		expect(items([], { output: 'raw' })).toEqual([{ event: null, payload: [] }]);
	});

	it('is filtered, too', () => {
		expect(items(messageBody({ fromMe: true }), { output: 'raw', skipOwnMessages: true })).toEqual(
			[],
		);
	});
});

describe('filters', () => {
	it.each([
		[{ senders: ['5511999990000'] }, 1],
		[{ senders: ['+55 (11) 99999-0000'] }, 1],
		[{ senders: ['5511999990001'] }, 0],
		[{ senders: ['1', '5511999990000'] }, 1],
		[{ contentKinds: ['TEXT'] }, 1],
		[{ contentKinds: ['IMAGE'] }, 0],
		[{ statuses: ['pending'] }, 1],
		[{ statuses: ['READ'] }, 0],
		[{ senders: ['5511999990000'], contentKinds: ['IMAGE'] }, 0],
	])('%j lets %i through', (changes, count) => {
		expect(items(messageBody(), changes)).toHaveLength(count);
	});

	it('let everything through that is no message', () => {
		expect(
			items(
				{ odd: 1 },
				{ senders: ['1'], contentKinds: ['TEXT'], statuses: ['READ'], skipOwnMessages: true },
			),
		).toHaveLength(1);
	});
});

describe('chat fields', () => {
	it('are the text and the session', () => {
		expect(items(messageBody(), { chatFields: true })).toMatchObject([
			{ chatInput: 'Hello!', sessionId: '019E4C54B1B375A28970B605CA9B03C3:5511999990000' },
		]);
	});

	it('have the same session for both sides', () => {
		const [mine] = items(messageBody({ fromMe: true }), { chatFields: true });
		expect(mine?.sessionId).toBe('019E4C54B1B375A28970B605CA9B03C3:5511999990000');
	});
});

/** The shape of a value, as n8n's schema files write it. */
function schemaOf(value: unknown): OutputSchema {
	if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0]) };
	if (typeof value !== 'object' || value === null) return { type: typeof value };
	return {
		type: 'object',
		properties: Object.fromEntries(
			Object.entries(value).map(([name, inner]) => [name, schemaOf(inner)]),
		),
	};
}

const trigger = new BusinessMessagingTrigger().description;

it('has the shape that the editor shows before the first event, as do template events', () => {
	const [item] = items(
		withContents(
			[
				{
					type: 'TEXT',
					message: 'a',
					state_items: states,
					button: { id: '1', title: 'a' },
				},
			],
			[{ type: 'IMAGE', url: 'u', caption: 'c', thumbnail_url: 't' }],
		),
	);
	// What differs from kind to kind has no fixed shape.
	const { contents: _contents, ...ofCustomer } = item ?? {};
	const { fromApi } = items(messageBody({ fromMe: true }))[0] ?? {};
	const ofTemplates = items([
		templateBody('message_template_status_update', {
			event: 'REJECTED',
			reason: 'a',
			message_template_category: 'MARKETING',
		}),
		templateBody('template_category_update', {
			category_update_timestamp: 1,
			correct_category: 'MARKETING',
			previous_category: 'UTILITY',
			new_category: 'MARKETING',
		}),
	]);
	expect(outputSchemas().get(`__schema__/v${Number(trigger.version)}.0.0.json`)).toEqual({
		...schemaOf(Object.assign({}, ...ofTemplates, ofCustomer, { fromApi, statusDetails: {} })),
		version: 1,
	});
});

const templateBody = (field: string, value: object) => ({
	identifier: 'a',
	type: 'a',
	waba_id: '1',
	field,
	value: {
		message_template_id: 1,
		message_template_name: 'a',
		message_template_language: 'en',
		...value,
	},
});
