/** What the sending operations remember, and what they say. */
import { createHash } from 'node:crypto';

import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { fingerprintOf } from '#nodes/resources/message/batch/onceKey.ts';
import { CHANNEL } from '../../support/constants.mts';
import { run, type Sent, type Setting } from './actionNode.mts';

const send = async (entered: Record<string, unknown>, setting: Setting = {}) =>
	await run(
		{
			...{ resource: 'message', operation: 'sendText', channelId: CHANNEL },
			...{ recipient: '5511999990000', text: 'Hi' },
			...entered,
		},
		setting,
	);
const items = (count: number) => Array.from({ length: count }, () => ({ json: {} }));
const textsOf = (sent: readonly Sent[]) =>
	sent.map(({ body }) => (body as { content: { body: { message: string } } }).content.body.message);
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

const begunBy = (key: string) =>
	sha256(JSON.stringify(['n8n business messaging once v1', 'begun', key]));

const PARTS = ['One', 'Two', 'Three'].map((name) => `${name} ${'word '.repeat(18).trim()}.`);
const LONG = PARTS.join('\n\n');
const acceptedIn = ({ sentMessages }: IDataObject) =>
	(sentMessages as { accepted: object }).accepted;
const accepted = { body: { messageId: 'A'.repeat(32) } };
const refused = { statusCode: 422, body: { error: 422, message: 'Conversation window is closed' } };

/** n8n's memory, with the scopes from which something was removed. */
function memory() {
	const recorded = new Set<string>();
	const removedIn: string[] = [];
	const helpers = {
		checkProcessedAndRecord: async (values: string[]) => {
			const processed = values.filter((value) => recorded.has(value));
			for (const value of values) recorded.add(value);
			return { new: [], processed };
		},
		removeProcessed: async (values: string[], scope: string) => {
			removedIn.push(scope);
			for (const value of values) recorded.delete(value);
		},
	};
	return { recorded, removedIn, helpers };
}

describe('under a key', () => {
	// What is stored counts for ever, also for later versions of the node, so its form must not
	// change.
	it("each part has a key of its own, and the first is the item's", async () => {
		const { recorded, helpers } = memory();
		const options = { maxLength: 100, sendOnceKey: 'order 1' };
		const { sent } = await send({ text: LONG, options }, { helpers });
		expect(textsOf(sent)).toEqual(PARTS);
		const begun = ['order 1', '["order 1","part",2]', '["order 1","part",3]'].map(begunBy);
		expect(begun.filter((value) => recorded.has(value))).toEqual(begun);
	});

	it("what was not sent is forgotten, in the node's memory", async () => {
		const { recorded, removedIn, helpers } = memory();
		const sending = send(
			{ options: { sendOnceKey: 'order 2' } },
			{ helpers, answer: () => refused },
		);
		await expect(sending).rejects.toThrow('window is closed');
		expect([recorded.has(begunBy('order 2')), removedIn]).toEqual([false, ['node']]);
	});

	it('a message is identified by the channel, the recipient, the content and the file', () => {
		const content = { type: 'TEXT', body: { message: 'Hi' } };
		const told = `["${CHANNEL}","551",{"type":"TEXT","body":{"message":"Hi"}}`;
		const uuid = '019e4c54-b1b3-75a2-8970-b605ca9b03c3';
		const file = ['image/png', 'a hash'];
		expect(fingerprintOf(uuid, '551', content)).toBe(sha256(`${told}]`));
		expect(fingerprintOf(uuid, '551', content, file)).toBe(sha256(`${told},"image/png","a hash"]`));
	});

	it('a file with other bytes is another message, whatever its size and type', async () => {
		const { helpers } = memory();
		const sendFile = async (data: string) =>
			await send(
				{
					...{ operation: 'sendMedia', source: 'binary', mediaType: 'image', binaryField: 'data' },
					options: { sendOnceKey: 'file 1' },
				},
				{
					input: [{ json: {}, binary: { data: { data: btoa(data), mimeType: 'image/png' } } }],
					helpers: { ...helpers, getBinaryDataBuffer: async () => Buffer.from(data) },
				},
			);
		expect((await sendFile('one')).sent).toHaveLength(1);
		expect((await sendFile('one')).items[0]?.json).toMatchObject({ alreadySent: true });
		await expect(sendFile('two')).rejects.toMatchObject({
			context: { data: { reason: 'key_reused' } },
		});
	});

	// The names are known only if the template can be read.
	it('a template is the same message with the names of its variables and without', () => {
		const of = (parameter: object) => ({
			type: 'TEMPLATE',
			attachments: [{ template: { components: [{ type: 'body', parameters: [parameter] }] } }],
		});
		const plain = of({ type: 'text', text: 'Ana' });
		const named = of({ type: 'text', parameter_name: 'customer_name', text: 'Ana' });
		expect(fingerprintOf(CHANNEL, '551', named)).toBe(fingerprintOf(CHANNEL, '551', plain));
		const before = sha256(JSON.stringify([CHANNEL, '551', plain]));
		expect(fingerprintOf(CHANNEL, '551', plain)).toBe(before);
	});
});

