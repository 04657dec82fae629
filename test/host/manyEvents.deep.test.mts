import { until } from '../../scripts/until.mts';
import { number } from './harness/conversations.mts';
import { Example, itemsOf, ownAccount } from './harness/examples.mts';
import type { Host } from './harness/host.mts';

const EVENTS = 60;
const LIMIT_MS = 60_000;

let host: Host;
let channelId: string;

beforeAll(async () => {
	const account = await ownAccount(['Many Events']);
	({ host } = account);
	[channelId = ''] = account.channels;
});
afterAll(async () => await host?.cleanUp());

test('stores every event as a row in one step, in fewer executions than there are events', async () => {
	const example = await Example.import(host, 'many-events', channelId);
	await example.publish();
	await Promise.all(
		Array.from({ length: EVENTS }, async (_, index) => {
			await host.sandbox.customerWrites({
				channelId,
				from: number(700 + (index % 10)),
				name: 'Customer',
				text: `Message ${index}`,
			});
		}),
	);
	const rows = await until(
		`${EVENTS} rows`,
		async () => ((all) => all.length >= EVENTS && all)(await example.rows()),
		LIMIT_MS,
	);
	expect(rows).toHaveLength(EVENTS);
	expect(new Set(rows.map(({ messageId }) => messageId)).size).toBe(EVENTS);
	for (const row of rows)
		expect(row).toMatchObject({
			event: 'MESSAGE_RECEIVED',
			channelId,
			customer: expect.stringMatching(/^55119/) as string,
		});
	const executions = await example.executions(1);
	const perExecution = executions.map(
		(execution) => itemsOf(execution, 'When Events Arrive').length,
	);
	expect(perExecution.reduce((sum, count) => sum + count, 0)).toBe(EVENTS);
	for (const execution of executions)
		expect(itemsOf(execution, 'Store All of Them')).toHaveLength(1);
	if (host.underTest.generation === 'current') expect(executions.length).toBeLessThan(EVENTS);
});
