/** What the node does not know of a message passes on, and what stands beside a state's name. */
import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { messageBody } from '../../../core/harness/deliveries.mts';
import { itemOf, items } from './items.mts';

/** The item of a message with these fields in it and in its metadata. */
const shown = (fields: IDataObject, metadata: IDataObject = {}, fromMe = false): IDataObject =>
	itemOf(
		{ metadata: { ...messageBody({ fromMe }).message.metadata, ...metadata }, ...fields },
		fromMe,
	);
const plain = shown({});

it('fields of a message and of its metadata pass on under their own names', () => {
	const quoted_message = { _id: '019E6F1A93FE78DCB54332F9FF0CCAE7', contents: [{ message: 'B' }] };
	const referral = { source_url: 'https://shop.example/ad', headline: 'Shoes' };
	const fields = { quoted_message, context: { id: 'A1' }, priority: 0 };
	const metadata = { referral, language: 'pt' };
	expect(shown(fields, metadata)).toEqual({ ...plain, ...fields, ...metadata });
	expect(shown({ context: { id: 'A1' } }, {}, true)).toMatchObject({ context: { id: 'A1' } });
});

it("the service's internal fields do not, and nothing that is empty", () => {
	const internal = {
		'@class': '.Message',
		...{ tenant: 'T', tenant_owner: 'owner@example.com', created_by: 'SYSTEM' },
		...{ webhook_processed: false, actions: [], internal_information: {}, state_items: [] },
		...{ identifier: 'I', context: null },
	};
	const metadata = { '@class': '.Metadata', middleware: 'OFFICIAL_CHATAPP', referral: null };
	expect(shown(internal, metadata)).toEqual(plain);
	const part = { '@class': '.TextContent', identifier: '0'.repeat(32), state_items: [] };
	const quoted = { ...internal, _id: 'A1', contents: [{ ...part, type: 'TEXT', message: 'a' }] };
	expect(shown({ quoted_message: quoted }).quoted_message).toEqual({
		...{ _id: 'A1', contents: [{ type: 'TEXT', message: 'a' }] },
		...{ created_by: 'SYSTEM', actions: [], identifier: 'I', context: null },
	});
});

it("a message's field counts before its metadata's, unless it is empty", () => {
	expect(shown({ context: 'own' }, { context: 'of metadata' }).context).toBe('own');
	expect(shown({ context: null }, { context: 'of metadata' }).context).toBe('of metadata');
});

const OWN_NAMES = [
	...['text', 'sender', 'event', 'channelId', 'messageId', 'timestamp', 'fromMe', 'fromApi'],
	...['forwarded', 'recipient', 'type', 'status', 'statusDetails', 'attachments', 'reply'],
	...['contents', 'chatInput', 'sessionId', 'messages', 'headers', 'data', 'payload'],
];

it('no field takes the place of one of the item, nor changes what objects are', () => {
	const names = fc.oneof(
		fc.constantFrom(...OWN_NAMES, '__proto__', 'constructor', 'toString', 'metadata'),
		fc.string({ maxLength: 8 }),
	);
	const fields = fc.array(fc.tuple(names, fc.jsonValue({ maxDepth: 2 })), { maxLength: 6 });
	fc.assert(
		fc.property(fields, fields, (ofMessage, ofMetadata) => {
			const { message, ...body } = messageBody();
			const metadata = Object.fromEntries([...ofMetadata, ...Object.entries(message.metadata)]);
			const changed = Object.fromEntries([
				...ofMessage,
				...Object.entries({ ...message, metadata }),
			]);
			const [item = {}] = items(JSON.parse(JSON.stringify({ ...body, message: changed })));
			expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
			const known = Object.fromEntries(
				Object.entries(item).filter(([name]) => OWN_NAMES.includes(name)),
			);
			expect(known).toEqual(plain);
		}),
	);
});

describe('what stands beside the name of the newest state', () => {
	const of = (...state_items: IDataObject[]) =>
		itemOf({ contents: [{ type: 'TEXT', message: 'a', state_items }] }, true);
	const failed = { name: 'FAILED', code: 131_026, message: 'Undeliverable' };
	const internal = { '@class': '.StateItem', identifier: 'i', integration_message_ids: ['x'] };

	it.each<[string, IDataObject[], string, IDataObject | undefined]>([
		[
			'is told',
			[{ ...internal, moment: 2, state: { '@class': '.Failed', ...failed } }],
			'FAILED',
			{ code: 131_026, message: 'Undeliverable' },
		],
		[
			'is told from beside the state, too',
			[{ moment: 2, state: { name: 'FAILED' }, errors: [{ code: 1, '@class': 'x' }] }],
			'FAILED',
			{ errors: [{ code: 1 }] },
		],
		[
			'is not told of an earlier state',
			[
				{ moment: 1, state: failed },
				{ ...internal, moment: 2, state: { name: 'SENT' } },
			],
			'SENT',
			undefined,
		],
		[
			'is not told if there is nothing',
			[{ ...internal, moment: 2, state: { name: 'FAILED', code: null, errors: [] } }],
			'FAILED',
			undefined,
		],
	])('%s', (_what, states, status, details) => {
		const item = of(...states);
		expect(item.status).toBe(status);
		expect(item.statusDetails).toEqual(details);
		expect('statusDetails' in item).toBe(details !== undefined);
	});
});
