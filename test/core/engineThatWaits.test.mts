/**
 * Send and Wait in executions that cannot wait: those of n8n's second engine, as its nodes see
 * them.
 */
import { byId, CHANNEL } from '../support/constants.mts';
import { runInEngine } from './harness/engine.mts';
import { startService } from './harness/textService.mts';

/** The ids that n8n 2.41 gives to its second engine's executions. */
const UUID_V7 = '019e6f1a-0000-7002-8d74-a097e650d753';
const UUID_V4 = '019e6f1a-0000-4002-8d74-a097e650d753';

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => (service = await startService()));
afterAll(async () => await service.close());
beforeEach(() => service.accepted.splice(0));

const ask = async (executionId: string, workflowSettings = {}) =>
	await runInEngine({
		baseUrl: service.url,
		...{ executionId, workflowSettings },
		parameters: {
			resource: 'message',
			operation: 'sendAndWait',
			channelId: byId(CHANNEL),
			recipient: '5511999990000',
			message: 'Ship it?',
			responseType: 'approval',
		},
	});

test.each([
	['whose settings n8n hides', UUID_V7, {}],
	['whose settings n8n shows', UUID_V7, { engineType: 'v2' }],
	['whatever its ids are', '7', { engineType: 'v2' }],
])('asks nothing in an execution of the second engine, %s', async (_what, id, settings) => {
	const { error, run } = await ask(id, settings);
	expect(error?.message).toMatch(/second engine, which does not wait for replies/);
	expect(error?.message).toMatch(/Nothing was sent/);
	expect(run.waitTill).toBeUndefined();
	expect(service.accepted).toEqual([]);
});

test.each([
	['that is counted', '7', {}],
	['whose count has as many digits', `${'1'.repeat(14)}7`, {}],
	['with settings', UUID_V7, { executionOrder: 'v1' }],
	['that names its engine', UUID_V7, { engineType: 'v1' }],
	['with an id of another kind', UUID_V4, {}],
])('waits in an execution of the first engine: one %s', async (_what, id, settings) => {
	const { error, run } = await ask(id, settings);
	expect(error).toBeUndefined();
	expect(run.waitTill).toBeInstanceOf(Date);
	expect(service.accepted).toHaveLength(1);
});
