import type { IDataObject } from 'n8n-workflow';

import { until } from '#scripts/until.mts';
import { number, sendRequests } from './harness/conversations.mts';
import { Example } from './harness/examples.mts';
import type { Host } from './harness/host.mts';
import { accountWithClock } from './harness/movedClock.mts';
import { textsTo } from './harness/questions.mts';
import { replaced, shortWait } from './harness/stages.mts';

const HOUR_MIN = 60;
const TRIGGER = 'Every Five Minutes';
/** The words of the template that the example names. */
const TEMPLATE = 'Hello! How can we help you?';
/** The name of one that is not approved. */
const PAUSED = 'paused';

let account: Awaited<ReturnType<typeof accountWithClock>>;
let host: Host;

beforeAll(async () => {
	account = await accountWithClock(['Follow-Ups', 'Failures', 'Opt-Out', 'Meanwhile', 'Status']);
	({ host } = account);
	const template = { body: TEMPLATE, tenant: account.tenantId };
	for (const more of [
		{ name: 'welcome', status: 'APPROVED' },
		{ name: PAUSED, status: 'PAUSED' },
	])
		await host.sandbox.post('/_sandbox/message-templates', { ...template, ...more });
});
afterAll(async () => await account?.remove());

async function publishExample(channelId: string, template = 'welcome'): Promise<Example> {
	const change = replaced('"welcome"', JSON.stringify(template));
	const example = await Example.import(host, 'scheduled-follow-ups', channelId, {}, (workflow) =>
		change(shortWait(workflow)),
	);
	await account.publishEarlier(example);
	return example;
}

/** A customer writes this long ago, by the clocks of the service and n8n. */
async function wrote(
	example: Example,
	channelId: string,
	from: string,
	hoursAgo: number,
	text: string,
): Promise<void> {
	await account.moveClock(hoursAgo * HOUR_MIN);
	await host.sandbox.customerWrites({ channelId, from, name: 'Ana', text });
	await until(
		`'${text}' to be kept`,
		async () => (await rowOf(example, from))?.lastText === text,
		30_000,
	);
	await account.moveClock(0);
}

/** The next send gets this fault. */
const fail = async (fault: object) =>
	await host.sandbox.post('/_sandbox/faults', {
		on: 'route',
		operation: 'sendMessage',
		times: 1,
		...fault,
	});

const rowOf = async (example: Example, customer: string): Promise<IDataObject | undefined> =>
	(await example.rows()).find((row) => row.customer === customer);

test('writes to each customer whose window soon closes, and sends a template if it is closed', async () => {
	const [channelId = ''] = account.channels;
	const example = await publishExample(channelId);
	const [closed, recent, back, ...due] = Array.from({ length: 14 }, (_, index) =>
		number(index),
	) as [string, string, string, ...string[]];
	await wrote(example, channelId, closed, 25, 'Too long ago');
	for (const [index, customer] of due.entries())
		await wrote(example, channelId, customer, 21, `Question ${index}`);
	await wrote(example, channelId, recent, 1, 'Just now');
	await wrote(example, channelId, back, 22, 'First');
	await wrote(example, channelId, back, 2, 'Back again');

	expect(await example.run(TRIGGER, 'Report')).toEqual([]);
	for (const [index, customer] of due.entries()) {
		expect(await textsTo({ host, channelId }, customer)).toEqual([
			`Hello Ana! Did we answer your question "Question ${index}"? If anything is open, just write to us here.`,
		]);
		expect((await rowOf(example, customer))?.followUp).toBe('sent');
	}
	expect(await textsTo({ host, channelId }, closed)).toEqual([TEMPLATE]);
	expect((await rowOf(example, closed))?.followUp).toBe('sent');
	for (const customer of [recent, back]) {
		expect(await textsTo({ host, channelId }, customer)).toEqual([]);
		expect((await rowOf(example, customer))?.followUp).toBe('waiting');
	}

	// The template has the pace of the texts, after the refused one.
	const { times } = await sendRequests(host, channelId);
	expect(times).toHaveLength(due.length + 2);
	for (const [index, time] of times.slice(5).entries())
		expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(1000);

	// An hour later everybody has got a message, and a new one starts afresh.
	expect(await example.run(TRIGGER, 'Report')).toEqual([]);
	expect((await sendRequests(host, channelId)).times).toHaveLength(due.length + 2);
	const [again = ''] = due;
	await wrote(example, channelId, again, 20.5, 'Another question');
	expect(await example.run(TRIGGER, 'Report')).toEqual([]);
	expect(await textsTo({ host, channelId }, again)).toHaveLength(2);

	// A month later nobody needs the row, whatever became of it.
	const monthAgo = new Date(Date.now() - 31 * 24 * 3_600_000).toISOString();
	const since = { lastMessageAt: monthAgo };
	await example.updateRows({ columnName: 'customer', value: closed }, since);
	expect(await example.run(TRIGGER, 'Report')).toEqual([]);
	expect(await rowOf(example, closed)).toBeUndefined();
	for (const customer of [recent, back, ...due])
		expect(await rowOf(example, customer)).toMatchObject({ customer });
});

