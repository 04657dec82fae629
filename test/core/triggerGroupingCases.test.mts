/** Which deliveries share an execution, and which do not, behind a real HTTP server that responds as n8n does. */
import type { IDataObject } from 'n8n-workflow';

import { until } from '../../scripts/until.mts';
import { deliver, messageBody, signed } from './harness/deliveries.mts';
import { type FakeService, startFakeService } from './harness/fakeService.mts';
import { heldStore, startPublished } from './harness/publishedReceiver.mts';

const LIMIT_MS = 10_000;

type Published = Awaited<ReturnType<typeof startPublished>>;
let service: FakeService;
let triggers: Published[] = [];

beforeEach(async () => {
	service = await startFakeService();
});
afterEach(async () => {
	for (const { receiver } of triggers) await receiver.stop();
	triggers = [];
	await service.close();
});

async function publishedTrigger(parameters: IDataObject): Promise<Published> {
	// A registration of its own for each: two workflows have different addresses.
	service.webhooks('019E4C54B1B375A28970B605CA9B03C3').length = 0;
	const trigger = await startPublished(service, parameters);
	triggers.push(trigger);
	return trigger;
}

const send = async ({ receiver, secret, token }: Published, number: number, body: unknown) =>
	await deliver(
		receiver.url,
		signed(body, {
			secret,
			key: `messages:0:${number}`,
			headers: { authorization: `Bearer ${token}` },
		}),
	);
const message = (text: string) => messageBody({ text });

it('keeps the triggers of a process apart, also for one customer', async () => {
	const by = { grouping: 'customer', options: { quietTime: 0.4 } };
	const [first, second] = [await publishedTrigger(by), await publishedTrigger(by)];
	await Promise.all([send(first, 1, message('one')), send(second, 2, message('two'))]);
	expect(first.receiver.executions).toMatchObject([[{ json: { text: 'one' } }]]);
	expect(second.receiver.executions).toMatchObject([[{ json: { text: 'two' } }]]);
});

it('by arrival joins events of any kind, whoever they are about', async () => {
	const trigger = await publishedTrigger({ grouping: 'arrival' });
	const { open, arrived, wait } = heldStore();
	trigger.receiver.store = wait;
	const first = send(trigger, 1, message('one'));
	await arrived;
	const others = [send(trigger, 2, { battery: 80 }), send(trigger, 3, message('two'))];
	await until('all to arrive', () => trigger.receiver.arrived === 3, LIMIT_MS, 5);
	open();
	for (const { body } of await Promise.all([first, ...others]))
		expect(body).toBe('{"message":"Workflow was started"}');
	expect(trigger.receiver.executions.map((items) => items.length)).toEqual([1, 2]);
});