describe('a template in place of a message', () => {
	const instead = (name: string) => ({
		whenWindowClosed: 'sendTemplate',
		fallbackTemplate: { __rl: true, mode: 'name', value: name },
		fallbackLanguageCode: 'en_US',
	});
	const isTemplate = ({ body }: Sent) => JSON.stringify(body).includes('"TEMPLATE"');
	const messages = (sent: readonly Sent[]) => sent.filter(({ method }) => method === 'POST');
	const closed = (request: Sent) => (isTemplate(request) ? accepted : refused);

	it('is told in the output, and holds nothing of the message', async () => {
		const { items: output, sent } = await send(
			{
				...{ operation: 'sendMedia', mediaType: 'image', source: 'binary', binaryField: 'data' },
				...instead('hello'),
				fallbackHeaderMediaUrl: 'https://files.example/4711',
				fallbackHeaderMediaType: 'document',
				fallbackHeaderMediaFilename: 'Invoice.pdf',
			},
			{
				answer: closed,
				input: [{ json: {}, binary: { data: { data: 'QUJD', mimeType: 'image/png' } } }],
				helpers: { getBinaryDataBuffer: async () => Buffer.from('ABC') },
			},
		);
		const about = { channelId: CHANNEL, recipient: '5511999990000' };
		expect(output.map(({ json }) => json)).toEqual([
			{ ...accepted.body, ...about, sentAs: 'template' },
		]);
		expect(messages(sent)).toHaveLength(2);
		// With a file, it would be bytes.
		expect(messages(sent)[1]?.body).toMatchObject({ content: { type: 'TEMPLATE' } });
		const document = { link: 'https://files.example/4711', filename: 'Invoice.pdf' };
		expect(JSON.stringify(messages(sent)[1]?.body)).toContain(JSON.stringify(document));
	});

	it('takes the place of all parts, for a repeat under the key, too', async () => {
		const { helpers } = memory();
		const options = { maxLength: 100, sendOnceKey: 'order 4' };
		const parameters = { text: LONG, ...instead('hello'), options };
		const first = await send(parameters, { helpers, answer: closed });
		expect(messages(first.sent).map(isTemplate)).toEqual([false, true]);
		const repeat = await send(parameters, { helpers });
		expect(messages(repeat.sent)).toEqual([]);
		expect(repeat.items[0]?.json).toMatchObject({ alreadySent: true });
	});

	it('fails its item alone with Continue On Fail, and names both', async () => {
		const recipient = (index: number) => ['551', '552'][index];
		const unknown = { statusCode: 400, body: { error: 400, message: '132001 no such template' } };
		const { items: output } = await send(
			{ recipient, ...instead('hello') },
			{
				input: items(2),
				continues: true,
				answer: (request) => {
					if (!JSON.stringify(request.body).includes('"551"')) return accepted;
					return isTemplate(request) ? unknown : refused;
				},
			},
		);
		expect(output[0]?.json).toMatchObject({
			error: expect.stringMatching(
				/^Could not send the template to 551: the conversation window is closed for the text, and the template in its place failed: /,
			) as string,
			details: { reason: 'invalid_request' },
		});
		expect(output[1]?.json).toMatchObject(accepted.body);
	});
});