test('retries an unreached customer in the next hour, and does not write again if the result is unknown', async () => {
	const channelId = account.channels[1] ?? '';
	const example = await publishExample(channelId);
	const [later, unknown] = [number(200), number(201)];
	await wrote(example, channelId, later, 21, 'Later');
	await fail({ kind: 'status', status: 401 });
	expect(await example.run(TRIGGER, 'Report')).toEqual([
		expect.objectContaining({ customer: later, followUp: 'waiting' }),
	]);
	expect(await textsTo({ host, channelId }, later)).toEqual([]);
	expect(await example.run(TRIGGER, 'Report')).toEqual([]);
	expect(await textsTo({ host, channelId }, later)).toHaveLength(1);

	await wrote(example, channelId, unknown, 21, 'Unknown');
	await fail({ kind: 'dropAfter' });
	expect(await example.run(TRIGGER, 'Report')).toEqual([
		expect.objectContaining({ customer: unknown, followUp: 'unknown_outcome' }),
	]);
	expect(await example.run(TRIGGER, 'Report')).toEqual([]);
	expect(await textsTo({ host, channelId }, unknown)).toHaveLength(1);
});

test('sends nothing again for a row that a crash put back to waiting, neither text nor template', async () => {
	const channelId = account.channels[1] ?? '';
	const example = await publishExample(channelId);
	const [text, template] = [number(500), number(501)];
	await wrote(example, channelId, template, 25, 'Closed');
	await wrote(example, channelId, text, 21, 'Open');
	expect(await example.run(TRIGGER, 'Report')).toEqual([]);
	const sent = (await sendRequests(host, channelId)).times.length;
	for (const customer of [text, template]) {
		expect(await textsTo({ host, channelId }, customer)).toHaveLength(1);
		await example.updateRows({ columnName: 'customer', value: customer }, { followUp: 'waiting' });
	}
	expect(await example.run(TRIGGER, 'Report')).toEqual([]);
	expect((await sendRequests(host, channelId)).times).toHaveLength(sent);
	for (const customer of [text, template])
		expect((await rowOf(example, customer))?.followUp).toBe('sent');
});

test('keeps the newest of messages that arrive late or at one moment, for one follow-up', async () => {
	const channelId = account.channels[1] ?? '';
	const example = await publishExample(channelId);
	const [late, quick] = [number(100), number(300)];
	const write = async (hoursAgo: number, from: string, ...texts: string[]) => {
		await account.moveClock(hoursAgo * HOUR_MIN);
		const all = texts.map((text) =>
			host.sandbox.customerWrites({ channelId, from, name: 'Ana', text }),
		);
		await Promise.all(all);
		await account.moveClock(0);
	};
	await write(1, late, 'The newer one');
	await example.executions(1);
	const newer = await rowOf(example, late);
	expect(newer).toMatchObject({ lastText: 'The newer one' });
	await write(30, late, 'The older one');
	await write(21, quick, 'One', 'Two', 'Three');
	await example.executions(5);
	expect(await rowOf(example, late)).toMatchObject({
		...{ lastText: 'The newer one', lastMessageAt: newer?.lastMessageAt },
	});
	for (const _ of [1, 2]) expect(await example.run(TRIGGER, 'Report')).toEqual([]);
	expect(await textsTo({ host, channelId }, quick)).toHaveLength(1);
	expect(await textsTo({ host, channelId }, late)).toEqual([]);
});

/** Kept as the trigger keeps it. */
const waitingRow = (channelId: string, customer: string, hoursAgo: number, lastText: string) => ({
	...{ channelId, customer, recipient: customer, name: 'Ana', lastText, followUp: 'waiting' },
	lastMessageAt: new Date(Date.now() - hoursAgo * HOUR_MIN * 60_000).toISOString(),
});

