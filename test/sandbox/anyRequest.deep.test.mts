/** Requests to every route, whatever they are: the sandbox is not the one that fails. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { closeContext, type Context, createContext } from '#sandbox/context.mts';
import { createApp } from '#sandbox/http/app.mts';
import { OPERATION_DESCRIPTIONS } from '#sandbox/openapi/operations.mts';
import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY, reset, seedIfNew } from '#sandbox/seed.mts';
import { checkout } from '#scripts/checkout.mts';
import { off, valid } from '../fixtures/messages.mts';
import { changeText, jsonOf, oddText, textChange } from '../support/oddTexts.mts';
import { runs } from '../support/runs.mts';

const readText = (...path: string[]): string => readFileSync(join(checkout, ...path), 'utf8');

const published = Object.values(OPERATION_DESCRIPTIONS).map(
	({ method, path }) => `${method.toUpperCase()} ${path}`,
);
const CONTROL = /`((?:GET|POST|PATCH|DELETE) \/_sandbox\/[\w/{}-]+)/g;
const control = [...readText('sandbox', 'docs', 'control-api.md').matchAll(CONTROL)]
	.map(([, route = '']) => route)
	// It never ends.
	.filter((route) => route !== 'GET /_sandbox/events');

const bodies = JSON.stringify({ valid, off });
const NAMES = [
	...new Set([...bodies.matchAll(/"(\w+)":/g)].map(([, name = '']) => name)),
	...['url', 'events', 'channelId', 'from', 'to', 'text', 'name', 'status', 'tenants', 'customer'],
	...['components', 'kind', 'on', 'times', 'now', 'advance', 'speed', 'tables', 'fault', 'signing'],
];
const right = Object.values(valid).map((body) => JSON.stringify(body));
const step = fc.record({
	route: fc.oneof(fc.constantFrom(...published), fc.constantFrom(...control)),
	id: fc.constantFrom(DEMO_CHANNEL_ID, '0', '-1', '9'.repeat(30), '..%2f', '%ff', 'a'.repeat(300)),
	query: fc.dictionary(fc.constantFrom('page', 'pageSize', 'query', 'limit', 'after'), oddText),
	body: fc.oneof(
		fc
			.tuple(fc.constantFrom(...right), fc.array(textChange, { maxLength: 2 }))
			.map(([text, changes]) => changes.reduce(changeText, text)),
		jsonOf(...NAMES).map((value) => JSON.stringify(value)),
		fc.constantFrom('', '{', 'null', '[]', '"x"', '['.repeat(5000)),
	),
});

let context: Context;
let app: Awaited<ReturnType<typeof createApp>>;
beforeAll(async () => {
	context = createContext({ dataFile: ':memory:', allowDeliveryTo: [], deliveryTimeout: 1000 });
	seedIfNew(context, { seed: 'any' });
	app = await createApp(context, { address: '127.0.0.1', allowedHosts: [] });
});
afterAll(async () => {
	await app.close();
	await closeContext(context);
});

test('no request makes the sandbox fail, and no operation shows the secret key', async () => {
	expect(control.length).toBeGreaterThan(30);
	const check = async (
		steps: Array<typeof step extends fc.Arbitrary<infer Step> ? Step : never>,
	) => {
		reset(context, { seed: 'any' });
		for (const { route, id, query, body } of steps) {
			const [method, path = ''] = route.split(' ');
			const { statusCode, body: text } = await app.inject({
				...{ method: method as 'POST', url: path.replace(/\{\w+\}/g, id), query },
				headers: {
					...{ authorization: `Bearer ${DEMO_SECRET_KEY}`, 'content-type': 'application/json' },
				},
				...(method === 'GET' ? {} : { payload: body }),
			});
			const isFaulty = context.faults.list().length > 0;
			if (statusCode >= 500 && !isFaulty) throw new Error(`${route}: ${statusCode} ${text}`);
			if (published.includes(route)) expect(text).not.toContain(DEMO_SECRET_KEY);
		}
	};
	await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), check), {
		numRuns: runs(50),
	});
}, 180_000);