it('a retry of the node knows what was sent, and the next round of a loop does not', async () => {
	const store: IDataObject = {};
	const input = items(2);
	const isFirst = () =>
		store.sentMessages !== undefined && Object.keys(acceptedIn(store)).length < 1;
	const answer = () => (isFirst() ? accepted : refused);
	const tried = { input, store };
	await expect(send({}, { ...tried, answer })).rejects.toThrow('window is closed');
	expect(Object.keys(acceptedIn(store))).toEqual(['0']);
	const kept = structuredClone(store);
	expect((await send({}, tried)).sent).toHaveLength(1);
	expect((await send({}, { input, store: kept, round: 1 })).sent).toHaveLength(2);
});

it('a failed item names the recipient and the channel only if they could be read', async () => {
	const { items: failed } = await send(
		{
			recipient: (index: number) => ['', '551'][index],
			channelId: (index: number) => [CHANNEL, ''][index],
		},
		{ input: items(2), continues: true },
	);
	expect(failed.map(({ json }) => Object.keys(json))).toEqual([
		['error', 'channelId', 'message', 'details'],
		['error', 'recipient', 'message', 'details'],
	]);
});

const SKIPS = ' "Retry execution" under "Executions" skips the';
const AGAIN = ' "Execute step", like any new run, sends all again.';
const KEY = { sendOnceKey: (index: number) => `order ${index}` };
it.each([
	[
		'a retry skips what was sent, and a new run does not',
		['Hi', 'Three'],
		{},
		`1 accepted message.${AGAIN}`,
	],
	['a retry skips what was sent, under a key', ['Hi', 'Three'], KEY, '1 accepted message.'],
	[
		'a retry skips parts that were sent',
		[LONG],
		{ maxLength: 100 },
		`2 accepted messages.${AGAIN}`,
	],
	[
		'a retry skips the parts before another item failed',
		[LONG, 'Three'],
		{ maxLength: 100, maxConcurrency: 2 },
		`1 accepted message.${AGAIN}`,
	],
])(
	"the error that stops the node says, before the service's words, that %s",
	async (_, texts, more, note) => {
		const answer = ({ body }: Sent) =>
			JSON.stringify(body).includes('Three')
				? { statusCode: 401, body: { error: 401, message: 'Unauthorized' } }
				: accepted;
		const entered = {
			recipient: (index: number) => `551199999000${index}`,
			text: (index: number) => texts[index],
			options: { maxConcurrency: 1, ...more },
		};
		const sending = send(entered, { ...memory(), input: items(texts.length), answer });
		const { description } = (await sending.catch((error: unknown) => error)) as NodeApiError;
		expect(description?.slice(description.indexOf(SKIPS))).toBe(
			`${SKIPS} ${note} The service said: "Unauthorized".`,
		);
	},
);

it('says that a new run sends all again where a key of two messages has to be changed', async () => {
	const entered = {
		text: (index: number) => ['Hi', 'Three'][index],
		options: { maxConcurrency: 1, sendOnceKey: 'sale' },
	};
	await expect(send(entered, { ...memory(), input: items(2) })).rejects.toMatchObject({
		description: expect.stringMatching(
			/This one was not sent\..* the 1 accepted message\. "Execute step"/,
		) as string,
	});
});

it('says that a retry of the calling workflow sends all again, and names no retry of what was cancelled', async () => {
	const saidWith = async (setting: Setting) => {
		const sending = send({ options: { maxConcurrency: 1 } }, { input: items(2), ...setting });
		return ((await sending.catch((error: unknown) => error)) as NodeApiError).description;
	};
	const answers = [accepted, refused];
	expect(await saidWith({ mode: 'integrated', answer: () => answers.shift()! })).toContain(
		'"Executions" of this sub-workflow skips the 1 accepted message. A retry of the calling workflow, like any new run, sends all again.',
	);
	const cancel = new AbortController();
	const answer = () => {
		if (answers.push(accepted) === 2) cancel.abort();
		return accepted;
	};
	const said = await saidWith({ signal: cancel.signal, answer });
	expect(said).toContain(`repeat it. 1 message was accepted.${AGAIN}`);
});

