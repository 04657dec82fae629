/** How lists leave: what the rehearsal of Outbox cannot play, such as two runs at once. */
import { until } from '#scripts/until.mts';
import { acceptedTexts, clearFaults, number } from './harness/conversations.mts';
import { Example, itemsOf, ownAccount, zoneAt } from './harness/examples.mts';
import { type OwnN8n, startOwnN8n } from './harness/ownN8n.mts';
import { newestLinkButton, reply, submit, waiting } from './harness/questions.mts';
import {
	addTemplate,
	broadcastTo,
	OUTBOX,
	outboxOf,
	replaced,
	sendRows,
} from './harness/stages.mts';

const LIMIT_MS = 240_000;
const APPROVER = '5500000000010';
const RUN = 'Every Five Minutes';

let account: Awaited<ReturnType<typeof ownAccount>>;
let used = 0;

beforeAll(async () => {
	account = await ownAccount([
		'Overlap',
		'Killed',
		'Stop',
		'Fails',
		'Many',
		'Report',
		'Hours',
		'Seven hundred',
	]);
	await addTemplate(account);
});
afterEach(async () => await clearFaults(account.host));
afterAll(async () => await account?.host.cleanUp());

/** Instead of five. A run of a few rows is over by then, on a busy machine, too. */
const aMinute = replaced('"amount":5,"unit":"minutes"', '"amount":60,"unit":"seconds"');

/** The outbox on a channel of its own. Nothing runs by itself. */
async function openOutbox(perSecond = 50, host = account.host) {
	const channelId = account.channels[used++] ?? '';
	const customers = { ...account, host, channelId };
	const quick = replaced('"maxPerSecond":5,', `"maxPerSecond":${perSecond},`);
	const outbox = await outboxOf(host, channelId, { dataTables: new Map() }, (workflow) =>
		quick(aMinute(workflow)),
	);
	const write = async (all: string[]): Promise<void> => {
		for (const from of all) await reply(customers, from, 'Hello');
	};
	return {
		...{ customers, outbox, write },
		/** Rows of people whose window is open. */
		fill: async (list: string, all: string[]): Promise<void> => {
			await write(all);
			const row = { list, text: `${list}.`, state: 'to send' };
			await outbox.insert(
				all.map((customer) => ({ ...row, customer })),
				OUTBOX,
			);
		},
		start: async (): Promise<string> => (await host.client.runManually(outbox.workflow, RUN)) ?? '',
		run: async () => await sendRows({ host }, outbox),
		/** Who was written to, once for each message. */
		reached: async (text: string): Promise<string[]> =>
			(await acceptedTexts(host, channelId))
				.filter((one) => one.text.startsWith(text))
				.map(({ customer }) => customer)
				.sort(),
		states: async (): Promise<string[]> =>
			(await outbox.rows(OUTBOX)).map(({ state, reason }) =>
				[state, String(reason ?? '').split(':')[0]].filter(Boolean).join(' '),
			),
	};
}
type Outbox = Awaited<ReturnType<typeof openOutbox>>;

const people = (first: number, count: number) =>
	Array.from({ length: count }, (_, index) => number(first + index));

const untilReached = async ({ reached }: Outbox, text: string, enough: number): Promise<void> =>
	void (await until(
		`${enough} to be written to`,
		async () => (await reached(text)).length >= enough,
		LIMIT_MS,
		20,
	));

const slowly = async (ms: number): Promise<void> =>
	void (await account.host.sandbox.post('/_sandbox/faults', {
		...{ on: 'route', operation: 'sendMessage', kind: 'latency', ms, tenant: account.tenantId },
	}));

/** Approves the broadcast that the outbox's channel has. @returns the rows that it wrote */
async function approve({ customers, outbox }: Outbox, ...list: string[]): Promise<number> {
	const { channelId, host } = customers;
	const { dataTables } = outbox;
	const name = 'approve-before-broadcast';
	const example = await Example.import(host, name, channelId, { dataTables }, broadcastTo(...list));
	await reply(customers, APPROVER, 'Hello');
	const id = (await host.client.runManually(example.workflow, 'When Clicking Execute')) ?? '';
	await waiting(host, id);
	await submit((await newestLinkButton(customers, APPROVER)).url, { approved: 'true' });
	const status = async () => (await host.client.getExecution(id)).status;
	await until('the rows to be written', async () => (await status()) === 'success', LIMIT_MS);
	const execution = await host.client.finishedExecution(id);
	return itemsOf(execution, 'Put Into the Outbox').length;
}

