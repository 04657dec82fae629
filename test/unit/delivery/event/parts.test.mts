import type { IDataObject } from 'n8n-workflow';

import {
	receivedMessages,
	toEvents,
} from '../../../../nodes/BusinessMessaging/delivery/event/message.ts';
import { messageBody } from '../../../core/harness/deliveries.mts';

const simplified = (message: object, fromMe = false): IDataObject => {
	const body = messageBody({ fromMe });
	return (
		toEvents(
			{ ...body, message: { ...body.message, ...message } },
			{
				output: 'simplified',
				chatFields: false,
				skipOwnMessages: false,
				senders: [],
				contentKinds: [],
				statuses: [],
			},
		)[0]?.item ?? {}
	);
};
const withMetadata = (metadata: object, fromMe: boolean) =>
	simplified({ metadata: { from_me: fromMe, ...metadata } }, fromMe);

describe('how a message was sent', () => {
	it("is output for the business's own messages: through the API, or by a person", () => {
		expect(withMetadata({ from_api: true }, true)).toMatchObject({ fromApi: true });
		expect(withMetadata({ from_api: false }, true)).toMatchObject({ fromApi: false });
		expect(withMetadata({ from_api: false }, false)).not.toHaveProperty('fromApi');
	});

	it('leaves out whether it was forwarded if the body lacks it or has another type', () => {
		expect(withMetadata({ forwarded: true }, false)).toMatchObject({ forwarded: true });
		for (const odd of [
			{},
			{ from_api: null, forwarded: null },
			{ from_api: 'yes', forwarded: 1 },
		]) {
			const item = withMetadata(odd, true);
			expect(item.event).toBe('MESSAGE_STATUS');
			expect(item).not.toHaveProperty('fromApi');
			expect(item).not.toHaveProperty('forwarded');
		}
	});
});

describe('a tapped button', () => {
	const tap = { '@class': 'x', identifier: 'i', id: 'yes-1', title: 'Yes', type: 'BUTTON' };

	it.each(['button', 'button_reply', 'whatever'])('is the reply, in the field %s', (name) => {
		const item = simplified({ contents: [{ type: 'TEXT', message: 'Yes', [name]: tap }] });
		expect(item).toMatchObject({ type: 'TEXT', text: 'Yes' });
		expect(item.reply).toEqual({ id: 'yes-1', title: 'Yes' });
	});

	it('can be the content itself, which wins over an object in it', () => {
		const content = { type: 'INTERACTIVE', message: 'Yes', id: 'yes-1', title: 'Yes' };
		expect(simplified({ contents: [content] })).toMatchObject({
			text: 'Yes',
			reply: { id: 'yes-1', title: 'Yes' },
		});
		const quoted = { id: 'Q', title: 'Catalogue' };
		expect(simplified({ contents: [{ quoted, ...content }] }).reply).toMatchObject({ id: 'yes-1' });
		expect(simplified({ contents: [{ id: 'yes-1', title: 'Yes' }] }).text).toBe('Yes');
	});

	it('is also the text, if there is no other', () => {
		expect(simplified({ contents: [{ type: 'BUTTON', button: tap }] }).text).toBe('Yes');
		expect(simplified({ contents: [{ type: 'BUTTON', message: 'Sure', button: tap }] }).text).toBe(
			'Sure',
		);
	});

	it('reaches a question that waits in the chat', () => {
		const body = messageBody();
		const contents = [{ type: 'TEXT', message: 'Yes', button: tap }];
		const [received] = receivedMessages({
			...body,
			message: { ...body.message, contents },
		});
		expect(received?.message.reply).toEqual({ id: 'yes-1', title: 'Yes' });
	});

	it.each<[string, object]>([
		['what was offered', { buttons: [tap] }],
		['an object without an id', { header: { title: 'Yes' } }],
		['an id that is no text', { button: { id: 1, title: 'Yes' } }],
		['a title that is no text', { button: { id: '1', title: { text: 'Yes' } } }],
		['an id without a title, on the content', { id: 'yes-1' }],
		['a title without an id, on the content', { title: 'Yes' }],
		['null', { button: null }],
		['a text', { button: 'yes' }],
	])('is not %s', (_name, fields) => {
		expect(
			simplified({ contents: [{ type: 'TEXT', message: 'a', ...fields }] }),
		).not.toHaveProperty('reply');
	});

	it("is only the customer's", () => {
		const contents = [{ type: 'TEXT', message: 'Yes', button: tap }];
		expect(simplified({ contents }, true)).not.toHaveProperty('reply');
	});
});

