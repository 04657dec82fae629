/**
 * What a customer wrote last counts, in whatever order the service delivers it, and however the ID
 * of the channel is spelled.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { DeliveryView } from '#sandbox/http/control/deliveries.mts';
import { until } from '#scripts/until.mts';
import { addChannel } from './harness/rehearsals.mts';
import { clearFaults, number } from './harness/conversations.mts';
import { Example, itemsOf, ownAccount } from './harness/examples.mts';
import type { Host } from './harness/host.mts';
import {
	type Customers,
	listWebhooks,
	newestLinkButton,
	reply,
	submit,
	tap,
	textsTo,
	waiting,
} from './harness/questions.mts';
import {
	addTemplate,
	broadcastTo,
	nodesChanged,
	outboxOf,
	replaced,
	sendRows,
} from './harness/stages.mts';

const TIMES = 20;
const LIMIT_MS = 420_000;

let account: Awaited<ReturnType<typeof ownAccount>>;
let host: Host;
beforeAll(async () => {
	account = await ownAccount(['Opt-Out', 'Appointments', 'Spellings']);
	({ host } = account);
	await addTemplate(account);
});
afterAll(async () => await host?.cleanUp());

const customersFrom = (first: number) =>
	Array.from({ length: TIMES }, (_, index) => number(first + index));

/**
 * Two words of each are written while n8n is away, and delivered together: to half of the customers
 * the later one first.
 */
async function whileAway(
	customers: Customers,
	all: string[],
	words: Array<(from: string) => Promise<void>>,
): Promise<void> {
	const { sandbox } = host;
	const [webhook] = await listWebhooks(customers);
	const webhookId = String(webhook?.id);
	// More than there are events: while words are still written, the first ones are tried again.
	const times = 10_000;
	await sandbox.post('/_sandbox/faults', { on: 'webhook', kind: 'dropBefore', webhookId, times });
	for (const from of all)
		for (const word of words) {
			await word(from);
			// Of two words of one millisecond, neither is the later one.
			await sleep(2);
		}
	const pending = async (): Promise<DeliveryView[]> => {
		const { deliveries } = await sandbox.get<{ deliveries: DeliveryView[] }>(
			`/_sandbox/deliveries?state=PENDING&limit=1000&webhookId=${webhookId}`,
		);
		return deliveries.sort((one, other) => one.id - other.id);
	};
	const missed = await until(
		'every event to be missed',
		async () => {
			const events = (await pending()).filter(({ attempts }) => attempts > 0);
			return events.length === all.length * words.length && events;
		},
		LIMIT_MS,
	);
	await clearFaults(host);
	const half = missed.length / 2;
	// What is in flight just now is refused, and arrives by itself.
	const redeliver = async ({ id }: DeliveryView) =>
		await sandbox.post(`/_sandbox/deliveries/${id}/redeliver`, {}).catch(() => undefined);
	await Promise.all([...missed.slice(0, half), ...missed.slice(half).reverse()].map(redeliver));
	// A busy n8n can take an event and answer too late: the service would try again in five minutes.
	const failedAgain = ({ id, attempts }: DeliveryView) =>
		attempts > (missed.find((event) => event.id === id)?.attempts ?? 0);
	await until(
		'every event to be delivered',
		async () => {
			const left = await pending();
			await Promise.all(left.filter(failedAgain).map(redeliver));
			return left.length === 0;
		},
		LIMIT_MS,
		1000,
	);
}

test(
	'STOP and START: the later one counts, twenty times in both orders',
	async () => {
		const customers = { ...account, channelId: account.channels[0] ?? '' };
		const example = await Example.import(host, 'opt-out', customers.channelId);
		await example.publish();
		const write = (text: string) => async (from: string) => await reply(customers, from, text);
		const [stopping, starting] = [customersFrom(0), customersFrom(100)];
		await whileAway(customers, stopping, [write('START'), write('STOP')]);
		for (const count of [TIMES, 2 * TIMES]) await example.executions(count);
		await whileAway(customers, starting, [write('STOP'), write('START')]);
		for (const count of [3 * TIMES, 4 * TIMES]) await example.executions(count);
		const states = new Map<unknown, Set<unknown>>();
		for (const { customer, state } of await example.rows())
			states.set(customer, (states.get(customer) ?? new Set()).add(state));
		expect([...states].filter(([, of]) => of.size > 1)).toEqual([]);
		const are = (all: string[]) => all.map((one) => [...(states.get(one) ?? [])].join(' and '));
		expect(are(stopping)).toEqual(stopping.map(() => 'stopped'));
		expect(are(starting)).toEqual(starting.map(() => 'started'));
	},
	LIMIT_MS,
);

