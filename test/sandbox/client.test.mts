import { createServer } from 'node:http';

import type { z } from 'zod';

import {
	type Account,
	connect,
	type Customer,
	type Fault,
	type Message,
} from '#sandbox/client/index.mts';
import { millisecondsOf } from '#sandbox/client/duration.mts';
import { transcriptOf } from '#sandbox/client/transcript.mts';
import type { faultSchemaFor } from '#sandbox/faults/schema.mts';
import type { MessageView } from '#sandbox/http/control/chats.mts';
import type { customerContentSchema } from '#sandbox/store/content.mts';
import { testSandbox } from './deliveryHarness.mts';
import { listening, startReceiver, startTestSandbox, templateContent, until } from './helpers.mts';
import { buttons, sendAs, template, text } from './playedBot.mts';

const service = testSandbox();
let account: Account;
let ana: Customer;
beforeEach(async () => {
	const sandbox = await connect(service.url);
	account = await sandbox.account();
	ana = account.customer({ name: 'Ana' });
});
afterEach(() => account.remove());

/** Sends as the business would, and returns the status. */
const sends = async (content: object, from = account, to = ana): Promise<number> =>
	await sendAs(from, to.number, content);

/** The message of the error. */
const failureOf = async (work: Promise<unknown>): Promise<string> =>
	await work.then(
		() => 'none',
		(error: unknown) => (error instanceof Error ? error.message : String(error)),
	);