test(
	'two runs at once: nobody gets it twice, and each row keeps its message',
	async () => {
		const box = await openOutbox();
		const all = people(0, 40);
		await box.fill('overlap', all);
		await slowly(300);
		const first = await box.start();
		await untilReached(box, 'overlap', 5);
		const second = await box.run();
		expect(itemsOf(second, 'Send to Each')).toHaveLength(40);
		const { client } = box.customers.host;
		expect((await client.finishedExecution(first)).status).toBe('success');
		expect(await box.reached('overlap')).toEqual(all);
		expect(await box.states()).toEqual(all.map(() => 'sent'));
		for (const { messageId } of await box.outbox.rows(OUTBOX)) expect(messageId).toMatch(/./);
	},
	LIMIT_MS,
);

test(
	'STOP between approval and its turn gets nothing, and no look-up the next time',
	async () => {
		const box = await openOutbox();
		const [stopped, other] = people(200, 2) as [string, string];
		await box.write([stopped, other]);
		expect(await approve(box, stopped, other, '55-11-98888-0002')).toBe(3);
		await box.outbox.insert({ customer: stopped, state: 'stopped' }, 'Business Messaging Opt-Out');
		await box.run();
		expect(await box.reached('Hello! This week')).toEqual([other]);
		expect(await box.states()).toEqual([
			'opted out',
			'sent',
			'failed This is no clear number or name',
		]);
		expect(itemsOf(await box.run(), 'What Is to Be Sent')).toEqual([]);
		// A person fills in the cell again, and START was written meanwhile.
		const where = { columnName: 'customer', value: stopped };
		await box.outbox.updateRows(where, { state: 'started' }, 'Business Messaging Opt-Out');
		await box.outbox.updateRows(where, { state: 'to send' }, OUTBOX);
		await box.run();
		expect(await box.reached('Hello! This week')).toEqual([stopped, other].sort());
	},
	LIMIT_MS,
);

test(
	'all of them wrote STOP, or the look-up fails: nobody gets a message, and nothing is lost',
	async () => {
		const box = await openOutbox();
		const all = people(300, 3);
		await box.fill('stops', all);
		const stops = all.map((customer) => ({ customer, state: 'stopped' }));
		await box.outbox.insert(stops, 'Business Messaging Opt-Out');
		await box.run();
		expect(await box.states()).toEqual(all.map(() => 'opted out'));
		await box.fill('fails', all);
		const { workflow } = box.outbox;
		const missing = replaced(
			box.outbox.dataTables.get('Business Messaging Opt-Out')?.id ?? '',
			'missing',
		);
		const { client } = account.host;
		const changed = await client.updateWorkflow({ ...workflow, ...missing(workflow) });
		const run = await client.execute(changed, RUN);
		expect(run.status).toBe('error');
		expect(await box.states()).toEqual([
			...all.map(() => 'opted out'),
			...all.map(() => 'to send'),
		]);
		expect(await box.reached('')).toEqual([]);
	},
	LIMIT_MS,
);

test(
	'a status that comes before its row knows the message is written, too',
	async () => {
		const box = await openOutbox(5);
		const { outbox } = box;
		const all = people(400, 12);
		await outbox.publish();
		await box.fill('report', all);
		await box.start();
		await untilReached(box, 'report', 12);
		// They come while the rows are still to be sent.
		await until(
			'every row to be delivered',
			async () => (await box.states()).every((state) => state === 'delivered'),
			LIMIT_MS,
		);
	},
	LIMIT_MS,
);

test(
	'3,000 customers are written into the outbox, once, and a run takes the first 1,000',
	async () => {
		const box = await openOutbox(500);
		const all = people(1000, 3000);
		await box.write(all.slice(0, 1000));
		expect(await approve(box, ...all)).toBe(3000);
		expect(await approve(box, ...all)).toBe(0);
		await box.start();
		const isSent = async () => (await box.states()).filter((state) => state === 'sent').length;
		await until('1,000 to be sent', async () => (await isSent()) >= 1000, LIMIT_MS, 2000);
		const states = await box.states();
		expect(states).toEqual([
			...all.slice(0, 1000).map(() => 'sent'),
			...all.slice(1000).map(() => 'to send'),
		]);
		expect(await box.reached('Hello! This week')).toHaveLength(1000);
	},
	3 * LIMIT_MS,
);

