import {
	clearFaults,
	number,
	openConversations,
	sendRequests,
	sendTextParameters,
} from './harness/conversations.mts';
import { ACTION, Host, startNode } from './harness/host.mts';

const host = new Host();
const recipients = Array.from({ length: 30 }, (_, index) => number(index));

afterEach(async () => {
	await clearFaults(host);
	await host.cleanUp();
});

/**
 * Starts executions of one text each, all at once, as events do. @returns when the service got the
 * texts, ascending
 */
async function sendFromMany(
	count: number,
	options: Record<string, number>,
	prepare: () => Promise<unknown> = async () => {},
): Promise<number[]> {
	const { channelId, credentialFor } = await openConversations(host, recipients.slice(0, count));
	const credential = await credentialFor(host.underTest.sandboxUrl);
	await prepare();
	const workflows = await Promise.all(
		recipients
			.slice(0, count)
			.map(
				async (to) =>
					await host.createWorkflow(
						'One text',
						[
							startNode(),
							host.node('Action', ACTION, sendTextParameters(channelId, options), credential),
						],
						[{ to, text: 'Hello' }],
					),
			),
	);
	const executions = await Promise.all(
		workflows.map(async (workflow) => await host.client.execute(workflow, 'Start')),
	);
	expect(executions.map(({ status }) => status)).toEqual(
		recipients.slice(0, count).map(() => 'success'),
	);
	return (await sendRequests(host, channelId)).times;
}

test('sends no more than 10 per second from 30 executions of one text each', async () => {
	const times = await sendFromMany(30, { maxPerSecond: 10 });
	expect(times).toHaveLength(30);
	for (let first = 0; first + 10 < times.length; first++)
		expect(times[first + 10]! - times[first]!).toBeGreaterThanOrEqual(1000);
}, 200_000);
