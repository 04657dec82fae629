/** *Send Once Key* in n8n's own engine: how the node uses n8n's memory, and its output. */
import { DataDeduplicationService } from 'n8n-core';
import type { ICheckProcessedOptions, IDataObject, INode } from 'n8n-workflow';

import { entriesFor } from '#nodes/sending/once/entries.ts';
import { byId, CHANNEL, SECRET_KEY } from '../support/constants.mts';
import { asking, askingOfEachTest } from './harness/asking.mts';
import { runInEngine } from './harness/engine.mts';
import { logged } from './harness/logged.mts';

/** n8n's memory of a node, without its database. */
const memory = {
	entries: new Set<string>(),
	scopes: new Set<string>(),
	most: new Set<number | undefined>(),
	/** Runs before each call, and may throw. */
	beforeCall: (_values: unknown[]): void => {},
};
type Scope = 'node' | 'workflow';

const inMemory = {
	checkProcessedAndRecord: async (
		values: unknown[],
		scope: Scope,
		_context: unknown,
		{ maxEntries }: ICheckProcessedOptions,
	) => {
		memory.beforeCall(values);
		memory.scopes.add(scope);
		memory.most.add(maxEntries);
		const processed = values.filter((value) => memory.entries.has(String(value)));
		for (const value of values) memory.entries.add(String(value));
		return { new: values.filter((value) => !processed.includes(value)), processed };
	},
	removeProcessed: async (values: unknown[], scope: Scope) => {
		memory.beforeCall(values);
		memory.scopes.add(scope);
		for (const value of values) memory.entries.delete(String(value));
	},
} as unknown as DataDeduplicationService;

const service = askingOfEachTest();
beforeEach(() => {
	Object.assign(memory, { entries: new Set(), scopes: new Set(), most: new Set() });
	memory.beforeCall = () => {};
	jest.spyOn(DataDeduplicationService, 'getInstance').mockReturnValue(inMemory);
});

let keys = 0;
/** Each test has its own keys, because the process remembers those under way. */
const newKey = () => `order ${++keys}`;

const send = async (
	sendOnceKey: string | number,
	text = 'Paid',
	options: IDataObject = {},
	settings: Partial<INode> = {},
) => {
	const { items, error, hints } = await runInEngine({
		baseUrl: service.url,
		settings,
		credential: { secretKey: SECRET_KEY },
		parameters: {
			resource: 'message',
			operation: 'sendText',
			channelId: byId(CHANNEL),
			recipient: '5511999990000',
			text,
			options: { sendOnceKey, ...options },
		},
	});
	return { json: items[0]?.json, error, said: hints.map(({ message }) => message) };
};
const sent = () => service.messages.map(({ text }) => text);

it('sends under a key once across executions, and says so', async () => {
	const key = newKey();
	expect((await send(key)).json).toMatchObject({ messageId: '0'.repeat(32) });
	const { json, said } = await send(` ${key} `);
	const to = { channelId: CHANNEL, recipient: '5511999990000' };
	expect(json).toEqual({ messageId: null, ...to, alreadySent: true });
	// The editor's table begins with the first: a null there reads as a failure.
	expect(Object.keys(json ?? {})[0]).toBe('alreadySent');
	expect(said).toEqual(['1 message had been sent before under its Send Once Key.']);
	expect(sent()).toEqual(['Paid']);
	expect(JSON.stringify([...memory.entries])).not.toContain(key);
});

it('keeps the key for this node, with room for the number of keys in the option', async () => {
	await send(newKey());
	await send(newKey(), 'Paid', { sendOnceMemory: 7 });
	expect([...memory.scopes]).toEqual(['node']);
	expect([...memory.most]).toEqual([entriesFor(10_000), entriesFor(7)]);
});

it('refuses a key of another message', async () => {
	const key = newKey();
	await send(key);
	const { error } = await send(key, 'Shipped');
	expect(error?.message).toBe(
		'Could not send the text to 5511999990000: its Send Once Key was used before, with another channel, recipient or content',
	);
	expect(error?.description).toMatch(
		/^This one was not sent\. Give each message a key of its own that holds the number, such as the ID of the order, the topic and the recipient: after a mistyped number is corrected, the key is then another one\./,
	);
	expect(sent()).toEqual(['Paid']);
});

it('reads a number as a text, and a blank as no key', async () => {
	const number = 1_000_000 + ++keys;
	await send(number);
	expect((await send(String(number))).json).toMatchObject({ alreadySent: true });
	const { size } = memory.entries;
	for (const blank of ['', '  ']) expect((await send(blank)).error).toBeUndefined();
	expect([sent().length, memory.entries.size]).toEqual([3, size]);
});

