/** How the operations that send go about it: what they remember, and what they say. */
import { createHash } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { fingerprintOf } from '../../../nodes/BusinessMessaging/resources/message/onceMemory.ts';
import {
	sayOfRetry,
	sayWhatHappened,
	tagExecution,
} from '../../../nodes/BusinessMessaging/resources/message/sendingHints.ts';
import type { SendOutcome } from '../../../nodes/BusinessMessaging/sending/sendAll.ts';
import { ServiceError } from '../../../nodes/BusinessMessaging/service/errors.ts';
import { CHANNEL, run, type Sent, type Setting } from './actionNode.mts';

const send = async (entered: Record<string, unknown>, setting: Setting = {}) =>
	await run(
		{
			resource: 'message',
			operation: 'sendText',
			channelId: CHANNEL,
			recipient: '5511999990000',
			text: 'Hi',
			...entered,
		},
		setting,
	);
const items = (count: number) => Array.from({ length: count }, () => ({ json: {} }));
const textsOf = (sent: readonly Sent[]) =>
	sent.map(({ body }) => (body as { content: { body: { message: string } } }).content.body.message);
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

const PARTS = ['One', 'Two', 'Three'].map((name) => `${name} ${'word '.repeat(18).trim()}.`);
const LONG = PARTS.join('\n\n');
const acceptedIn = ({ sentTexts }: IDataObject) => (sentTexts as { accepted: object }).accepted;
const accepted = { body: { messageId: 'A'.repeat(32) } };
const refused = {
	statusCode: 422,
	body: { error: 422, message: 'Conversation window is closed' },
};

describe('under a key', () => {
	/** n8n's memory, with the scopes in which something was removed. */
	const memory = () => {
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
	};

	// What is remembered counts for ever, also for later versions of the node: the form must stay.
	it('each part has one of its own, of which the first is that of the item', async () => {
		const { recorded, helpers } = memory();
		const options = { maxLength: 100, sendOnceKey: 'order 1' };
		const { sent } = await send({ text: LONG, options }, { helpers });
		expect(textsOf(sent)).toEqual(PARTS);
		const begun = ['order 1', '["order 1","part",2]', '["order 1","part",3]'].map((key) =>
			sha256(JSON.stringify(['n8n business messaging once v1', 'begun', key])),
		);
		expect(begun.filter((value) => recorded.has(value))).toEqual(begun);
	});

	it('what was not sent is forgotten, in the memory of the node', async () => {
		const { recorded, removedIn, helpers } = memory();
		const sending = send(
			{ options: { sendOnceKey: 'order 2' } },
			{ helpers, answer: () => refused },
		);
		await expect(sending).rejects.toThrow('window is closed');
		expect([[...recorded], removedIn]).toEqual([[], ['node']]);
	});

	it('a message is told by the channel, the recipient, the content and the file', () => {
		const content = { type: 'TEXT', body: { message: 'Hi' } };
		const told = `["${CHANNEL}","551",{"type":"TEXT","body":{"message":"Hi"}}`;
		const uuid = '019e4c54-b1b3-75a2-8970-b605ca9b03c3';
		const file = { bytes: 3, mimeType: 'image/png' };
		expect(fingerprintOf(uuid, '551', content)).toBe(sha256(`${told}]`));
		expect(fingerprintOf(uuid, '551', content, file)).toBe(sha256(`${told},3,"image/png"]`));
	});
});

it('the parts that were sent before another failed are kept with the execution, from 1 on', async () => {
	const store: IDataObject = {};
	const answer = ({ body }: Sent) => (JSON.stringify(body).includes('Two') ? refused : accepted);
	const sending = send({ text: LONG, options: { maxLength: 100 } }, { store, answer });
	await expect(sending).rejects.toThrow('(part 2 of 3)');
	expect(Object.keys(acceptedIn(store))).toEqual(['0.1']);
});

it('what was sent is known when the node is tried again, and nothing of it in the next round of a loop', async () => {
	const store: IDataObject = {};
	const input = items(2);
	const isFirst = () => store.sentTexts !== undefined && Object.keys(acceptedIn(store)).length < 1;
	const answer = () => (isFirst() ? accepted : refused);
	const tried = { input, store };
	await expect(send({}, { ...tried, answer })).rejects.toThrow('window is closed');
	expect(Object.keys(acceptedIn(store))).toEqual(['0']);
	const kept = structuredClone(store);
	expect((await send({}, tried)).sent).toHaveLength(1);
	expect((await send({}, { input, store: kept, round: 1 })).sent).toHaveLength(2);
});

