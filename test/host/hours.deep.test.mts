/** At 03:55 of the time zone in Settings nobody is written to, and at 09:05 everybody is. */
import { number } from './harness/conversations.mts';
import { Example, zoneAt } from './harness/examples.mts';
import type { Host } from './harness/host.mts';
import { accountWithClock } from './harness/movedClock.mts';
import { reply, textsTo } from './harness/questions.mts';
import { OUTBOX, replaced, sendRows } from './harness/stages.mts';

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
	account = await accountWithClock(['Follow-Ups', 'Outbox']);
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
	'Outbox: rows wait until the hours of the zone in the workflow’s settings',
	async () => {
		const customers = { ...account, channelId: account.channels[1] ?? '' };
		const { channelId } = customers;
		for (const [index, hour] of [3, 21, 10, 18].entries()) {
			const isDay = hour === 10 || hour === 18;
			const customer = number(10 + index);
			await reply(customers, customer, 'Hello');
			const settings = { zone: zoneAt(hour) };
			const outbox = await Example.import(host, 'outbox', channelId, { settings });
			await outbox.insert({ list: 'Sale', customer, text: 'It begins.', state: 'to send' }, OUTBOX);
			await sendRows({ host }, outbox);
			expect(await textsTo({ host, channelId }, customer)).toHaveLength(isDay ? 1 : 0);
			expect(await outbox.rows(OUTBOX)).toMatchObject([
				{ state: isDay ? 'sent' : 'to send', reason: isDay ? '' : null },
			]);
		}
	},
	LIMIT_MS,
);
