import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildRequest } from '#sandbox/delivery/request.mts';
import type { Delivery } from '#sandbox/store/deliveries.mts';
import type { StoredWebhook } from '#sandbox/store/webhooks.mts';
import { testSandbox } from './deliveryHarness.mts';
import { until } from './helpers.mts';

const sandbox = testSandbox();

const ABOUT = {
	...{ message_template_id: '1587155656151346', message_template_language: 'pt_BR' },
	message_template_name: 'example',
};
const CHANGE = { name: 'example', language: 'pt_BR', templateId: '1587155656151346' };
/** The published examples of template events, and the changes that they tell. */
it.each([
	[
		'UPDATE_TEMPLATE_STATUS',
		{ field: 'message_template_status_update', type: 'TEMPLATE_STATUS' },
		{ event: 'APPROVED', message_template_category: 'UTILITY', reason: 'NONE' },
		{ field: 'status', status: 'APPROVED' },
	],
	[
		'UPDATE_TEMPLATE_CATEGORY',
		{ field: 'template_category_update', type: 'TEMPLATE_CATEGORY_UPDATE' },
		{
			...{ category_update_timestamp: expect.any(Number), correct_category: 'MARKETING' },
			...{ new_category: 'MARKETING', previous_category: 'UTILITY' },
		},
		{ field: 'category', newCategory: 'MARKETING' },
	],
])('delivers %s in the published form, with the given values', async (event, kind, own, change) => {
	const sink = await sandbox.listener([event], '/v1/webhooks');
	await sandbox.control('/templates', { body: { ...CHANGE, ...change } });
	const { json } = await until('it arrived', () => sink.received[0]);
	const ids = { identifier: expect.any(String), waba_id: expect.any(String) };
	expect(json).toEqual([{ ...kind, ...ids, value: { ...ABOUT, ...own } }]);
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
	const idempotencyKey = vector.headers['x-idempotency-key'];
	const delivery = { id: 1, idempotencyKey, body: vector.body } as Delivery;
	const webhook = { secret: vector.secret, auth: { type: 'NONE' } } as StoredWebhook;
	const timestamp = Number(/^t=(\d+)/.exec(vector.headers['x-webhook-signature']!)![1]);
	const { headers, body, gzipped } = buildRequest(delivery, webhook, [], timestamp);
	expect(headers).toMatchObject(vector.headers);
	expect(body.toString()).toBe(vector.body);
	expect(gzipped).toBe(false);
});
