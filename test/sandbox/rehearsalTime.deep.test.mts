/** Pace and redeliveries of a rehearsal, on a sandbox whose clock only the tests move. */
import type { Message } from '#sandbox/client/index.mts';
import { type DeliveryList, testSandbox } from './deliveryHarness.mts';
import { until } from './helpers.mts';
import { type Bot, buttons, type Heard, startBot, text, told } from './playedBot.mts';

const MINUTE = 60_000;
jest.setTimeout(MINUTE);

const service = testSandbox();
let bot: Bot;
beforeEach(async () => {
	await service.control('/clock', { body: { speed: 0 } });
	bot = await startBot(service.url, helper);
});
afterEach(() => bot.stop());

/** Asks where, then whether that is right, and thanks for a tap. */
function helper({ text: said, button }: Heard): object[] {
	if (button !== undefined) return [text('Thank you')];
	return said === 'Hello' ? [text('Where do you live?')] : [buttons(`${said}?`, 'Yes', 'No')];
}

const textOf = ({ content }: Message) => ('text' in content ? content.text : undefined);
const messageThat = (said: string) =>
	until(`'${said}' is in the chat`, async () =>
		(await bot.account.messages()).find((message) => textOf(message) === said),
	);

/** Milliseconds of the sandbox's clock between two messages. */
async function between(earlier: string, later: string): Promise<number> {
	const [first, second] = [await messageThat(earlier), await messageThat(later)];
	return Date.parse(second.createdAt) - Date.parse(first.createdAt);
}

const asking = (pace: string, reply = '- ana: writes Garden Lane') => `
name: Address
${pace}
customers: { ana: { name: Ana } }
steps:
  - ana: writes Hello
  - ana: gets Where do you live?
  ${reply}
  - ana: gets Garden Lane?
  - ana: taps Yes
  - ana: gets Thank you
`;

describe('a customer', () => {
	it('writes a moment after the last message, and taps at once', async () => {
		const playing = bot.plays(asking('pace: 1h'));
		const question = await messageThat('Where do you live?');
		await bot.sandbox.advance('30m');
		await bot.sends(question.customer, text('With the number, please'));
		await bot.sandbox.advance('45m');
		await bot.sandbox.advance('15m');
		expect(told(await playing)).toEqual([
			"unexpected: a message to Ana that no step expected: 'With the number, please'",
		]);
		expect(await between('With the number, please', 'Garden Lane')).toBe(60 * MINUTE);
		expect(await between('Garden Lane', 'Yes')).toBe(0);
	});

	it('writes at once in a step that says so', async () => {
		const atOnce = '- ana: { writes: Garden Lane, pace: 0 }';
		expect(told(await bot.plays(asking('pace: 1h', atOnce)))).toEqual([]);
		expect(await between('Where do you live?', 'Garden Lane')).toBe(0);
	});
});

const GREETING = `
name: Greeting
customers: { ana: { name: Ana }, ben: }
steps:
  - ana: writes Hello
  - ana: gets Where do you live?
`;

interface Undelivered {
	undelivered: Array<{ messageId: string; attempts: number }>;
}
const undelivered = async () =>
	await service.control<Undelivered>(`/undelivered?channelId=${bot.account.channelId}`);
const refused = (times?: number) =>
	bot.account.faults.set({
		...{ on: 'webhook', kind: 'status', status: 500 },
		...(times === undefined ? {} : { times }),
	});

describe('a step that waits for the workflow', () => {
	it.each([
		['a message', GREETING],
		['a tap', GREETING.replace('- ana: gets Where do you live?', '- ana: { taps: Orders }')],
	])('does not give up while the words wait to be delivered again: %s', async (_name, script) => {
		await bot.stop();
		const answer = [text('Where do you live?'), buttons('How can we help?', 'Orders')];
		bot = await startBot(service.url, () => answer);
		await refused(1);
		const waits: string[] = [];
		const playing = bot.plays(script, { within: '50ms', onWait: (why) => waits.push(why) });
		await until('the step waits longer', () => waits.length > 0);
		await bot.sandbox.advance('6s');
		expect(told(await playing).filter((problem) => problem.startsWith('notMet'))).toEqual([]);
		expect(waits).toEqual([
			expect.stringMatching(
				/^'Hello' of Ana was not delivered \(fault: counts as response 500\)\. It is delivered again at \d\d:\d\d:\d\d, and the script waits for it$/,
			),
		]);
	});

	it('waits for the words of another customer, too', async () => {
		const waits: string[] = [];
		const ana = '5500000000101';
		await bot.stop();
		bot = await startBot(service.url, async ({ text: said }, { sends }) => {
			if (said !== 'Approved') return [text('A moment')];
			await sends(ana, text('It is approved'));
			return [text('Ana is told')];
		});
		const script = `
name: Approval
pace: 0
customers: { ana: { name: Ana, number: '${ana}' }, ben: { name: Ben } }
steps:
  - ana: writes Please
  - ana: gets A moment
  - manually: Refuse what comes next
  - ben: writes Approved
  - ana: gets It is approved
  - ben: gets Ana is told
`;
		const playing = bot.plays(script, {
			...{ within: '50ms', onWait: (why) => waits.push(why) },
			manually: async () => void (await refused(1)),
		});
		await until('the step waits longer', () => waits.length > 0);
		await bot.sandbox.advance('6s');
		expect(told(await playing)).toEqual([]);
		expect(waits).toEqual([expect.stringContaining("'Approved' of Ben was not delivered")]);
	});

	it('gives up when the last attempt has failed', async () => {
		await refused();
		const waits: string[] = [];
		let isOver = false;
		const playing = bot
			.plays(GREETING, { within: '50ms', onWait: (why) => waits.push(why) })
			.finally(() => (isOver = true));
		await until('an attempt failed', () => waits.length > 0);
		await until(
			'the schedule ended',
			async () => {
				const wasOver = isOver;
				const { undelivered: waiting } = await undelivered();
				expect(wasOver && waiting.length > 0).toBe(false);
				await bot.sandbox.advance('25h');
				return waiting.length === 0;
			},
			MINUTE / 2,
		);
		expect(told(await playing)[0]).toBe(
			"notMet: Ana expected a message 'Where do you live?' within 50 ms; none came",
		);
		const { deliveries } = await service.control<DeliveryList>('/deliveries?state=FAILED');
		expect(deliveries.map(({ attempts }) => attempts)).toEqual([10]);
	});

	it("does not wait for a stranger's words, nor for a paused webhook", async () => {
		await refused(1);
		const stranger = bot.account.customer({ name: 'A stranger' });
		const messageId = await stranger.write('Anybody?');
		await until(
			'the attempt failed',
			async () => (await undelivered()).undelivered[0]?.attempts === 1,
		);
		const inVain = GREETING.replace('Where do you live?', 'Something else');
		const notMet = "notMet: Ana expected a message 'Something else' within 50 ms; none came";
		expect(told(await bot.plays(inVain, { within: '50ms' }))).toContain(notMet);
		expect(await undelivered()).toMatchObject({
			undelivered: [{ messageId, attempts: 1, customer: stranger.number }],
		});
		const { body: webhooks } = await service.call<Array<{ id: string }>>(
			`/v1/channels/${bot.account.channelId}/webhooks`,
			{ key: bot.account.secretKey },
		);
		await service.control(`/webhooks/${webhooks[0]!.id}`, {
			...{ method: 'PATCH', body: { status: 'DISABLED' } },
		});
		expect(told(await bot.plays(inVain, { within: '50ms' }))).toContain(notMet);
	});
});
