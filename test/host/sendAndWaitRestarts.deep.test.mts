import { until } from '#scripts/until.mts';
import { clearFaults, number } from './harness/conversations.mts';
import { deliverNow } from './harness/deliverNow.mts';
import { Host } from './harness/host.mts';
import { createAccount } from './harness/listener.mts';
import { type OwnN8n, startOwnN8n, WITH_EDITOR } from './harness/ownN8n.mts';
import {
	ask,
	type Customers,
	limitSeconds,
	listWebhooks,
	noWebhooks,
	open,
	press,
	reply,
	startAsking,
	tap,
	textsTo,
	TIMEOUT_LIMIT_MS,
} from './harness/questions.mts';

const LIMIT_MS = 30_000;
/** Two customers whose window is open. */
const [ana, ben] = [number(1), number(2)] as const;

/** A question in the chat with two choices, asked again once. */
const inChat = {
	askIn: 'chat',
	responseType: 'replyInChat',
	choices: { values: [{ choice: 'Monday' }, { choice: 'Tuesday' }] },
	options: { askAgain: 1 },
};
const approval = { responseType: 'approval' };

let n8n: OwnN8n;
let customers: Customers;

beforeAll(async () => {
	const { secretKey, channels } = await createAccount(new Host(), ['Questions']);
	// After kill -9, n8n resumes waits that are over before it looks for executions that were killed,
	// and marks as crashed what still runs. Only the files of its editor, which it writes between the
	// two, give them seconds.
	n8n = await startOwnN8n(secretKey, WITH_EDITOR);
	customers = { host: n8n.host, channelId: channels[0] ?? '', secretKey };
	for (const customer of [ana, ben]) await reply(customers, customer, 'Hello');
}, 300_000);

afterAll(async () => {
	await clearFaults(new Host());
	await n8n?.remove();
});

test('kill -9 while executions wait: each goes on with its reply, and the count of wrong replies is kept', async () => {
	const approved = await ask(customers, ben, approval);
	const link = await approved.link();
	const chosen = await ask(customers, ana, inChat);
	const before = (await textsTo(customers, ana)).length;
	await reply(customers, ana, 'Sunday');
	await until(
		'to be asked again',
		async () => (await textsTo(customers, ana)).length > before,
		LIMIT_MS,
	);
	await n8n.kill();
	await n8n.start();
	expect((await open(link)).body).toContain('May we deliver on Tuesday?');
	await press(link, true);
	expect((await approved.outcome()).items).toMatchObject([{ data: { approved: true } }]);
	// The second wrong reply. It asks again only once.
	await reply(customers, ana, 'Someday');
	expect((await chosen.outcome()).items).toMatchObject([
		{ text: 'Someday', data: { outcome: 'invalid' } },
	]);
	await noWebhooks(customers);
}, 300_000);

test('approvals in the chat survive a restart before a tap, and a tap while n8n is down', async () => {
	const inButtons = {
		...approval,
		askIn: 'chat',
		approvalOptions: { values: { approvalType: 'double' } },
		approvers: [ben],
	};
	const restarted = await ask(customers, ana, inButtons);
	await n8n.restart();
	await tap(customers, ben, 'Approve');
	expect((await restarted.outcome()).items).toMatchObject([
		{ data: { approved: true, responder: { identifier: ben } } },
	]);
	await noWebhooks(customers);

	const killed = await ask(customers, ana, inButtons);
	const [webhook] = await listWebhooks(customers);
	await n8n.kill();
	await tap(customers, ana, 'Decline');
	await n8n.start();
	await deliverNow(customers.host, webhook!.id);
	expect((await killed.outcome()).items).toMatchObject([
		{ data: { approved: false, responder: { identifier: ana } } },
	]);
	await noWebhooks(customers);
}, 300_000);

test(
	'a time limit that ends after a restart: the execution goes on, and the next question removes its webhook',
	async () => {
		const silent = await ask(customers, ana, { ...inChat, options: limitSeconds(2) });
		const [left] = await listWebhooks(customers);
		await n8n.kill();
		await n8n.start();
		await until(
			'the time to be over',
			async () => (await silent.status()) !== 'waiting',
			TIMEOUT_LIMIT_MS,
		);
		const items = [{ data: { outcome: 'timedOut' } }];
		expect(await silent.outcome()).toMatchObject({ status: 'success', items });
		expect((await listWebhooks(customers)).map(({ id }) => id)).toEqual([left?.id]);
		const next = await ask(customers, ana, inChat);
		expect((await listWebhooks(customers)).map(({ id }) => id)).not.toContain(left?.id);
		await reply(customers, ana, 'Monday');
		expect((await next.outcome()).status).toBe('success');
		await noWebhooks(customers);
	},
	2 * TIMEOUT_LIMIT_MS + 500_000,
);

test('kill -9 while a question is sent: the webhook carries its deadline, and a later question removes it', async () => {
	await customers.host.sandbox.post('/_sandbox/faults', {
		on: 'route',
		operation: 'sendMessage',
		kind: 'latency',
		ms: 5000,
		times: 1,
	});
	await startAsking(customers, ana, { ...inChat, options: limitSeconds(15) });
	const left = await until('the webhook', async () => (await listWebhooks(customers))[0], LIMIT_MS);
	await n8n.kill();
	await n8n.start();
	const { deadline } = left.customAttributes.n8nWait as { deadline: string };
	await until('the deadline', () => Date.now() > Date.parse(deadline), LIMIT_MS);
	const question = await ask(customers, ana, inChat);
	expect((await listWebhooks(customers)).map(({ id }) => id)).not.toContain(left.id);
	await reply(customers, ana, 'Monday');
	expect((await question.outcome()).status).toBe('success');
	await noWebhooks(customers);
}, 300_000);