it('sends nothing while n8n cannot remember the key', async () => {
	memory.beforeCall = () => {
		throw new Error('The workflow is not saved');
	};
	const { error } = await send(newKey());
	expect(error?.message).toBe(
		'To 5511999990000: n8n cannot remember the Send Once Key, so nothing was sent: The workflow is not saved. Save the workflow before you run it, or remove the option "Send Once Key".',
	);
	expect(sent()).toEqual([]);
});

it.each([
	'SQLITE_BUSY: database is locked',
	'timeout exceeded when trying to connect',
	'Could not establish database connection within the configured timeout of 20,000 ms.',
])("says that n8n's database was busy: %s", async (words) => {
	memory.beforeCall = () => {
		throw new Error(words);
	};
	const { error } = await send(newKey());
	expect(`${error?.message}. ${error?.description}`).toBe(
		'Could not send under the Send Once Key to 5511999990000: n8n\'s database was busy. Nothing was sent. Try again, or turn on "Retry On Fail" in the node\'s settings.',
	);
	expect(error?.context?.data).toMatchObject({ reason: 'n8n_busy' });
	expect(sent()).toEqual([]);
});

const RETRIES = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
const FAILED = { error: 500, message: 'Internal error' };

// Which responses mean what is in the unit tests of the effects.
test.each<[string, number, object | string]>([
	['the form of a send', 500, FAILED],
	['no form', 500, 'Internal error'],
	['the form of a send, out of time', 408, { error: 408, message: 'Request timeout' }],
])(
	'a message that the service failed in %s (%d) is sent under a key once',
	async (_form, status, body) => {
		service.fail = () => ({ status, body });
		for (const options of [{}, { maxLength: 100 }]) {
			const key = newKey();
			const text = `To ${key}`;
			expect((await send(key, text, options)).error?.message).toMatch(/^Could not tell whether/);
			expect((await send(key, text, options)).error?.message).toMatch(/nobody saw the end$/);
			expect(sent().filter((one) => one === text)).toEqual([text]);
		}
	},
);

it.each([1, 100])(
	'sends again what may have been sent where that was chosen, in a text of %d words',
	async (words) => {
		const text = Array.from({ length: words }, (_, index) => `word${index}`).join(' ');
		const options = { whenOutcomeUnknown: 'sendAgain', maxLength: 100 };
		for (const key of [newKey(), '']) {
			const before = sent().length;
			let requests = 0;
			service.fail = () => (++requests === (words > 1 ? 2 : 1) ? 'cut' : undefined);
			const retried = await send(key, text, options, RETRIES);
			expect(retried).toMatchObject({ error: undefined, json: { messageId: expect.any(String) } });
			const parts = sent().slice(before);
			const lost = parts[words > 1 ? 1 : 0];
			expect(parts.filter((part) => part === lost)).toHaveLength(2);
			expect([...new Set(parts)].join(' ')).toBe(text);
		}
	},
);

const question = () => ({
	...{ recipient: '5511999990000', message: 'Ship it?', options: { sendOnceKey: newKey() } },
});

it('counts a message as sent if n8n cannot save that, and leaves its key unknown', async () => {
	const key = newKey();
	memory.beforeCall = () => {
		if (service.messages.length > 0) throw new Error('The database is gone');
	};
	const said = logged('warn');
	expect((await send(key)).json).toMatchObject({ messageId: '0'.repeat(32) });
	expect(said).toEqual([
		[
			'n8n could not save the outcome of a Send Once Key: The database is gone. A later run reports the key as in doubt',
			{ workflowId: 'workflow', node: 'Business Messaging' },
		],
	]);
	memory.beforeCall = () => {};
	expect((await send(key)).error?.message).toMatch(/nobody saw the end$/);
	expect(sent()).toEqual(['Paid']);
});

it('asks a question under its key once, and does not wait for it a second time', async () => {
	const asked = question();
	expect((await asking(service, asked)).run.status).toBe('waiting');
	const again = await asking(service, asked);
	expect([again.run.status, again.question]).toEqual(['success', undefined]);
	expect(again.items).toMatchObject([
		{ json: { data: { outcome: 'alreadyAsked', approved: false } }, pairedItem: { item: 0 } },
	]);
	const changed = await asking(service, { ...asked, message: 'Ship them?' });
	expect(changed.error?.message).toMatch(
		/^Could not send the question to 5511999990000: its Send Once Key/,
	);
	expect(sent()).toEqual([expect.stringMatching(/^Ship it\?/)]);
});