it('a cancelled execution says that not all was sent', async () => {
	await expect(send({}, { signal: AbortSignal.abort() })).rejects.toThrow(
		'The execution was cancelled before all texts were sent.',
	);
});

it('a failed item names the recipient and the channel only where they could be read', async () => {
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

it('the error that stops the node says what a retry does before the words of the service', async () => {
	const answer = ({ body }: Sent) =>
		JSON.stringify(body).includes('"552"')
			? { statusCode: 401, body: { error: 401, message: 'Unauthorized' } }
			: accepted;
	const recipient = (index: number) => ['551', '552'][index];
	const sending = send({ recipient, options: { maxConcurrency: 1 } }, { input: items(2), answer });
	await expect(sending).rejects.toMatchObject({
		description: expect.stringMatching(
			/ The 1 that was accepted is not sent again; the other is, when this execution is retried\. The service said: "Unauthorized"\.$/,
		) as string,
	});
});

it('of a large batch, after the first fifty, two items are read in one turn of Node.js', async () => {
	const turns: number[] = [];
	let [turn, isDone] = [0, false];
	const count = () => {
		turn++;
		if (!isDone) setImmediate(count);
	};
	count();
	const text = (index: number) => {
		turns[index] = turn;
		return 'Hi';
	};
	try {
		await send({ text, options: { maxConcurrency: 100 } }, { input: items(54) });
	} finally {
		isDone = true;
	}
	const turnsOf = (from: number, to: number) => [...new Set(turns.slice(from, to))];
	const stretches = [turnsOf(0, 50), turnsOf(50, 52), turnsOf(52, 54)];
	expect(stretches).toEqual([[expect.any(Number)], [expect.any(Number)], [expect.any(Number)]]);
	expect(new Set(stretches.flat()).size).toBe(3);
});

describe('what is said', () => {
	const about = { channelId: CHANNEL, recipient: '551' };
	const sent = { messageId: 'A', ...about };
	const known = { messageId: null, ...about, alreadySent: true as const };
	const failure = (reason: 'unknown_outcome' | 'rejected') => ({
		error: new ServiceError('send the text', { reason, effect: 'unknown', cause: '', hint: '' }),
	});
	const doubt = failure('unknown_outcome');

	it.each<[string, SendOutcome[], string[]]>([
		['nothing', [sent], []],
		['of one key', [known, sent], ['1 key had been sent before.']],
		['of two keys', [known, known], ['2 keys had been sent before.']],
	])('on the output: %s', (_what, outcomes, said) => {
		const addExecutionHints = jest.fn();
		sayWhatHappened({ addExecutionHints } as unknown as IExecuteFunctions, outcomes, 0);
		expect(addExecutionHints.mock.calls).toEqual(
			said.map((message) => [{ message, location: 'outputPane' }]),
		);
	});

	it.each<[string, SendOutcome[], number]>([
		['', [doubt, failure('rejected')], 3],
		['The 1 that was accepted is not sent again when this execution is retried.', [sent], 1],
		[
			'The 1 that was accepted is not sent again; the others are, when this execution is retried.',
			[sent, failure('rejected'), { error: new Error('No') }],
			3,
		],
		[
			'The 2 that were accepted and the 1 that may have been are not sent again when this execution is retried.',
			[sent, sent, doubt],
			3,
		],
	])('of a retry: "%s"', (said, outcomes, total) => {
		expect(sayOfRetry(outcomes, total)).toBe(said);
	});

	it.each([
		['recipient', '551', [' 551', '551 ']],
		['recipients', '2', ['551', ' 552']],
	])('with the execution: %s %s', (key, value, recipients) => {
		const set = jest.fn();
		const context = {
			getInputData: () => items(recipients.length),
			getNodeParameter: (_name: string, index: number) => recipients[index],
			getWorkflowDataProxy: () => ({ $execution: { customData: { set } } }),
		};
		tagExecution(context as unknown as IExecuteFunctions);
		expect(set.mock.calls).toEqual([[key, value]]);
	});
});
