/** At 03:55 of the time zone in Settings nobody is written to, and at 09:05 everybody is. */
import { until } from '#scripts/until.mts';
import { number } from './harness/conversations.mts';
import { Example, itemsOf } from './harness/examples.mts';
import type { Host } from './harness/host.mts';
import { accountWithClock } from './harness/movedClock.mts';
import { newestLinkButton, reply, submit, textsTo, waiting } from './harness/questions.mts';
import { broadcastTo, replaced } from './harness/stages.mts';

const APPROVER = '5500000000010';
const MORNING = 'Wait for the Morning';
const LIMIT_MS = 240_000;
const CASES = ['America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'].flatMap((zone) => [
	// A time to come, so that n8n really waits, and one that is over.
	{ zone, now: '2035-03-02T03:55', isDay: false },
	{ zone, now: '2025-03-03T09:05', isDay: true },
]);
type Case = (typeof CASES)[number];

let account: Awaited<ReturnType<typeof accountWithClock>>;
let host: Host;
beforeAll(async () => {
	account = await accountWithClock(['Follow-Ups', 'Broadcast']);
	({ host } = account);
	const template = { name: 'welcome', body: 'Hello!', status: 'APPROVED' };
	await host.sandbox.post('/_sandbox/message-templates', {
		...{ ...template, tenant: account.tenantId },
	});
});
afterAll(async () => await account?.remove());

/** At this time of this zone. */
const importAt = async (
	name: string,
	channelId: string,
	{ zone, now }: Case,
	change: ReturnType<typeof replaced> = (workflow) => workflow,
) =>
	await Example.import(host, name, channelId, { settings: { zone } }, (workflow) =>
		change(
			replaced(
				'$now.setZone(',
				`DateTime.fromISO('${now}', { zone: '${zone}' }).setZone(`,
			)(workflow),
		),
	);

/** Waits until an execution of it waits for nine o'clock. */
const waits = async ({ workflow }: Example): Promise<void> =>
	void (await until(
		`'${workflow.name}' to wait for the morning`,
		async () => {
			for (const { id, status } of await host.client.listExecutions(workflow.id)) {
				if (status !== 'waiting') continue;
				const { resultData } = await host.client.getExecution(id);
				if (resultData?.lastNodeExecuted === MORNING) return true;
			}
			return false;
		},
		60_000,
	));

test(
	'Scheduled Follow-Ups',
	async () => {
		const channelId = account.channels[0] ?? '';
		for (const [index, one] of CASES.entries()) {
			const customer = number(index);
			await reply({ ...account, channelId }, customer, 'Do you deliver?');
			const example = await importAt(
				'scheduled-follow-ups',
				channelId,
				one,
				replaced('hours: 20', 'hours: 0'),
			);
			const row = {
				recipient: customer,
				name: 'Ana',
				lastText: 'Do you deliver?',
				followUp: 'waiting',
			};
			const lastMessageAt = new Date(Date.now() - 1000).toISOString();
			await example.insert({ ...row, channelId, customer, lastMessageAt });
			expect(await example.run('Every Hour', 'Report')).toEqual([]);
			expect(await textsTo({ host, channelId }, customer)).toHaveLength(one.isDay ? 1 : 0);
			expect(await example.rows()).toMatchObject([{ followUp: one.isDay ? 'sent' : 'waiting' }]);
		}
	},
	LIMIT_MS,
);

test(
	'Approve Before Broadcast',
	async () => {
		const customers = { ...account, channelId: account.channels[1] ?? '' };
		await reply(customers, APPROVER, 'Hello');
		for (const [index, one] of CASES.entries()) {
			const customer = number(10 + index);
			await reply(customers, customer, 'Hello');
			const list = broadcastTo(customer);
			const example = await importAt('approve-before-broadcast', customers.channelId, one, list);
			const id = (await host.client.runManually(example.workflow, 'When Clicking Execute')) ?? '';
			await waiting(host, id);
			await submit((await newestLinkButton(customers, APPROVER)).url, { approved: 'true' });
			if (one.isDay)
				expect(itemsOf(await host.client.finishedExecution(id), 'Send to Each')).toHaveLength(1);
			else await waits(example);
			expect(await textsTo(customers, customer)).toHaveLength(one.isDay ? 1 : 0);
		}
	},
	LIMIT_MS,
);
