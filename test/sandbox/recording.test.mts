import fc from 'fast-check';

import { type Account, connect, type Customer, type Message } from '#sandbox/client/index.mts';
import { parseScript } from '#sandbox/rehearsal/parse.mts';
import { recordedScript, SCHEMA_URL } from '#sandbox/rehearsal/record.mts';
import { testSandbox } from './deliveryHarness.mts';
import { buttons, sendAs, template, text as textOf } from './playedBot.mts';
import { runs } from '../support/runs.mts';

const service = testSandbox();
let account: Account;
let ana: Customer;
beforeEach(async () => {
	account = await (await connect(service.url)).account({ name: 'Shop' });
	ana = account.customer({ name: 'Ana Lima' });
});
afterEach(() => account.remove());

/** Sends as the workflow would. */
async function sends(to: Customer, content: object): Promise<void> {
	expect(await sendAs(account, to.number, content)).toBe(200);
}

async function recorded(more = ''): Promise<string> {
	const path = `/_sandbox/rehearsal?channel=${account.channelId}${more}`;
	const { status, headers, body } = await service.call<string>(path, { key: null });
	const type = headers.get('content-type');
	expect({ status, type }).toEqual({ status: 200, type: 'text/yaml; charset=utf-8' });
	return body;
}

const stepsOf = (script: string): string[] => script.split('steps:\n')[1]!.trimEnd().split('\n');

it('records a chat as a script of both sides', async () => {
	await account.addTemplate({ name: 'order', body: '{{1}}, order {{2}}' });
	await ana.write('Hello: anybody # there?');
	await sends(ana, buttons('How can we help?', 'Orders', 'Talk'));
	await ana.tap('Orders');
	await sends(ana, textOf('Two\nlines'));
	await service.control('/from-phone', {
		body: { channelId: account.channelId, to: ana.number, text: 'I take over' },
	});
	await ana.send({ type: 'CONTACT_ARRAY', contacts: [{ name: 'Bea', phones: ['5500000000001'] }] });
	await ana.sendFile(new Blob(['p'], { type: 'image/png' }), { caption: 'Look' });
	await ana.closeWindow();
	await sends(ana, template('order', 'Ana', '17'));
	await ana.send({ type: 'BUTTON_REPLY', text: 'Of another chat', id: 'other' });
	const script = await recorded();
	expect(script.replace(/sendsFile: \w+/, 'sendsFile: a-file').split('\n')).toEqual([
		`# yaml-language-server: $schema=${SCHEMA_URL}`,
		'',
		'name: Recorded from Shop',
		'customers:',
		'  ana: { name: Ana Lima }',
		'steps:',
		'  - ana: "writes Hello: anybody # there?"',
		'  - ana: { gets: { text: How can we help?, type: INTERACTIVE_BUTTON }, buttons: [ Orders, Talk ] }',
		'  - ana: taps Orders',
		'  - ana: { gets: "Two\\nlines" }',
		'  - business: { writes: I take over, to: ana }',
		'  - ana: { sends: { type: CONTACT_ARRAY, contacts: [ { name: Bea, phones: [ "5500000000001" ] } ] } }',
		'  - ana: { sendsFile: a-file.png, as: IMAGE, caption: Look }',
		'  - ana: { getsTemplate: order, language: en_US, parameters: [ Ana, "17" ] }',
		'  - ana: { sends: { type: BUTTON_REPLY, text: Of another chat, id: other } }',
		'  - ana: { getsNothing: 500ms }',
		'',
	]);
	expect(() => parseScript(script, 'recorded.yaml')).not.toThrow();
});

it('records what a template with a header and a footer reads', async () => {
	await account.addTemplate({
		name: 'parts',
		components: [
			{ type: 'BODY', text: '{{1}}, order {{2}}' },
			{ type: 'FOOTER', text: 'The shop' },
		],
	});
	await sends(ana, template('parts', 'Ana', '17'));
	expect(stepsOf(await recorded())).toEqual([
		'  - customer: { getsTemplate: parts, language: en_US, parameters: [ Ana, "17" ], text: "Ana, order 17\\n\\nThe shop" }',
	]);
});

it('records one customer or all, each under a unique name', async () => {
	const others = ['Ana', 'Zoë', '李', 'Business', ''].map((name) =>
		account.customer({ name: name || 'x' }),
	);
	for (const customer of [ana, ...others]) await customer.write('Hello');
	expect(stepsOf(await recorded(`&customer=${others[1]!.number}`))).toEqual([
		'  - zo: writes Hello',
		'  - zo: { getsNothing: 500ms }',
	]);
	const all = await recorded();
	expect(stepsOf(all).slice(0, 6)).toEqual([
		...['ana', 'ana2', 'zo', 'customer', 'business2', 'x'].map((key) => `  - ${key}: writes Hello`),
	]);
	expect(all).toContain('  customer: { name: 李 }\n');
	expect(all).not.toContain(ana.number);
	expect(() => parseScript(all, 'all.yaml')).not.toThrow();
});

it('records 24 hours of silence as a closed window', async () => {
	await ana.write('Hello');
	await (await connect(service.url)).advance('25h');
	await ana.write('Still there?');
	await (await connect(service.url)).advance('2h');
	await ana.write('Well');
	expect(stepsOf(await recorded())).toEqual([
		'  - ana: writes Hello',
		'  - ana: { closesWindow: true }',
		'  - ana: writes Still there?',
		'  - ana: writes Well',
		'  - ana: { getsNothing: 500ms }',
	]);
});

it('keeps any text unchanged, in one line', () => {
	const message = (said: string, direction: 'in' | 'out'): Message => ({
		...{ number: 1, id: 'x', channelId: 'x', customer: '1', direction, fromApi: true },
		...{ forwarded: false, windowClosed: false, failure: null, status: 'DELIVERED', reached: {} },
		...{ content: { type: 'TEXT', text: said }, createdAt: '2026-01-01T00:00:00.000Z' },
	});
	const odd = ['- ', ': ', ' #', '\n', '\r', '\u0085', '\u2028', '"', "'", '{', ' ', '1', '~', 'a'];
	const text = fc.oneof(
		fc.string({ unit: 'binary', minLength: 1 }),
		fc.array(fc.constantFrom(...odd), { minLength: 1 }).map((parts) => parts.join('')),
	);
	fc.assert(
		fc.property(text, text, (said, answered) => {
			const script = recordedScript({
				messages: [message(said, 'in'), message(answered, 'out')],
				names: new Map([['1', said]]),
				name: answered,
			});
			expect(parseScript(script, 'any.yaml').script).toMatchObject({
				name: answered,
				steps: [
					{ [keyIn(script)]: { writes: said } },
					{ [keyIn(script)]: { gets: { text: answered } } },
				],
			});
			expect(stepsOf(script)).toHaveLength(2);
		}),
		{ numRuns: runs(60) },
	);
});

/** The name of the first customer in the script. */
const keyIn = (script: string): string => /customers:\n {2}(\w+):/.exec(script)?.[1] ?? '';

it.each<[string, () => string, number]>([
	['no channel', () => '', 400],
	['an unknown channel', () => `?channel=${'0'.repeat(32)}`, 404],
	['a channel without chats', () => `?channel=${account.channelId}`, 404],
])('refuses %s', async (_what, query, status) => {
	expect((await service.attempt(`/rehearsal${query()}`)).status).toBe(status);
});