test('asks nobody about START or STOP, nor about what is older than two days', async () => {
	const channelId = account.channels[2] ?? '';
	const example = await publishExample(channelId);
	const [start, here, again, old, due] = Array.from({ length: 5 }, (_, index) =>
		number(600 + index),
	) as [string, string, string, string, string];
	const hours = { [start]: 21, [here]: 21, [again]: 21, [old]: 49, [due]: 21 };
	const rows = Object.entries(hours).map(([one, ago]) => waitingRow(channelId, one, ago, one));
	await example.insert(rows);
	const changedAt = rows[0]!.lastMessageAt;
	const hourBefore = new Date(Date.parse(changedAt) - 3_600_000).toISOString();
	await example.insert(
		[
			{ customer: start, state: 'started', changedAt },
			{ customer: `${channelId}:${here}`, state: 'started', changedAt },
			// Wrote a question after START.
			{ customer: again, state: 'started', changedAt: hourBefore },
		],
		'Business Messaging Opt-Out',
	);
	expect(await example.run(TRIGGER, 'Report')).toEqual([]);
	const states = (await example.rows()).map(({ customer, followUp }) => [customer, followUp]);
	expect(Object.fromEntries(states)).toEqual({
		...{ [start]: 'waiting', [here]: 'waiting', [again]: 'sent', [old]: 'waiting', [due]: 'sent' },
	});
	expect((await sendRequests(host, channelId)).times).toHaveLength(4);
});

test('writes to nobody who wrote, or was answered, while others got theirs', async () => {
	const channelId = account.channels[3] ?? '';
	const example = await publishExample(channelId);
	const all = Array.from({ length: 12 }, (_, index) => number(700 + index));
	await example.insert(all.map((one, at) => waitingRow(channelId, one, 22 + at / 100, 'When?')));
	const before = (await sendRequests(host, channelId)).times.length;
	const id = (await host.client.runManually(example.workflow, TRIGGER)) ?? '';
	await until(
		'the first to be sent',
		async () => (await sendRequests(host, channelId)).times.length > before,
		60_000,
		20,
	);
	// The oldest is the last.
	const [wrote = '', answered = ''] = all.slice(-2);
	const now = new Date().toISOString();
	await example.updateRows({ columnName: 'customer', value: wrote }, { lastMessageAt: now });
	await example.updateRows({ columnName: 'customer', value: answered }, { followUp: 'answered' });
	expect((await host.client.finishedExecution(id)).status).toBe('success');
	for (const one of [wrote, answered]) expect(await textsTo({ host, channelId }, one)).toEqual([]);
	const states = (await example.rows()).map(({ followUp }) => followUp);
	expect(states.filter((state) => state === 'sent')).toHaveLength(10);
	expect((await rowOf(example, wrote))?.followUp).toBe('waiting');
});

test('a failed status of another message changes nothing, and that of the follow-up does', async () => {
	const channelId = account.channels[4] ?? '';
	const example = await publishExample(channelId);
	const customer = number(800);
	const progression = { upTo: 'SENT', stepMs: 1 };
	await host.sandbox.patch('/_sandbox/settings', { progression });
	await host.sandbox.customerWrites({ channelId, from: customer, name: 'Ana', text: 'Hello' });
	await until('a row', async () => await rowOf(example, customer), 60_000);
	const since = waitingRow(channelId, customer, 21, 'When?').lastMessageAt;
	await example.updateRows({ columnName: 'customer', value: customer }, { lastMessageAt: since });
	expect(await example.run(TRIGGER, 'Report')).toEqual([]);
	const row = await rowOf(example, customer);
	expect(row).toMatchObject({ followUp: 'sent', messageId: expect.stringMatching(/./) as string });
	const content = { type: 'TEXT', body: { message: 'Another' } };
	const { messageId } = await host.callService<{ messageId: string }>(
		`/v1/channels/${channelId}/messages`,
		account.secretKey,
		{ method: 'POST', body: { recipient: { identifier: customer }, content } },
	);
	const fails = async (message: unknown, count: number) => {
		await host.sandbox.post(`/_sandbox/messages/${String(message)}/status`, { status: 'FAILED' });
		await until(
			'the failure to be judged',
			async () =>
				(await example.executions(0)).filter(
					({ resultData }) => 'Keep That It Failed' in resultData.runData,
				).length === count,
			90_000,
		);
	};
	await fails(messageId, 1);
	expect(await rowOf(example, customer)).toEqual(row);
	await fails(row?.messageId, 2);
	expect((await rowOf(example, customer))?.followUp).toMatch(/^failed/);
});
