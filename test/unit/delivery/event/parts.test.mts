import type { IDataObject } from 'n8n-workflow';

import { receivedMessages } from '#nodes/delivery/event/message.ts';
import { itemOf, withFields } from './items.mts';

const withMetadata = (metadata: object, fromMe: boolean) =>
	itemOf({ metadata: { from_me: fromMe, ...metadata } }, fromMe);
/** What a part becomes. */
const contentOf = (part: object) => itemOf({ contents: [part] }).contents as IDataObject[];

it.each<[metadata: object, fromMe: boolean, shown: object]>([
	[{ from_api: true }, true, { fromApi: true }],
	[{ from_api: false }, true, { fromApi: false }],
	[{ from_api: false }, false, {}],
	[{ forwarded: true }, false, { forwarded: true }],
	[{}, true, {}],
	[{ from_api: null, forwarded: null }, true, {}],
	[{ from_api: 'yes', forwarded: 1 }, true, {}],
])('how a message with %j was sent, by the business: %s, is output as %j', (metadata, ...more) => {
	const [fromMe, shown] = more;
	const item = withMetadata(metadata, fromMe);
	expect(item.event).toBe(fromMe ? 'MESSAGE_STATUS' : 'MESSAGE_RECEIVED');
	for (const name of ['fromApi', 'forwarded'])
		expect(item[name]).toBe((shown as IDataObject)[name]);
});

describe('a tapped button', () => {
	const tap = { '@class': 'x', identifier: 'i', id: 'yes-1', title: 'Yes', type: 'BUTTON' };

	it.each(['button', 'button_reply', 'whatever'])('is the reply, in the field %s', (name) => {
		const item = itemOf({ contents: [{ type: 'TEXT', message: 'Yes', [name]: tap }] });
		expect(item).toMatchObject({ type: 'TEXT', text: 'Yes' });
		expect(item.reply).toEqual({ id: 'yes-1', title: 'Yes' });
	});

	it('can be the content itself, which wins over an object in it', () => {
		const content = { type: 'INTERACTIVE', message: 'Yes', id: 'yes-1', title: 'Yes' };
		const quoted = { id: 'Q', title: 'Catalogue' };
		for (const part of [content, { quoted, ...content }])
			expect(itemOf({ contents: [part] })).toMatchObject({
				text: 'Yes',
				reply: { id: 'yes-1', title: 'Yes' },
			});
	});

	it.each<[object, string]>([
		[{ id: 'yes-1', title: 'Yes' }, 'Yes'],
		[{ type: 'BUTTON', button: tap }, 'Yes'],
		[{ type: 'BUTTON', message: 'Sure', button: tap }, 'Sure'],
	])('is also the text, if there is no other: %j', (part, text) => {
		expect(itemOf({ contents: [part] }).text).toBe(text);
	});

	it('reaches a question that waits in the chat', () => {
		const [received] = receivedMessages(withFields({ contents: [{ type: 'TEXT', button: tap }] }));
		expect(received?.message.reply).toEqual({ id: 'yes-1', title: 'Yes' });
	});

	it.each<[string, object]>([
		['what was offered', { buttons: [tap] }],
		['an object without an id', { header: { title: 'Yes' } }],
		['an id that is no text', { button: { id: 1, title: 'Yes' } }],
		['a title that is no text', { button: { id: '1', title: { text: 'Yes' } } }],
		['an id without a title, on the content', { id: 'yes-1' }],
		['a title without an id, on the content', { title: 'Yes' }],
		...['quoted', 'context', 'reply_to'].map((name): [string, object] => [
			`what it quotes, as ${name}`,
			{ [name]: { id: 'Q', title: 'Catalogue' } },
		]),
		['null', { button: null }],
		['a text', { button: 'yes' }],
	])('is not %s', (_name, fields) => {
		expect(itemOf({ contents: [{ type: 'TEXT', message: 'a', ...fields }] })).not.toHaveProperty(
			'reply',
		);
	});

	it("is only the customer's", () => {
		const contents = [{ type: 'TEXT', message: 'Yes', button: tap }];
		expect(itemOf({ contents }, true)).not.toHaveProperty('reply');
	});
});

