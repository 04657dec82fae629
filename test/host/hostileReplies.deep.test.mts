/** Harmful replies and field names. */
import { until } from '../../scripts/until.mts';
import { number } from './harness/conversations.mts';
import { type Host, hostUnderTest } from './harness/host.mts';
import {
	ask,
	type Customers,
	listWebhooks,
	open,
	reply,
	startAsking,
	submit,
	textsTo,
	openCustomers,
} from './harness/questions.mts';

const servers = hostUnderTest();
const [ana] = [number(1)] as const;
/** It stalled for 7 to 23 seconds. No busy machine stalls that long for another reason. */
const STALL_LIMIT_MS = 4000;

let customers: Customers;
let host: Host;

beforeAll(async () => {
	customers = await openCustomers('Questions', [ana]);
	({ host } = customers);
});

afterAll(async () => await host?.cleanUp());

test.each([
	['40,000 ellipses and a letter', `${'…'.repeat(40_000)}a`],
	['a letter and combining marks in the wrong order', `a${'\u0301\u0316'.repeat(30_000)}`],
])(
	'n8n keeps responding during a reply of %s, which names no choice',
	async (_name, text) => {
		const question = await ask(customers, ana, {
			askIn: 'chat',
			responseType: 'replyInChat',
			choices: { values: [{ choice: 'Monday' }, { choice: 'Tuesday' }] },
		});
		const before = (await question.sent()).length;
		await reply(customers, ana, text);
		let longest = 0;
		await until(
			'to be asked again',
			async () => {
				const start = performance.now();
				await fetch(new URL('/healthz', servers.n8nUrl));
				longest = Math.max(longest, performance.now() - start);
				return (await question.sent()).length > before;
			},
			60_000,
		);
		expect(longest).toBeLessThan(STALL_LIMIT_MS);
		await reply(customers, ana, 'monday…');
		expect((await question.outcome()).items).toMatchObject([
			{ data: { choice: 'Monday', outcome: 'answered' } },
		]);
	},
	120_000,
);

test('a form gives every reply, even if its labels are names that every object has', async () => {
	const labels = ['constructor', 'toString', 'hasOwnProperty', 'prototype', 'toJSON'];
	const question = await ask(customers, ana, {
		responseType: 'customForm',
		formFields: { values: labels.map((fieldLabel) => ({ fieldLabel })) },
	});
	const link = await question.link();
	await submit(
		link,
		Object.fromEntries(labels.map((label, index) => [`field-${index}`, `the ${label}`])),
	);
	const { status, items } = await question.outcome();
	expect(status).toBe('success');
	const data = items[0]?.data as Record<string, unknown>;
	expect(Object.entries(data)).toEqual(
		expect.arrayContaining(labels.map((label) => [label, `the ${label}`])),
	);
});

test('refuses a form with the label __proto__, whose reply n8n would lose, and sends nothing', async () => {
	const before = (await textsTo(customers, ana)).length;
	const { executionId } = await startAsking(customers, ana, {
		responseType: 'customForm',
		formFields: { values: [{ fieldLabel: '__proto__' }] },
	});
	const { resultData } = await host.client.finishedExecution(executionId);
	expect(resultData.error?.message).toMatch(/"Form Elements" has the label "__proto__"/);
	expect(await textsTo(customers, ana)).toHaveLength(before);
});

test('refuses 1 MB of markup in a form field with a small page, and the form can be sent again', async () => {
	const question = await ask(customers, ana, { responseType: 'freeText' });
	const link = await question.link();
	const { status, body } = await submit(link, { 'field-0': '<'.repeat(1_000_000) });
	expect(status).toBe(422);
	expect(body).toContain('Please enter at most 10,000 characters.');
	expect(body.length).toBeLessThan(10_000);
	await submit(link, { 'field-0': 'Blue' });
	expect((await question.outcome()).items).toMatchObject([{ data: { text: 'Blue' } }]);
});

test.each(['application/octet-stream', 'application/cloudevents+json', undefined])(
	'takes a signed reply in a body that n8n leaves unread: %j',
	async (type) => {
		const question = await ask(customers, ana, { askIn: 'chat', responseType: 'replyInChat' });
		// That of the question before is disabled, and goes after ten seconds.
		const [webhook] = (await listWebhooks(customers)).filter(({ status }) => status === 'ENABLED');
		// The service signs a delivery that does not arrive. The test sends it instead.
		await host.sandbox.post('/_sandbox/faults', {
			on: 'webhook',
			webhookId: webhook?.id,
			kind: 'dropBefore',
			times: 1,
		});
		await reply(customers, ana, 'Blue');
		const { signedText, requestHeaders } = await until(
			'the delivery to be signed',
			async () => {
				const { deliveries } = await host.sandbox.get<{ deliveries: Array<{ id: number }> }>(
					`/_sandbox/deliveries?webhookId=${webhook?.id}`,
				);
				if (!deliveries[0]) return undefined;
				const { attemptList } = await host.sandbox.get<{
					attemptList: Array<{ signedText: string; requestHeaders: Record<string, string> }>;
				}>(`/_sandbox/deliveries/${deliveries[0].id}`);
				return attemptList[0];
			},
			30_000,
		);
		const headers = Object.fromEntries(
			['x-idempotency-key', 'x-webhook-signature'].map((name) => [
				name,
				requestHeaders[name] ?? '',
			]),
		);
		const { status } = await open(webhook?.url ?? '', {
			method: 'POST',
			headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
			body: new TextEncoder().encode(signedText.slice(signedText.indexOf('{'))),
		});
		expect(status).toBe(200);
		expect((await question.outcome()).items).toMatchObject([{ data: { text: 'Blue' } }]);
	},
	60_000,
);