test(
	'"Yes" and "Please cancel it": the later one counts, twenty times in both orders',
	async () => {
		const customers = { ...account, channelId: account.channels[1] ?? '' };
		const quick = replaced('"maxPerSecond":5', '"maxPerSecond":50');
		const example = await Example.import(
			host,
			'confirm-appointments',
			customers.channelId,
			{},
			quick,
		);
		const [cancelling, coming] = [customersFrom(200), customersFrom(300)];
		for (const customer of [...cancelling, ...coming]) {
			await reply(customers, customer, 'Hello');
			const startsAt = new Date(Date.now() + 24 * 3_600_000).toISOString();
			const row = { appointmentId: customer, customer, name: '', startsAt, state: 'to ask' };
			await example.insert(row);
		}
		await example.publish();
		await host.client.execute(example.workflow, 'Every Five Minutes');
		const taps = (title: string) => async (from: string) => await tap(customers, from, title);
		const [yes, cancel] = ['Yes, I will come', 'Please cancel it'] as const;
		await whileAway(customers, cancelling, [taps(yes), taps(cancel)]);
		for (const count of [TIMES, 2 * TIMES]) await example.executions(1 + count);
		await whileAway(customers, coming, [taps(cancel), taps(yes)]);
		for (const count of [3 * TIMES, 4 * TIMES]) await example.executions(1 + count);
		const states = new Map((await example.rows()).map(({ customer, state }) => [customer, state]));
		expect(cancelling.map((one) => states.get(one))).toEqual(cancelling.map(() => 'cancelled'));
		expect(coming.map((one) => states.get(one))).toEqual(coming.map(() => 'confirmed'));
	},
	LIMIT_MS,
);

const hyphened = (id: string) =>
	id.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
const SPELLINGS: Array<(id: string) => string> = [(id) => id, (id) => id.toLowerCase(), hyphened];

/** The channel is entered *By ID* wherever it was chosen. */
const enteredAs = (channelId: string) =>
	nodesChanged((node) => {
		const { channelId: chosen } = node.parameters as { channelId?: { value?: string } };
		return chosen?.value === channelId.toUpperCase().replaceAll('-', '')
			? {
					...node,
					parameters: {
						...node.parameters,
						channelId: { __rl: true, mode: 'id', value: channelId },
					},
				}
			: node;
	});

test.each(SPELLINGS.map((spell) => [spell('019E4C54B1B375A28970B605CA9B03C3'), spell] as const))(
	'STOP of a name and "Please cancel it" hold with the channel as %s',
	async (_, spell) => {
		const channelId = await addChannel(host, account.secretKey, 'PHOTO_INBOX');
		const customers = { ...account, channelId };
		const change = enteredAs(spell(channelId));
		const importAs = async (name: string, dataTables?: Example['dataTables']) =>
			await Example.import(host, name, channelId, dataTables ? { dataTables } : {}, change);
		const optOut = await importAs('opt-out');
		await optOut.publish();
		const [stopped, other, approver] = ['ana.b', 'ben.c', 'boss.d'];
		for (const from of [stopped, other, approver]) await reply(customers, from, 'Hello');
		await reply(customers, stopped, 'STOP');
		await optOut.executions(4);
		const broadcast = await Example.import(
			host,
			'approve-before-broadcast',
			channelId,
			{ dataTables: optOut.dataTables },
			(workflow) =>
				replaced('5500000000010', approver)(broadcastTo(stopped, other)(change(workflow))),
		);
		const id = (await host.client.runManually(broadcast.workflow, 'When Clicking Execute')) ?? '';
		await waiting(host, id);
		await submit((await newestLinkButton(customers, approver)).url, { approved: 'true' });
		expect((await host.client.finishedExecution(id)).status).toBe('success');
		await sendRows({ host }, await outboxOf(host, channelId, broadcast, change));
		expect((await textsTo(customers, other)).at(-1)).toContain('20 % off');
		expect((await textsTo(customers, stopped)).join('\n')).not.toContain('20 % off');

		const appointments = await importAs('confirm-appointments', optOut.dataTables);
		await appointments.publish();
		const startsAt = new Date(Date.now() + 24 * 3_600_000).toISOString();
		const row = { name: '', startsAt, state: 'to ask' };
		await appointments.insert({ ...row, appointmentId: 'A-1', customer: other });
		const asked = await host.client.execute(appointments.workflow, 'Every Five Minutes');
		expect(itemsOf(asked, 'Ask')).toHaveLength(1);
		await tap(customers, other, 'Please cancel it');
		await appointments.executions(2);
		expect(await appointments.rows()).toMatchObject([{ state: 'cancelled' }]);
		// A row that was asked before, under the ID as it was entered.
		const old = { appointmentId: 'A-2', customer: stopped, key: `${spell(channelId)}:${stopped}` };
		await appointments.insert({ ...row, ...old, state: 'asked' });
		await reply(customers, stopped, 'Please cancel it');
		await appointments.executions(3);
		expect((await appointments.rows()).map(({ state }) => state)).toEqual([
			'cancelled',
			'cancelled',
		]);
	},
	LIMIT_MS,
);