describe('keeps fields that a user could need', () => {
	const ID = '019E6F1A000090028D74A097E650D753';
	const internal = { '@class': 'x', internal_information: { a: 1 }, state_items: [] };

	it('of an attachment: its name, its kind, and unknown fields', () => {
		const shown = {
			type: 'DOCUMENT',
			url: 'https://f/d.pdf',
			fileName: 'order.pdf',
			mimeType: 'application/pdf',
			size: 0,
		};
		const pages = [{ '@class': 'x', number: 1, state_items: [] }];
		const attachments = [{ ...internal, identifier: 'a1', ...shown, pages }];
		expect(itemOf({ attachments }).attachments).toEqual([{ ...shown, pages: [{ number: 1 }] }]);
	});

	it('of a text: what it quotes, and who wrote that', () => {
		const part = { type: 'TEXT', message: 'Now' };
		const sender = { identifier: '5511999990000', type: 'CUSTOMER' };
		const quoted = { _id: 'Q', identifier: ID, message: 'When?' };
		const sent = {
			...{ ...quoted, '@class': 'x', sender: { '@class': 'x', ...sender } },
			contents: [{ type: 'TEXT', identifier: ID, state_items: [] }],
		};
		expect(contentOf({ identifier: 'c', ...part, quoted: sent, state_items: [] })).toEqual([
			{ ...part, quoted: { ...quoted, sender, contents: [{ type: 'TEXT' }] } },
		]);
	});

	it('of the people in a list: their numbers, which are no IDs of parts', () => {
		const people = [
			{ identifier: '5511999990000', name: 'Ana' },
			{ identifier: '551130000000', type: 'BUSINESS' },
			{ identifier: [ID], type: 'CUSTOMER' },
		];
		const withId = { identifier: ID, type: 'CONTACT' };
		expect(contentOf({ type: 'X', people: [{ '@class': 'x', ...people[0] }, withId] })).toEqual([
			{ type: 'X', people: [people[0], { type: 'CONTACT' }] },
		]);
		expect(contentOf({ type: 'X', people })).toEqual([{ type: 'X', people }]);
	});

	it.each([{}, { internal_information: { a: 1 } }, { quoted: null }, { message: null }])(
		'but shows a plain text once, even with empty fields: %j',
		(more) => {
			expect(contentOf({ type: 'TEXT', message: 'a', ...more })).toBeUndefined();
		},
	);
});

describe('a hostile body', () => {
	it('that is deeper than real ones is passed on', () => {
		let part: IDataObject = { '@class': 'deep' };
		for (let level = 1; level < 5000; level += 1) part = { inner: part };
		let [inner] = contentOf({ type: 'X', inner: part });
		for (let level = 0; level < 5000; level += 1) inner = inner?.inner as IDataObject;
		expect(inner).toEqual({ '@class': 'deep' });
	});

	it.each([
		['objects', (inner: unknown) => ({ inner })],
		['lists', (inner: unknown) => [inner]],
	])('is searched for 20 levels, and not for one more: %s', (_of, wrap) => {
		// The part is the first level, and the searched field the last.
		const shownOf = (levels: number) => {
			let inner: unknown = { '@class': 'deep', a: 1 };
			for (let level = 2; level < levels; level += 1) inner = wrap(inner);
			return JSON.stringify(itemOf({ contents: [{ type: 'X', inner }] }));
		};
		expect(shownOf(20)).not.toContain('@class');
		expect(shownOf(21)).toContain('@class');
		expect(shownOf(40)).toContain('@class');
	});

	it('that is wider than real ones is passed on, and only its beginning cleaned', () => {
		const list = Array.from({ length: 20_000 }, (_, index) => ({ '@class': 'x', index }));
		const [content] = contentOf({ type: 'X', list });
		const shown = content?.list as IDataObject[];
		expect(shown).toHaveLength(20_000);
		expect([shown[0], shown[19_999]]).toEqual([{ index: 0 }, list[19_999]]);
	});

	it('with a field __proto__ changes nothing', () => {
		const part = JSON.parse(
			'{"type": "X", "__proto__": {"a": 1}, "inner": {"__proto__": {"b": 2}, "c": 3, "constructor": {"prototype": {"d": 4}}}}',
		) as object;
		const item = itemOf({ contents: [part], attachments: [part] });
		const inner = { c: 3, constructor: { prototype: { d: 4 } } };
		expect(item.contents).toEqual([{ type: 'X', inner }]);
		expect(item.attachments).toEqual([{ type: 'X', url: null, inner }]);
		expect(JSON.stringify(item)).not.toContain('__proto__');
		expect(({} as { b?: number }).b).toBeUndefined();
	});
});
