/** The trigger's option Ignore Older Than, in n8n-core's WebhookContext. */
import type { IDataObject } from 'n8n-workflow';

import { steadyClock } from '#nodes/shared/tools/clock.ts';
import { deliver, messageBody, signed } from './harness/deliveries.mts';
import { fakeServiceOfEachTest } from './harness/fakeService.mts';
import { logged } from './harness/logged.mts';
import { startPublished } from './harness/publishedReceiver.mts';

const HOUR = 3_600_000;
const STARTED = { status: 200, body: '{"message":"Workflow was started"}' };
const IGNORED = { status: 200, body: '{"message":"Filtered out"}' };

const service = fakeServiceOfEachTest();
let stop = async () => {};
/** Ends the pause between two lines in the log. */
let nextMinute = () => {};

beforeEach(() => {
	const sleep = steadyClock.sleep.bind(steadyClock);
	jest.spyOn(steadyClock, 'sleep').mockImplementation(async (milliseconds) => {
		if (milliseconds < 60_000) return await sleep(milliseconds);
		await new Promise<void>((resolve) => (nextMinute = resolve));
	});
});
afterEach(async () => await stop());

async function receiving(options: IDataObject = {}) {
	const { receiver, token, secret } = await startPublished(service, {
		channelEvents: ['MESSAGE_RECEIVED', 'MESSAGE_STATUS'],
		options,
	});
	stop = async () => await receiver.stop();
	let number = 0;
	const send = async (body: unknown) => {
		const headers = { authorization: `Bearer ${token}` };
		const key = `messages:0:${++number}`;
		return await deliver(receiver.url, signed(body, { secret, headers, key }));
	};
	return { executions: receiver.executions, send };
}

let id = 0;
/** Ages in hours. Null: without this time. */
function aged(
	moment: number | null,
	created = moment,
	given: Parameters<typeof messageBody>[0] = {},
) {
	const { message, ...more } = messageBody({ ...given, id: `${++id}`.padStart(32, '0') });
	const at = (hours: number | null) => (hours === null ? null : Date.now() - hours * HOUR);
	const metadata = { ...message.metadata, moment: at(moment) };
	return { ...more, message: { ...message, created: at(created), metadata } };
}

test.each<[what: string, options: IDataObject, body: () => object, starts: boolean]>([
	['of last month', {}, () => aged(720), false],
	['of last month, with raw output', { output: 'raw' }, () => aged(720), false],
	['that was delivered for 76 hours', {}, () => aged(76), true],
	['just below 96 hours', {}, () => aged(95.9), true],
	['just above 96 hours', {}, () => aged(96.1), false],
	['whose moment alone is old', {}, () => aged(720, 1), true],
	['whose creation alone is old', {}, () => aged(1, 720), true],
	['without a moment, and old', {}, () => aged(null, 720), false],
	['without a time', {}, () => aged(null), true],
	['of last month, without a limit', { ignoreOlderThan: 0 }, () => aged(720), true],
	['of last month, by a longer limit', { ignoreOlderThan: 800 }, () => aged(720), true],
	['of two hours, by a short limit', { ignoreOlderThan: '1.5' }, () => aged(2), false],
	['whose status is read a week later', {}, () => aged(168, 168, { fromMe: true }), true],
])('a message %s', async (_what, options, body, starts) => {
	const { executions, send } = await receiving(options);
	expect(await send(body())).toMatchObject(starts ? STARTED : IGNORED);
	expect(executions).toHaveLength(starts ? 1 : 0);
});

test('the new ones of a delivery start, and the log counts the others once a minute', async () => {
	const { executions, send } = await receiving({ ignoreOlderThan: 1 });
	const said = logged('warn');
	const lines = () => said.map(([words]) => String(words));
	const line = (count: string) =>
		`Older than 1 hours, so ignored: ${count}. The option "Ignore Older Than" says so`;
	expect(await send([aged(2), aged(0), aged(3)])).toMatchObject(STARTED);
	expect(executions).toHaveLength(1);
	await send(aged(2));
	await send([aged(2), aged(2)]);
	expect(lines()).toEqual([line('2 messages')]);
	nextMinute();
	await new Promise(setImmediate);
	expect(lines()).toEqual([line('2 messages'), line('3 messages')]);
	nextMinute();
	await new Promise(setImmediate);
	await send(aged(2));
	expect(lines()).toEqual([line('2 messages'), line('3 messages'), line('1 message')]);
});
