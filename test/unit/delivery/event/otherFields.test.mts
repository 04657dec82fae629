/** What the node does not know of a message passes on, and what stands beside a state's name. */
import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { messageBody } from '../../../core/harness/deliveries.mts';
import { items } from './items.mts';

/** The published message, with these fields in it and in its metadata. */
function withFields(fields: IDataObject, metadata: IDataObject = {}, fromMe = false): IDataObject {
	const { message, ...body } = messageBody({ fromMe });
	const changed = { ...message, metadata: { ...message.metadata, ...metadata }, ...fields };
	return items({ ...body, message: changed })[0] ?? {};
}

const plain = withFields({});

it('fields of a message and of its metadata pass on under their own names', () => {
	const quoted_message = {
		_id: '019E6F1A93FE78DCB54332F9FF0CCAE7',
		contents: [{ message: 'Blue?' }],
	};
	const referral = { source_url: 'https://shop.example/ad', headline: 'Shoes' };
	expect(
		withFields(
			{ quoted_message, context: { id: 'A1' }, priority: 0 },
			{ referral, language: 'pt' },
		),
	).toEqual({
		...plain,
		quoted_message,
		context: { id: 'A1' },
		priority: 0,
		referral,
		language: 'pt',
	});
	expect(withFields({ context: { id: 'A1' } }, {}, true)).toMatchObject({ context: { id: 'A1' } });
});

it("the service's internal fields do not, and nothing that is empty", () => {
	const internal = {
		'@class': '.Message',
		...{ tenant: 'T', tenant_owner: 'owner@example.com', created_by: 'SYSTEM' },
		...{ webhook_processed: false, actions: [], internal_information: {}, state_items: [] },
		...{ identifier: 'I', context: null },
	};
	const metadata = { '@class': '.Metadata', middleware: 'OFFICIAL_CHATAPP', referral: null };
	expect(withFields(internal, metadata)).toEqual(plain);
	const part = { '@class': '.TextContent', identifier: '0'.repeat(32), state_items: [] };
	const quoted = { ...internal, _id: 'A1', contents: [{ ...part, type: 'TEXT', message: 'a' }] };
	expect(withFields({ quoted_message: quoted }).quoted_message).toEqual({
		...{ _id: 'A1', contents: [{ type: 'TEXT', message: 'a' }] },
		...{ created_by: 'SYSTEM', actions: [], identifier: 'I', context: null },
	});
});

it("a message's field counts before its metadata's, unless it is empty", () => {
	expect(withFields({ context: 'own' }, { context: 'of metadata' }).context).toBe('own');
	expect(withFields({ context: null }, { context: 'of metadata' }).context).toBe('of metadata');
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
	const details = (...states: IDataObject[]) => {
		const body = messageBody({ fromMe: true });
		const contents = [{ type: 'TEXT', message: 'a', state_items: states }];
		const [item = {}] = items({ ...body, message: { ...body.message, contents } });
		return item;
	};
	const failed = { name: 'FAILED', code: 131_026, message: 'Undeliverable' };
	const internal = { '@class': '.StateItem', identifier: 'i', integration_message_ids: ['x'] };

	it('is told', () => {
		expect(
			details({ ...internal, moment: 2, state: { '@class': '.Failed', ...failed } }),
		).toMatchObject({
			status: 'FAILED',
			statusDetails: { code: 131_026, message: 'Undeliverable' },
		});
		const later = { name: 'FAILED', code: 131_047, message: 'Re-engagement message' };
		expect(
			details({ ...internal, moment: 2, state: { '@class': '.Failed', ...later } })?.statusDetails,
		).toEqual({ code: 131_047, message: 'Re-engagement message' });
		expect(
			details({ moment: 2, state: { name: 'FAILED' }, errors: [{ code: 1, '@class': 'x' }] }),
		).toMatchObject({ status: 'FAILED', statusDetails: { errors: [{ code: 1 }] } });
	});

	it('is not told of an earlier state, and not if there is nothing', () => {
		expect(
			details({ moment: 1, state: failed }, { ...internal, moment: 2, state: { name: 'SENT' } }),
		).not.toHaveProperty('statusDetails');
		expect(
			details({ ...internal, moment: 2, state: { name: 'FAILED', code: null, errors: [] } }),
		).not.toHaveProperty('statusDetails');
	});
});

it('a status is told by who wrote the message, whatever its type says', () => {
	expect(items(messageBody({ fromMe: true, state: 'READ', type: 'NEW_MESSAGE' }))).toMatchObject([
		{ event: 'MESSAGE_STATUS', status: 'READ' },
	]);
});
