/** What the rehearsals of the examples do not play, because nothing of it shows in a chat. */
import { number } from './harness/conversations.mts';
import { Example, itemsOf, ownAccount } from './harness/examples.mts';
import type { Host } from './harness/host.mts';
import {
	type Customers,
	firstTextsTo,
	newestLinkButton,
	reply,
	submit,
	textsTo,
	untilWordsCount,
	waiting,
} from './harness/questions.mts';
import {
	addTemplate,
	broadcastTo,
	nodesChanged,
	OUTBOX,
	outboxOf,
	sendRows,
} from './harness/stages.mts';

const [ana, ben, cai] = [number(700), number(701), number(702)] as const;
const CALLED = '5500000000010';

let account: Awaited<ReturnType<typeof ownAccount>>;
let host: Host;
const used: string[] = [];

beforeAll(async () => {
	account = await ownAccount(['Broadcast', 'Refund', 'In doubt', 'Opt-Out']);
	({ host } = account);
	await addTemplate(account);
});
afterAll(async () => await host?.cleanUp());

/** A channel of the account that no other test has. */
function nextChannel(): Customers {
	const channelId = account.channels[used.length] ?? '';
	used.push(channelId);
	return { host, channelId, secretKey: account.secretKey };
}

/** Starts it by hand with a node's pinned data, and waits until it waits. */
async function start(example: Example, trigger: string, customers: Customers): Promise<string> {
	const executionId = (await host.client.runManually(example.workflow, trigger)) ?? '';
	await waiting(host, executionId);
	await untilWordsCount(customers);
	return executionId;
}

test('approve-before-broadcast: sends nothing after a no, and a second run only to those it missed', async () => {
	const customers = nextChannel();
	for (const one of [CALLED, ana, ben]) await reply(customers, one, 'Hello');
	const example = await Example.import(
		host,
		'approve-before-broadcast',
		customers.channelId,
		{},
		broadcastTo(ana, ben),
	);
	const outbox = await outboxOf(host, customers.channelId, example);
	const decided = async (approved: string) => {
		const executionId = await start(example, 'When Clicking Execute', customers);
		await submit((await newestLinkButton(customers, CALLED)).url, { approved });
		return await host.client.finishedExecution(executionId);
	};
	const sent = async () => itemsOf(await sendRows(account, outbox), 'Send to Each');
	const received = async (): Promise<number> =>
		(await textsTo(customers, ana)).length + (await textsTo(customers, ben)).length;
	const states = async () => (await outbox.rows(OUTBOX)).map(({ state }) => state);
	expect(itemsOf(await decided('false'), 'Not Sent')).toMatchObject([
		{ data: { approved: false, outcome: 'answered' } },
	]);
	expect([await sent(), await received()]).toEqual([[], 0]);
	await decided('true');
	await host.sandbox.post('/_sandbox/faults', {
		...{ on: 'route', operation: 'sendMessage', kind: 'status', status: 422, times: 1 },
		tenant: account.tenantId,
	});
	expect((await sent()).filter(({ error }) => error)).toMatchObject([
		{ details: { reason: 'rejected' } },
	]);
	expect(await received()).toBe(1);
	expect((await states()).sort()).toEqual(['failed', 'sent']);
	// Approved again, it has its rows. A person lets both leave again.
	await decided('true');
	expect([await sent(), await states()]).toMatchObject([[], { length: 2 }]);
	for (const value of [ana, ben])
		await outbox.updateRows({ columnName: 'customer', value }, { state: 'to send' }, OUTBOX);
	expect((await sent()).filter(({ alreadySent }) => alreadySent)).toHaveLength(1);
	expect(await states()).toEqual(['sent', 'sent']);
	expect([await textsTo(customers, ana), await textsTo(customers, ben)]).toEqual([
		[expect.stringContaining('20 % off')],
		[expect.stringContaining('20 % off')],
	]);
});

test('refund-with-approval: hands the customer to a person, with the reason, if it cannot ask', async () => {
	const customers = nextChannel();
	/** A few minutes, of which a test has none. Less than 65 seconds keep the execution running. */
	const waitsShortly = nodesChanged((node) =>
		node.type === 'n8n-nodes-base.wait'
			? { ...node, parameters: { ...node.parameters, amount: 1, unit: 'seconds' } }
			: node,
	);
	const settings = { approver: number(799) };
	const name = 'refund-with-approval';
	const example = await Example.import(host, name, customers.channelId, { settings }, waitsShortly);
	await example.publish();
	await reply(customers, ana, 'Refund, please');
	const [run] = await example.executions(1);
	expect(run && itemsOf(run, 'Nobody Decided')).toMatchObject([
		{ details: { reason: 'window_closed' } },
	]);
	expect(await textsTo(customers, ana)).toHaveLength(1);
});

test('refund-with-approval: a message in doubt opens no second question on the same day', async () => {
	const customers = nextChannel();
	const approver = number(798);
	const name = 'refund-with-approval';
	const example = await Example.import(host, name, customers.channelId, { settings: { approver } });
	await example.publish();
	await reply(customers, approver, 'Good morning');
	await host.sandbox.post('/_sandbox/faults', {
		...{ on: 'route', operation: 'sendMessage', kind: 'status', status: 500, times: 1 },
		tenant: account.tenantId,
	});
	await reply(customers, ana, 'A refund, please');
	await firstTextsTo(customers, approver, 1);
	await reply(customers, ana, 'Where is my refund?');
	expect(await firstTextsTo(customers, ana, 1)).toEqual([expect.stringContaining('already')]);
	expect(await textsTo(customers, approver)).toHaveLength(1);
});

test('opt-out: confirms three at the same time once, and knows the newest', async () => {
	const customers = nextChannel();
	const example = await Example.import(host, 'opt-out', customers.channelId);
	await example.publish();
	await Promise.all(['Stop', 'STOP', 'stop.'].map((text) => reply(customers, cai, text)));
	await example.executions(3);
	expect(await textsTo(customers, cai)).toHaveLength(1);
	// An older word that arrives late changes nothing.
	const later = new Date(Date.now() + 60_000).toISOString();
	await example.updateRows({ columnName: 'customer', value: cai }, { changedAt: later });
	await reply(customers, cai, 'START');
	const last = (await example.executions(4)).at(-1);
	expect(last?.resultData.lastNodeExecuted).toBe('Is It Their Newest Word?');
	// First words at once can make a row each.
	const rows = await example.rows();
	expect(rows).not.toEqual([]);
	expect(rows).toEqual(
		rows.map(() => expect.objectContaining({ customer: cai, state: 'stopped' }) as object),
	);
	expect(await textsTo(customers, cai)).toHaveLength(1);
});
