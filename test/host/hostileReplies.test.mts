/** Replies, and names of fields, that were made to do harm. */
import { until } from '../../scripts/until.mts';
import { number } from './harness/conversations.mts';
import { type Host, hostUnderTest } from './harness/host.mts';
import {
	ask,
	type Customers,
	reply,
	startAsking,
	submit,
	textsTo,
	openCustomers,
} from './harness/questions.mts';

const servers = hostUnderTest();
const [ana] = [number(1)] as const;
/** It stalled for 7 to 23 seconds; a machine that is busy with other things is never stalled as long. */
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
	'n8n is not held up by a reply of %s, which names no choice',
	async (_name, text) => {
		const question = await ask(customers, ana, {
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

test('a form whose labels are names that every object has gives every reply', async () => {
	const labels = ['constructor', 'toString', 'hasOwnProperty', 'prototype', 'toJSON'];
	const question = await ask(customers, ana, {
		responseType: 'customForm',
		formFields: { values: labels.map((fieldLabel) => ({ fieldLabel })) },
	});
	const [link = ''] = await question.links();
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

test('a form with the label __proto__, whose reply n8n would lose, is refused with the reason, and nothing is sent', async () => {
	const before = (await textsTo(customers, ana)).length;
	const { executionId } = await startAsking(customers, ana, {
		responseType: 'customForm',
		formFields: { values: [{ fieldLabel: '__proto__' }] },
	});
	const { resultData } = await host.client.finishedExecution(executionId);
	expect(resultData.error?.message).toMatch(/"Form Elements" has the label "__proto__"/);
	expect(await textsTo(customers, ana)).toHaveLength(before);
});