describe('keeps fields that a user could need', () => {
	it('of an attachment: its name, its kind, and unknown fields', () => {
		const attachments = [
			{
				'@class': 'x',
				identifier: 'a1',
				internal_information: { a: 1 },
				type: 'DOCUMENT',
				url: 'https://f/d.pdf',
				fileName: 'order.pdf',
				mimeType: 'application/pdf',
				size: 0,
				pages: [{ '@class': 'x', number: 1, state_items: [] }],
				state_items: [],
			},
		];
		expect(simplified({ attachments }).attachments).toEqual([
			{
				type: 'DOCUMENT',
				url: 'https://f/d.pdf',
				fileName: 'order.pdf',
				mimeType: 'application/pdf',
				size: 0,
				pages: [{ number: 1 }],
			},
		]);
	});

	it('of a text: what it quotes, and who wrote that', () => {
		const quoted = {
			'@class': 'x',
			_id: 'Q',
			identifier: '019E6F1A000090028D74A097E650D753',
			message: 'When?',
			sender: { '@class': 'x', identifier: '5511999990000', type: 'CUSTOMER' },
			contents: [{ type: 'TEXT', identifier: '019E6F1A000090028D74A097E650D753', state_items: [] }],
		};
		const [content] = simplified({
			contents: [{ identifier: 'c', type: 'TEXT', message: 'Now', quoted, state_items: [] }],
		}).contents as IDataObject[];
		expect(content).toEqual({
			type: 'TEXT',
			message: 'Now',
			quoted: {
				_id: 'Q',
				identifier: '019E6F1A000090028D74A097E650D753',
				message: 'When?',
				sender: { identifier: '5511999990000', type: 'CUSTOMER' },
				contents: [{ type: 'TEXT' }],
			},
		});
	});

	it('of the people in a list: their numbers, which are no IDs of parts', () => {
		const people = [
			{ '@class': 'x', identifier: '5511999990000', name: 'Ana' },
			{ identifier: '551130000000', type: 'BUSINESS' },
			{ identifier: ['019E6F1A000090028D74A097E650D753'], type: 'CUSTOMER' },
			{ identifier: '019E6F1A000090028D74A097E650D753', type: 'CONTACT' },
		];
		const [content] = simplified({ contents: [{ type: 'X', people }] }).contents as IDataObject[];
		expect(content?.people).toEqual([
			{ identifier: '5511999990000', name: 'Ana' },
			{ identifier: '551130000000', type: 'BUSINESS' },
			{ identifier: ['019E6F1A000090028D74A097E650D753'], type: 'CUSTOMER' },
			{ type: 'CONTACT' },
		]);
	});

	it('of an unknown type, even if it has only a text', () => {
		const content = { type: 'SOMETHING_NEW', message: 'a' };
		expect(simplified({ contents: [content] })).toMatchObject({ text: 'a', contents: [content] });
	});

	it('of a location', () => {
		const location = { type: 'LOCATION', latitude: -23.5, longitude: -46.6, name: 'Shop' };
		expect(simplified({ contents: [location] }).contents).toEqual([location]);
	});

	it('but shows a plain text once, even with empty fields', () => {
		for (const more of [
			{},
			{ internal_information: { a: 1 } },
			{ quoted: null },
			{ message: null },
		])
			expect(
				simplified({ contents: [{ type: 'TEXT', message: 'a', ...more }] }),
			).not.toHaveProperty('contents');
		expect(simplified({ contents: [{ type: 'TEXT', message: { a: 1 } }] }).contents).toEqual([
			{ type: 'TEXT', message: { a: 1 } },
		]);
	});
});

describe('a hostile body', () => {
	const nested = (levels: number): IDataObject => {
		let inner: IDataObject = { '@class': 'deep' };
		for (let level = 1; level < levels; level += 1) inner = { inner };
		return inner;
	};

	it('that is deeper than real ones is passed on, and cleaned to a limited depth', () => {
		const shown = JSON.stringify(simplified({ contents: [{ type: 'X', inner: nested(10) }] }));
		expect(shown).not.toContain('@class');
		const deep = simplified({ contents: [{ type: 'X', inner: nested(5000) }] });
		let inner = (deep.contents as IDataObject[])[0];
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
			return JSON.stringify(simplified({ contents: [{ type: 'X', inner }] }));
		};
		expect(shownOf(20)).not.toContain('@class');
		expect(shownOf(21)).toContain('@class');
		expect(shownOf(40)).toContain('@class');
	});

	it('that is wider than real ones is passed on, and only its beginning cleaned', () => {
		const list = Array.from({ length: 20_000 }, (_, index) => ({ '@class': 'x', index }));
		const [content] = simplified({ contents: [{ type: 'X', list }] }).contents as IDataObject[];
		const shown = content?.list as IDataObject[];
		expect(shown).toHaveLength(20_000);
		expect(shown[0]).toEqual({ index: 0 });
		expect(shown[19_999]).toEqual({ '@class': 'x', index: 19_999 });
	});

	it('with a field __proto__ changes nothing', () => {
		const part = JSON.parse(
			'{"type": "X", "__proto__": {"a": 1}, "inner": {"__proto__": {"b": 2}, "c": 3, "constructor": {"prototype": {"d": 4}}}}',
		) as object;
		const item = simplified({ contents: [part], attachments: [part] });
		const inner = { c: 3, constructor: { prototype: { d: 4 } } };
		expect(item.contents).toEqual([{ type: 'X', inner }]);
		expect(item.attachments).toEqual([{ type: 'X', url: null, inner }]);
		expect(JSON.stringify(item)).not.toContain('__proto__');
		expect(({} as { b?: number }).b).toBeUndefined();
	});
});
