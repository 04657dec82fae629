import { number } from './harness/conversations.mts';
import { Example, itemsOf, ownAccount } from './harness/examples.mts';
import type { Host } from './harness/host.mts';
import { textsTo } from './harness/questions.mts';

const TRIGGER = 'When a Customer Writes';
const [STOPPED, STARTED] = [
	'You get no more news from us. To get them again, write START. We still answer when you write to us.',
	'You get our news again. To stop them, write STOP.',
];

let host: Host;
let channelId: string;
let example: Example;

beforeAll(async () => {
	const account = await ownAccount(['Opt-Out']);
	({ host } = account);
	[channelId = ''] = account.channels;
	example = await Example.import(host, 'opt-out', channelId);
	await example.publish();
});
afterAll(async () => await host?.cleanUp());

let count = 0;
/** A customer writes. @returns the node that the workflow came to, once its execution is over */
async function writes(from: string, text: string): Promise<string[]> {
	await host.sandbox.customerWrites({ channelId, from, name: 'Ana', text });
	count += 1;
	const run = (await example.executions(count)).find(
		(execution) => itemsOf(execution, TRIGGER)[0]?.text === text,
	);
	return Object.keys(run?.resultData.runData ?? {});
}

const rowOf = async (customer: string) =>
	(await example.rows()).find((row) => row.customer === customer);

test('keeps the last word of a customer, and confirms each change once', async () => {
	const ana = number(700);
	await writes(ana, 'Stop!');
	expect(await textsTo({ host, channelId }, ana)).toEqual([STOPPED]);
	expect(await rowOf(ana)).toMatchObject({ state: 'stopped', changes: 1 });
	await writes(ana, ' STOP ');
	expect(await textsTo({ host, channelId }, ana)).toEqual([STOPPED]);
	await writes(ana, 'start');
	await writes(ana, 'stop');
	expect(await textsTo({ host, channelId }, ana)).toEqual([STOPPED, STARTED, STOPPED]);
	expect(await rowOf(ana)).toMatchObject({ state: 'stopped', changes: 3 });
});

test('confirms one of several at the same time', async () => {
	const ben = number(701);
	const texts = ['Stop', 'STOP', 'stop.'];
	await Promise.all(
		texts.map(
			async (text) =>
				await host.sandbox.customerWrites({ channelId, from: ben, name: 'Ben', text }),
		),
	);
	count += texts.length;
	await example.executions(count);
	expect(await textsTo({ host, channelId }, ben)).toEqual([STOPPED]);
});

test.each([
	['Opt-out!', STOPPED],
	['Arret', STOPPED],
	['ARRÊT', STOPPED],
	['Désabonner', STOPPED],
	['стоп', STOPPED],
	['停止', STOPPED],
])('knows %s', async (text, confirmed) => {
	const customer = number(710 + count);
	await writes(customer, text);
	expect(await textsTo({ host, channelId }, customer)).toEqual([confirmed]);
});

test.each(["Please don't stop", 'Stop it', '!', 'START'])(
	'keeps nothing of a customer who never stopped and writes %s',
	async (text) => {
		const customer = number(730 + count);
		expect(await writes(customer, text)).not.toContain('Keep It');
		expect(await textsTo({ host, channelId }, customer)).toEqual([]);
		expect(await rowOf(customer)).toBeUndefined();
	},
);

test('an older word that arrives late changes nothing', async () => {
	const cai = number(760);
	await writes(cai, 'STOP');
	const later = new Date(Date.now() + 60_000).toISOString();
	await example.updateRows({ columnName: 'customer', value: cai }, { changedAt: later });
	expect(await writes(cai, 'START')).not.toContain('Keep It');
	expect(await rowOf(cai)).toMatchObject({ state: 'stopped' });
});