describe('an expression that fails for one item alone', () => {
	const failsFor = (wrong: number, value: unknown) => (index: number) => {
		if (index === wrong) throw new Error('no such node');
		return value;
	};
	const setting: Setting = { input: items(3), continues: true };

	it.each([0, 1])(
		'fails the options of item %i, and the others are sent by theirs',
		async (wrong) => {
			const options = { maxLength: failsFor(wrong, 100), sendOnceMemory: failsFor(wrong, 7) };
			const { items: output, sent } = await send({ options }, setting);
			expect(output.map(({ json }) => json.error !== undefined)).toEqual(
				[0, 1, 2].map((index) => index === wrong),
			);
			expect(output[wrong]?.json.error).toMatch(/^To 5511999990000: .*no such node$/);
			expect(sent).toHaveLength(2);
		},
	);

	it('fails each item whose options cannot be read, and sends nothing if there is no other', async () => {
		const options = {
			maxPerSecond: (index: number) => {
				throw new Error(`no node ${index}`);
			},
		};
		const { items: output, sent } = await send({ options }, setting);
		expect(output.map(({ json }) => json.message)).toEqual(
			[0, 1, 2].map((index) => expect.stringContaining(`no node ${index}`) as string),
		);
		expect(sent).toEqual([]);
	});

	it('stops the node before anything is sent without "Continue"', async () => {
		const answer = jest.fn(() => accepted);
		const options = { maxPerSecond: failsFor(0, 5) };
		await expect(send({ options }, { ...setting, continues: false, answer })).rejects.toThrow(
			'no such node',
		);
		expect(answer).not.toHaveBeenCalled();
	});

	it('fails its item of Normalize Recipient', async () => {
		const parameters = { operation: 'normalizeRecipient', recipient: failsFor(1, '@store') };
		const { items: output } = await send(parameters, setting);
		expect(output.map(({ json }) => json.error)).toEqual([undefined, 'no such node', undefined]);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		const one = send(parameters, { ...setting, continues: false });
		await expect(one).rejects.toMatchObject({ message: 'no such node', context: { itemIndex: 1 } });
	});
});

describe('a Send Once Key', () => {
	const sendUnder = async (...keys: unknown[]) => {
		const options = { sendOnceKey: (index: number) => keys[index] };
		const { helpers } = memory();
		return await send({ options }, { input: items(keys.length), helpers, continues: true });
	};

	it.each([
		'Tue Jul 14 2026 21:00:00 GMT+0200 (Central European Summer Time)',
		'42 Tue Jul 14 2026 21:00:00 GMT-0300 reminder',
	])('with a date that is another text in another time zone is refused: %s', async (key) => {
		const { items: output, sent } = await sendUnder(key);
		expect(output[0]?.json.error).toBe(
			'To 5511999990000: "Send Once Key" has a date whose text changes with the time zone of n8n. Write it as {{ new Date($json.x).toISOString() }}, with your field for x. Under the new key, what was sent before counts as new.',
		);
		expect(sent).toEqual([]);
	});

	it.each([Number.NaN, Number.POSITIVE_INFINITY, true, {}, ['a']])(
		'that is no text is refused: %j',
		async (key) => {
			const { items: output, sent } = await sendUnder(key);
			expect(output[0]?.json.error).toContain('"Send Once Key" is not a text.');
			expect(sent).toEqual([]);
		},
	);

	it.each([
		...['-shipped', 'order_', ':1', '1/', '|a', 'a|', 'a--b', 'a:/b', 'a_-b'],
		...['42 undefined', 'null shipped', 'order_undefined'],
	])('that seems to lack a part gets a hint: %s', async (key) => {
		const { hints, sent } = await sendUnder(key, 'c--d');
		expect(hints).toEqual([
			`A part of the Send Once Key of item 0 may be missing: "${key}". Items with the same key are sent once.`,
		]);
		expect(sent).toHaveLength(2);
	});

	it.each([
		...['2026-07-14T21:00:00.000Z', 'order-1', 'a_b:c/d|e', 'nullable', '1 - 2', 'Ana Undefined'],
		...[7, 'wamid.HBgN=='],
	])('that is whole gets none: %s', async (key) => {
		const { hints, sent } = await sendUnder(key);
		expect(hints).toEqual([]);
		expect(sent).toHaveLength(1);
	});
});