describe('an n8n that is killed', () => {
	let n8n: OwnN8n;
	beforeAll(async () => void (n8n = await startOwnN8n(account.secretKey)), 300_000);
	afterAll(async () => await n8n?.remove());

	test(
		'n8n killed between the messages and their states: the next run sends the rest, and nothing twice',
		async () => {
			const box = await openOutbox(50, n8n.host);
			const all = people(100, 40);
			await box.fill('killed', all);
			await slowly(100);
			await box.start();
			await untilReached(box, 'killed', 15);
			await n8n.kill();
			await n8n.start();
			expect(await box.states()).toEqual(all.map(() => 'to send'));
			await box.run();
			const inDoubt = (await box.states()).filter((state) => state === 'failed unknown_outcome');
			expect((await box.states()).filter((state) => state === 'sent')).toHaveLength(
				40 - inDoubt.length,
			);
			const reached = await box.reached('killed');
			expect(new Set(reached).size).toBe(reached.length);
			expect(reached.length).toBeGreaterThanOrEqual(40 - inDoubt.length);
			expect(inDoubt.length).toBeLessThanOrEqual(10);
		},
		LIMIT_MS,
	);

	test(
		'700 customers, approved shortly before closing: none after it, all in the morning, nobody twice',
		async () => {
			const box = await openOutbox(5, n8n.host);
			const { client } = n8n.host;
			const { workflow } = box.outbox;
			const all = people(5000, 700);
			const stopped = all.at(-1) ?? '';
			await box.fill('sale', all);
			const hours = { hour: '2-digit', minute: '2-digit', timeZone: zoneAt(12) } as const;
			const open = async (to: string) => {
				const moved = replaced('"from":"09:00","to":"20:00"', `"from":"00:00","to":"${to}"`);
				const changed = await client.updateWorkflow({ ...workflow, ...moved(workflow) });
				return (await client.runManually(changed, RUN)) ?? '';
			};
			const isOver = async (id: string) => (await client.getExecution(id)).status === 'success';
			let [closing, evening] = [0, ''];
			// On a busy machine, it can be closed before the first message leaves.
			for (let margin = 20_000; (await box.reached('sale')).length < 10; margin *= 2) {
				// At a full minute, in the zone of the workflow's settings.
				closing = Math.ceil((Date.now() + margin) / 60_000) * 60_000;
				evening = await open(new Intl.DateTimeFormat('en-GB', hours).format(closing));
				await until(
					'10 to be written to, or the run to end',
					async () => (await box.reached('sale')).length >= 10 || (await isOver(evening)),
					LIMIT_MS,
				);
			}
			await until('closing', () => Date.now() > closing + 2000, LIMIT_MS);
			const before = await box.reached('sale');
			await until('the run of the evening to end', async () => await isOver(evening), LIMIT_MS);
			expect(await box.reached('sale')).toEqual(before);
			expect(before.length).toBeLessThan(all.length);
			expect((await box.states()).filter((state) => state === 'to send')).toHaveLength(
				all.length - before.length,
			);
			const stop = { customer: stopped, state: 'stopped' };
			await box.outbox.insert(stop, 'Business Messaging Opt-Out');

			const morning = Date.now();
			await open('23:59');
			await untilReached(box, 'sale', before.length + 50);
			await n8n.kill();
			await n8n.start();
			await box.start();
			const isLeft = async () => (await box.states()).some((state) => state === 'to send');
			await until('the rest to leave', async () => !(await isLeft()), 2 * LIMIT_MS, 2000);
			expect(Date.now() - morning).toBeLessThan(15 * 60_000);
			const states = await box.states();
			const inDoubt = states.filter((state) => state === 'failed unknown_outcome').length;
			expect(states.filter((state) => state === 'sent')).toHaveLength(all.length - 1 - inDoubt);
			expect(states.at(-1)).toBe('opted out');
			const reached = await box.reached('sale');
			expect(new Set(reached).size).toBe(reached.length);
			expect(reached).not.toContain(stopped);
			expect(reached.length).toBeGreaterThanOrEqual(all.length - 1 - inDoubt);
			expect(inDoubt).toBeLessThanOrEqual(10);
		},
		5 * LIMIT_MS,
	);
});