describe('an expectation', () => {
	beforeEach(() => ana.write('Hello'));

	it('is met by earlier messages, and by messages that come while it waits', async () => {
		await sends(text('One'));
		const one = { direction: 'out', content: { text: 'One' } };
		expect(await ana.expectText('One')).toMatchObject(one);
		const waiting = ana.expectText(/tw./i);
		await sends(text('TWO'));
		expect((await waiting).content).toEqual({ type: 'TEXT', text: 'TWO' });
	});

	it('matches a whole text, or part of it by an expression, also one with the flag g', async () => {
		await sends(text('Hello Ana'));
		expect(await failureOf(ana.expectText('Hello', { within: 0 }))).toContain("a text 'Hello'");
		const again = /Ana/g;
		again.lastIndex = 8;
		await ana.expectText(again);
	});

	it('skips other messages, and needs a new message each time', async () => {
		for (const message of ['One', 'Two', 'Two']) await sends(text(message));
		await ana.expectText('Two');
		expect(await failureOf(ana.expectText('One', { within: 0 }))).toContain("a text 'One'");
		await ana.expectText('Two');
		await ana.expectNone(0);
	});

	it('matches a template by name, language, parameters and filled-in text', async () => {
		await account.addTemplate({ name: 'order', body: '{{1}}, order {{2}}' });
		await sends(template('order', 'Ana', '17'));
		const swapped = { parameters: ['17', 'Ana'] };
		for (const wrong of [{ parameters: ['Ana'] }, swapped, { language: 'pt_BR' }]) {
			const failure = await failureOf(ana.expectTemplate('order', { ...wrong, within: 0 }));
			expect(failure).toMatch(/the template order (with|in)/);
		}
		expect(await failureOf(ana.expectTemplate('other', { within: 0 }))).toContain('none came');
		const options = { parameters: ['Ana', '17'], language: 'en_US' };
		const { content } = await ana.expectTemplate('order', options);
		expect(content.text).toBe('Ana, order 17');
		await sends(template('order', 'Ben', '18'));
		await ana.expectText('Ben, order 18');
	});

	it('makes a template of components, and matches all that the customer reads', async () => {
		await account.addTemplate({
			name: 'parts',
			components: [
				{ type: 'HEADER', format: 'IMAGE' },
				{ type: 'BODY', text: '{{1}}, order {{2}}' },
				{ type: 'FOOTER', text: 'The shop' },
				{
					type: 'BUTTONS',
					buttons: [{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+5500000000001' }],
				},
			],
		});
		const link = 'https://shop.example/a.png';
		const header = { type: 'header', parameters: [{ type: 'image', image: { link } }] };
		const values = ['Ana', '17'].map((value) => ({ type: 'text', text: value }));
		const components = [header, { type: 'body', parameters: values }];
		await sends(templateContent('parts', components));
		expect(await failureOf(ana.expectTemplate('parts', { text: 'Ana', within: 0 }))).toMatch(
			/the template parts that reads 'Ana'[^]*parts\(Ana, 17\): image https:\/\/shop.example\/a.png\n *Ana, order 17\n *\n *The shop \[Call\]/,
		);
		const read = 'Ana, order 17\n\nThe shop';
		const { content } = await ana.expectTemplate('parts', { text: read });
		expect(content.shown?.header).toMatchObject({ format: 'IMAGE' });
	});

	it('fails as soon as a message comes, if it expects nothing', async () => {
		await ana.expectNone(0);
		const waiting = failureOf(ana.expectNone('60s'));
		await sends(text('Surprise'));
		expect(await waiting).toMatch(/^Expected nothing for 60 s; a message came\.\n[^]*Surprise/);
	});

	it('shows the chat when it fails, with the expected messages marked', async () => {
		await sends(buttons('How can we help?', 'Orders', 'Talk'));
		await ana.expectText(/help/);
		await ana.tap('Orders');
		await sends(text('Two\nlines'));
		await ana.send({ type: 'CONTACT_ARRAY', contacts: [{ name: 'Bea', phones: ['1'] }] });
		const failure = await failureOf(ana.expectText(/bye$/, { within: '20ms' }));
		const lines = failure.replace(/\d\d:\d\d:\d\d\.\d{3}/g, '<time>').split('\n');
		expect(lines).toEqual([
			'Expected a text that matches /bye$/ within 20 ms; none came.',
			'',
			`The chat of Ana (${ana.number}), * marks what was expected:`,
			'  <time>  Ana       Hello',
			'* <time>  business  How can we help? [Orders] [Talk]',
			'  <time>  Ana       taps [Orders]',
			'  <time>  business  Two',
			'                          lines',
			'  <time>  Ana       contacts: Bea',
		]);
		await expect(ana.expectText('x', { within: 0 })).rejects.toMatchObject({
			name: 'ExpectationError',
		});
		const [first] = await ana.messages();
		expect(transcriptOf([{ ...first!, status: 'FAILED' }], 'Ana', 0)).toMatch(/Hello \(FAILED\)$/);
	});

	it('waits with the timers from when the client was loaded', async () => {
		jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
		try {
			expect(await failureOf(ana.expectText('never', { within: '60ms' }))).toContain('none came');
		} finally {
			jest.useRealTimers();
		}
	});
});

describe('a customer', () => {
	it('taps the newest button with a title or an id, as soon as there is one', async () => {
		await ana.write('Hello');
		const tapping = ana.tap('Yes');
		await sends(buttons('First', 'Yes', 'No'));
		await tapping;
		await sends(buttons('Second', 'Yes'));
		await ana.tap('yes');
		const replies = (await ana.messages()).filter(({ content }) => content.type === 'BUTTON_REPLY');
		const reply = { type: 'BUTTON_REPLY', text: 'Yes', id: 'yes' };
		expect(replies.map(({ content }) => content)).toEqual([reply, reply]);
		expect(await failureOf(ana.tap('Maybe', { within: 0 }))).toMatch(
			/^Expected a button 'Maybe'[^]*\[No\]/,
		);
	});

	it('sends files as the first kind for their type, or as the requested kind', async () => {
		await ana.sendFile(new Blob(['p'], { type: 'image/png' }), { caption: 'Look' });
		await ana.sendFile(new Blob(['a'], { type: 'audio/ogg' }), { caption: 'of none' });
		await ana.sendFile(new Blob(['s'], { type: 'image/webp' }), { as: 'STICKER' });
		const contents = (await ana.messages()).map(({ content }) => content);
		const url = expect.stringMatching(/^\/media\/\w+\.\w+$/);
		expect(contents).toEqual([
			{ type: 'IMAGE', url, caption: 'Look' },
			{ type: 'AUDIO', url },
			{ type: 'STICKER', url },
		]);
		expect(await failureOf(ana.sendFile(new Blob(['x'], { type: 'text/plain' })))).toContain(
			'refused with 415',
		);
	});

	it('reads, and lets the window close', async () => {
		await ana.write('Hello');
		await sends(text('Welcome'));
		await until('it is delivered', async () => (await ana.messages())[1]?.status === 'DELIVERED');
		await ana.read();
		expect((await ana.messages())[1]?.status).toBe('READ');
		await ana.closeWindow();
		expect(await sends(text('Too late'))).toBe(422);
	});
});

describe('accounts', () => {
	it("see neither each other nor each other's faults", async () => {
		const sandbox = await connect(`${service.url}/`);
		const other = await sandbox.account({ hasWindow: false });
		const ben = other.customer({ name: 'Ben' });
		const fault = await account.faults.set({ on: 'route', kind: 'status', status: 500 });
		const once = await other.faults.set({ on: 'route', kind: 'status', status: 503, times: 1 });
		expect(await sends(text('x'))).toBe(500);
		expect(await sends(text('x'), other, ben)).toBe(503);
		expect(await sends(text('Hi Ben'), other, ben)).toBe(200);
		await ben.expectText('Hi Ben');
		expect([await account.messages(), (await other.messages()).length]).toEqual([[], 1]);
		// The fault is off after its last strike.
		await once.clear();
		await fault.clear();
		expect(await sends(text('x'))).toBe(422);
		await account.faults.set({ on: 'route', kind: 'status', status: 500 });
		await other.faults.set({ on: 'route', kind: 'status', status: 500 });
		await account.faults.clear();
		expect(await sends(text('x'))).toBe(422);
		expect(await sends(text('x'), other, ben)).toBe(500);
		await sandbox.faults.clear();
		expect(await sends(text('x'), other, ben)).toBe(200);
		await other.remove();
		expect(await failureOf(ben.write('Anybody?'))).toContain('refused with 404');
	});

	it('can be joined by a channel, such as the demo account', async () => {
		const sandbox = await connect(service.url);
		const channel = await sandbox.channel(account.channelId);
		await channel.faults.set({ on: 'route', kind: 'status', status: 503, times: 1 });
		expect(await sends(text('x'))).toBe(503);
		const ben = channel.customer({ name: 'Ben' });
		await ben.write('Hello');
		expect(await sends(text('Hi Ben'), account, ben)).toBe(200);
		await ben.expectText('Hi Ben');
		expect(await channel.messages()).toEqual(await account.messages());
		expect(await failureOf(sandbox.channel('0'.repeat(32)))).toContain('has no channel 000');
	});

	it('share one clock, which moves forward', async () => {
		const sandbox = await connect(service.url);
		await ana.write('Hello');
		const now = await sandbox.advance('1d 1h');
		expect(now.getTime() - Date.now()).toBeGreaterThan(24.9 * 3_600_000);
		expect(await sends(text('Too late'))).toBe(422);
		expect(await sandbox.control('GET', '/faults')).toEqual({ faults: [] });
	});
});

describe('connecting', () => {
	it('waits for a starting sandbox, and says how to start one', async () => {
		const receiver = await startReceiver();
		await receiver.close();
		const { port } = new URL(receiver.url);
		const waiting = connect(`http://127.0.0.1:${port}`);
		const late = await startTestSandbox({ port: Number(port) });
		expect((await waiting).url).toBe(late.url);
		await late.close();
		expect(await failureOf(connect(late.url, { within: '50ms' }))).toBe(
			`No sandbox listens at ${late.url} within 50 ms. Start one: npx business-messaging-sandbox`,
		);
	});

	it('sends the token with every call, and does not wait if it is wrong', async () => {
		const server = createServer(({ headers }, response) => {
			response.statusCode = headers['x-sandbox-token'] === 'right' ? 200 : 401;
			response.end('{"now":"2026-01-01T00:00:00.000Z","faults":[]}');
		});
		const { url, close } = await listening(server);
		try {
			const sandbox = await connect(url, { token: 'right' });
			expect((await sandbox.advance('1s')).getUTCFullYear()).toBe(2026);
			for (const options of [{ token: 'wrong' }, {}])
				await expect(connect(url, { ...options, within: '60s' })).rejects.toMatchObject({
					...{ name: 'SandboxError', status: 401 },
				});
		} finally {
			await close();
		}
	});
});

it('reads time spans in milliseconds, and refuses what is none', () => {
	const spans = [250, '300ms', '5s', '1.5m', '25h', ' 1d  2h 30m '];
	expect(spans.map(millisecondsOf)).toEqual([250, 300, 5000, 90_000, 90_000_000, 95_400_000]);
	const none = [-1, NaN, Infinity, '', '5', '5 s', 's', '5x', '-5s', '1h,2m', '1e3s'];
	const words = /is not a time span\. Use milliseconds, or a text/;
	for (const span of none) expect(() => millisecondsOf(span)).toThrow(words);
});

it('says so if a transcript is empty', () => {
	expect(transcriptOf([], 'Ana', 0)).toBe('  (nobody has written anything)');
});

/** The compiler checks that the client's types of messages and faults match the sandbox's. */
type FaultsTaken = z.input<ReturnType<typeof faultSchemaFor>>;
type Loose<T> = T extends { operation?: unknown } ? Omit<T, 'operation' | 'subCode'> : T;
export const heldByTheCompiler = [
	(view: MessageView): Message => view,
	(content: z.infer<typeof customerContentSchema>): Parameters<Customer['send']>[0] => content,
	(fault: Fault): Loose<FaultsTaken> => fault,
	(fault: FaultsTaken): Fault => fault,
];
