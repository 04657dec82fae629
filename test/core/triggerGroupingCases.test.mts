/** Which deliveries share an execution, behind a real HTTP server that responds as n8n does. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { hostClock } from '../../nodes/BusinessMessaging/shared/clock.ts';
import { until } from '../../scripts/until.mts';
import { deliver, messageBody, signed, withIds } from './harness/deliveries.mts';
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
	// Each has its own registration, because two workflows have different addresses.
	service.webhooks('019E4C54B1B375A28970B605CA9B03C3').length = 0;
	// No request before a delivery enters its group, because it would change the order.
	const options = { ignoreReplies: false, ...(parameters.options as IDataObject | undefined) };
	const trigger = await startPublished(service, { ...parameters, options });
	triggers.push(trigger);
	return trigger;
}

const send = async ({ receiver, secret, token }: Published, number: number, body: unknown) =>
	await deliver(
		receiver.url,
		signed(withIds(body, number), {
			secret,
			key: `messages:0:${number}`,
			headers: { authorization: `Bearer ${token}` },
		}),
	);
const message = (text: string) => messageBody({ text });
function messageOf(identifier: string, text: string) {
	const { message: written, ...rest } = message(text);
	return { ...rest, message: { ...written, sender: { identifier, name: 'X' } } };
}
const arrivals = async ({ receiver }: Published, count: number) =>
	await until(`${count} deliveries to arrive`, () => receiver.arrived >= count, LIMIT_MS, 5);
const itemTexts = ({ receiver }: Published) =>
	receiver.executions.map((items) => items.map(({ json }) => json.text));

it('keeps the triggers of a process apart, even for one customer', async () => {
	const by = { grouping: 'customer', quietTime: 0.4 };
	const [first, second] = [await publishedTrigger(by), await publishedTrigger(by)];
	await Promise.all([send(first, 1, message('one')), send(second, 2, message('two'))]);
	expect(first.receiver.executions).toMatchObject([[{ json: { text: 'one' } }]]);
	expect(second.receiver.executions).toMatchObject([[{ json: { text: 'two' } }]]);
});

it('by arrival joins events of any kind and customer', async () => {
	const trigger = await publishedTrigger({ grouping: 'arrival' });
	const { open, arrived, wait } = heldStore();
	trigger.receiver.store = wait;
	const first = send(trigger, 1, message('one'));
	await arrived;
	const others = [send(trigger, 2, { battery: 80 }), send(trigger, 3, message('two'))];
	await arrivals(trigger, 3);
	open();
	for (const { body } of await Promise.all([first, ...others]))
		expect(body).toBe('{"message":"Workflow was started"}');
	expect(trigger.receiver.executions.map((items) => items.length)).toEqual([1, 2]);
});

it('by arrival waits only for the previous storing, however many come meanwhile', async () => {
	const trigger = await publishedTrigger({ grouping: 'arrival', options: { mostWaiting: 1 } });
	const { open, arrived, wait } = heldStore();
	trigger.receiver.store = wait;
	const sent = [send(trigger, 0, message('0'))];
	await arrived;
	for (let number = 1; number <= 89; number++)
		sent.push(send(trigger, number, message(`${number}`)));
	await arrivals(trigger, 90);
	open();
	await Promise.all(sent);
	expect(trigger.receiver.executions.map((items) => items.length)).toEqual([1, 89]);
});

it("by customer splits a flood at the limit, and no other workflow's burst", async () => {
	const by = { grouping: 'customer', quietTime: 3, options: { mostWaiting: 4 } };
	const [quiet, flooded] = [await publishedTrigger(by), await publishedTrigger(by)];
	const burst = [send(quiet, 1, messageOf('5511999990001', 'a'))];
	await arrivals(quiet, 1);
	await Promise.all([1, 2, 3].map(async (number) => await send(flooded, number, message('more'))));
	expect(itemTexts(flooded)).toEqual([['more\nmore\nmore']]);
	expect(itemTexts(quiet)).toEqual([]);
	burst.push(send(quiet, 2, messageOf('5511999990001', 'b')));
	await Promise.all(burst);
	expect(itemTexts(quiet)).toEqual([['a\nb']]);
});

it('counts the time of a slow list of questions towards the longest wait', async () => {
	const longestWait = 1;
	const by = {
		grouping: 'customer',
		quietTime: longestWait,
		options: { longestWait, ignoreReplies: true },
	};
	const trigger = await publishedTrigger(by);
	service.intercept = async () => void (await sleep(longestWait * 1100));
	const slept = jest.spyOn(hostClock, 'sleep');
	try {
		expect(await send(trigger, 1, message('late'))).toMatchObject({ status: 200 });
		expect(slept).not.toHaveBeenCalled();
	} finally {
		slept.mockRestore();
	}
	expect(itemTexts(trigger)).toEqual([['late']]);
});

it('gives a model a photo and a text of one burst in words, in bounds, and the workflow the whole text', async () => {
	const trigger = await publishedTrigger({
		grouping: 'customer',
		quietTime: 0.4,
		options: { chatFields: true },
	});
	const photo = message('');
	const attachments = [{ type: 'IMAGE', url: 'https://files.example/1' }];
	const bodies = [
		{ ...photo, message: { ...photo.message, contents: [], attachments } },
		message('Is it this?'),
		message('x'.repeat(20_000)),
	];
	await Promise.all(
		bodies.map(async (body, index) => {
			body.message.metadata.moment += index;
			await send(trigger, index, body);
		}),
	);
	const [item] = trigger.receiver.executions[0] ?? [];
	expect(item?.json).toMatchObject({
		chatInput: `(an image)\nIs it this?\n${'x'.repeat(4092)} […]`,
		text: `Is it this?\n${'x'.repeat(20_000)}`,
	});
});

it.each([
	[[], [{ type: 'AUDIO', url: 'https://files.example/2' }], '(a voice message)'],
	[[], [{ type: 'STICKER', url: 'https://files.example/3' }], '(a sticker)'],
	[[{ type: 'LOCATION', latitude: 1 }], [], '(a location)'],
	[[], [], '(an empty message)'],
])(
	'gives a model words for a single message without a text: %j %j',
	async (contents, attachments, chatInput) => {
		const trigger = await publishedTrigger({ options: { chatFields: true } });
		const body = message('');
		await send(trigger, 1, { ...body, message: { ...body.message, contents, attachments } });
		expect(trigger.receiver.executions).toMatchObject([[{ json: { text: null, chatInput } }]]);
	},
);
