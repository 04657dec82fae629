import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildRequest } from '../../sandbox/delivery/request.mts';
import type { Delivery } from '../../sandbox/store/deliveries.mts';
import type { StoredWebhook } from '../../sandbox/store/webhooks.mts';
import { shapeOf, startReceiver, startTestSandbox, until } from './helpers.mts';

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
let sink: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
	sandbox = await startTestSandbox();
	sink = await startReceiver();
});
afterAll(async () => {
	await sandbox.close();
	await sink.close();
});

/** The published examples of template events. */
const TEMPLATE_STATUS = [
	{
		field: 'message_template_status_update',
		identifier: '01A0A4FBC8CD7DCBBBFAA8382F5514A5',
		type: 'TEMPLATE_STATUS',
		value: {
			...{
				event: 'APPROVED',
				message_template_category: 'UTILITY',
				message_template_id: '1587155656151346',
			},
			...{ message_template_language: 'pt_BR', message_template_name: 'example', reason: 'NONE' },
		},
		waba_id: '845974408299669',
	},
];
const TEMPLATE_CATEGORY = [
	{
		field: 'template_category_update',
		identifier: '01A0A4FBC8CD7DCBBBFAA8382F5514A5',
		type: 'TEMPLATE_CATEGORY_UPDATE',
		value: {
			...{
				category_update_timestamp: 1779980473,
				correct_category: 'MARKETING',
				message_template_id: '1587155656151346',
			},
			...{
				message_template_language: 'pt_BR',
				message_template_name: 'example',
				new_category: 'MARKETING',
				previous_category: 'UTILITY',
			},
		},
		waba_id: '845974408299669',
	},
];

it.each([
	[
		'UPDATE_TEMPLATE_STATUS',
		TEMPLATE_STATUS,
		{
			field: 'status',
			status: 'APPROVED',
			name: 'example',
			language: 'pt_BR',
			templateId: '1587155656151346',
		},
	],
	[
		'UPDATE_TEMPLATE_CATEGORY',
		TEMPLATE_CATEGORY,
		{
			field: 'category',
			newCategory: 'MARKETING',
			name: 'example',
			language: 'pt_BR',
			templateId: '1587155656151346',
		},
	],
])('delivers %s in the published form, with the given values', async (event, published, change) => {
	sink.received.length = 0;
	await sandbox.call('/v1/webhooks', { body: { url: sink.url, events: [event] } });
	await sandbox.control('/templates', { body: change });
	const { json } = await until('it arrived', () => sink.received[0]);
	expect(shapeOf(json)).toEqual(shapeOf(published));
	const [example] = published;
	const { category_update_timestamp: _moment, ...value } = example!.value as Record<
		string,
		unknown
	>;
	expect(json).toEqual([
		expect.objectContaining({
			field: example!.field,
			type: example!.type,
			value: expect.objectContaining(value),
		}),
	]);
});

it('signs the published vector as published', () => {
	interface Vector {
		scheme: string;
		secret: string;
		headers: Record<string, string>;
		body: string;
	}
	const file = join(import.meta.dirname, '..', 'fixtures', 'signatures.json');
	const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] };
	const vector = vectors.find(({ scheme }) => scheme.startsWith('five-field'))!;
	const delivery = {
		id: 1,
		idempotencyKey: vector.headers['x-idempotency-key'],
		body: vector.body,
	} as Delivery;
	const webhook = { secret: vector.secret, auth: { type: 'NONE' } } as StoredWebhook;
	const timestamp = Number(/^t=(\d+)/.exec(vector.headers['x-webhook-signature']!)![1]);
	const { headers, body, gzipped } = buildRequest(delivery, webhook, [], timestamp);
	expect(headers).toMatchObject(vector.headers);
	expect(body.toString()).toBe(vector.body);
	expect(gzipped).toBe(false);
});
