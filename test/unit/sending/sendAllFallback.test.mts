/** A template in place of a text that the service refuses because the window is closed. */
import type { Item, Sending } from './fakeService.mts';
import {
	closed,
	failure,
	jobsTo,
	lost,
	mostInOneSecond,
	recipients,
	refused,
	send as sendAll,
	templateInstead,
	type TextMessage,
} from './fakeService.mts';
import { inParts, Keys } from './parts.mts';

const send = async (given: string[] | Item[], sending: Sending = {}) =>
	await sendAll(given, { insteadOf: templateInstead, ...sending });
const failing = (...texts: string[]) => Object.fromEntries(texts.map((text) => [text, [closed()]]));

const underKey = (key: string) =>
	jobsTo(['a']).map((job) => ({ ...job, once: { key, fingerprint: 'x' } }));

test('leaves in place of the refused message, before the next one to the recipient', async () => {
	const { outcomes, arrived } = await send(['a', 'a', 'b', 'a'], { failures: failing('text 1') });
	expect(arrived.filter((text) => text !== 'text 2')).toEqual([
		...['text 0', 'text 1', 'template 1', 'text 3'],
	]);
	const [sentAs, text] = ['template', 'template 1'];
	expect(outcomes.get(1)).toMatchObject({ messageId: 'id of template 1', sentAs, text });
	for (const index of [0, 2, 3]) expect(outcomes.get(index)).not.toHaveProperty('sentAs');
});

test('keeps the pace, and waits as the service asks', async () => {
	const failures = {
		...failing(...recipients(20).map((_, index) => `text ${index}`)),
		'template 0': [failure('rate_limited', 'none', 3000)],
	};
	const { outcomes, arrivals } = await send(recipients(20), { failures, maxPerSecond: 10 });
	expect(mostInOneSecond(arrivals.map(({ at }) => at))).toBeLessThanOrEqual(10);
	expect(arrivals).toHaveLength(41);
	expect([...outcomes.values()].every((outcome) => 'sentAs' in outcome)).toBe(true);
});

test.each([
	['a lost response', lost(), 'unknown_outcome'],
	['another refusal', refused(), 'rejected'],
	['a failed service', failure('service_error', 'none'), 'service_error'],
])('does not leave after %s', async (_what, error, reason) => {
	const { outcomes, arrived } = await send(['a'], { failures: { 'text 0': [error] } });
	expect(arrived).toEqual(['text 0']);
	expect(outcomes.get(0)).toMatchObject({ error: { reason } });
});

test('a refused template is told with its own reason, and that the window was closed', async () => {
	const failures = { ...failing('text 0'), 'template 0': [refused()] };
	const { outcomes } = await send(['a'], { failures });
	const told =
		/: the conversation window is closed for the text, and the template in its place failed: rejected$/;
	expect(outcomes.get(0)).toMatchObject({
		...{ recipient: 'a', error: { reason: 'rejected', message: expect.stringMatching(told) } },
	});
});

test('a retry finds the template in the record, and says so', async () => {
	const store = {};
	const failures = { ...failing('text 0'), 'text 1': [refused()] };
	await send(['a', 'b'], { store, failures });
	const { outcomes, arrived } = await send(['a', 'b'], { store });
	expect(arrived).toEqual(['text 1']);
	const sent = { messageId: 'id of template 0', sentAs: 'template' };
	expect(outcomes.get(0)).toMatchObject({ ...sent, text: 'template 0' });
	expect(outcomes.get(1)).not.toHaveProperty('sentAs');
	const without = await send(['a'], { store, insteadOf: () => undefined });
	expect(without.outcomes.get(0)).toMatchObject(sent);
	expect(without.outcomes.get(0)).not.toHaveProperty('text');
});

test('a retry tries the message again after a refused template, and nothing after a lost one', async () => {
	const store = {};
	const templates = { 'template 0': [refused()], 'template 1': [lost()] };
	await send(['a', 'b'], { store, failures: { ...failing('text 0', 'text 1'), ...templates } });
	const { outcomes, arrived } = await send(['a', 'b'], { store });
	expect(arrived).toEqual(['text 0']);
	expect(outcomes.get(1)).toMatchObject({ error: { reason: 'unknown_outcome' } });
});

test('under a key: sent once, free after a refused template, in doubt after a lost one', async () => {
	const keys = new Keys();
	const onceKeys = keys.bound;
	for (const [key, template] of [
		['refused', [refused()]],
		['lost', [lost()]],
		['sent', []],
	] as const) {
		const failures = { ...failing('text 0'), 'template 0': [...template] };
		await send(underKey(key), { failures, onceKeys });
	}
	expect(Object.fromEntries(keys.states)).toEqual({ lost: 'doubt', sent: 'sent' });
	const again = await send(underKey('sent'), { onceKeys });
	expect(again.arrived).toEqual([]);
	const channelId = expect.any(String) as string;
	const known = { messageId: null, channelId, recipient: 'a', alreadySent: true };
	expect(again.outcomes.get(0)).toEqual(known);
});

test('cancelled between refusal and template, nothing is sent and the key is free', async () => {
	const abort = new AbortController();
	const keys = new Keys();
	const request = async ({ text }: TextMessage) => {
		if (text === 'template 0') throw new Error('left after cancelling');
		abort.abort();
		return await Promise.reject<string>(closed());
	};
	const cancelled = { request, signal: abort.signal, onceKeys: keys.bound };
	const { outcomes } = await send(underKey('order'), cancelled);
	expect([outcomes.size, keys.states.size]).toEqual([0, 0]);
});

test('does not leave if another item failed meanwhile and the node stops', async () => {
	const failures = { 'text 0': [refused()], ...failing('text 1') };
	const { outcomes, arrived } = await send(['a', 'b'], { failures, stopOnFailure: true });
	expect(arrived).toEqual(['text 0', 'text 1']);
	expect([...outcomes.keys()]).toEqual([0]);
});

describe('of a text in parts', () => {
	const item = inParts(0, { key: 'order' });
	const closedFirst = (...template: Array<ReturnType<typeof lost>>) => ({
		failures: { ...failing('text 0.1'), 'template 0.1': template },
	});

	test('a refusal of the first part replaces the whole', async () => {
		const { outcomes, arrived } = await send([inParts(0), inParts(1)], closedFirst());
		expect(arrived).toEqual(['text 0.1', 'template 0.1', 'text 1.1', 'text 1.2', 'text 1.3']);
		expect(outcomes.get(0)).toMatchObject({ messageId: 'id of template 0.1', sentAs: 'template' });
		expect(outcomes.get(0)).not.toHaveProperty('messageIds');
	});

	test.each([
		['was replaced', [], { messageId: null, alreadySent: true }],
		['may have been', [lost()], { error: { reason: 'unknown_outcome' } }],
	])(
		'a retry, or a repeat under the key, sends no part of what %s',
		async (_what, template, expected) => {
			const store = {};
			await send([inParts(0)], { store, ...closedFirst(...template) });
			for (const whole of ['whole', 'another'])
				expect((await send([inParts(0, { whole })], { store })).arrived).toEqual([]);
			const onceKeys = new Keys().bound;
			await send([item], { onceKeys, ...closedFirst(...template) });
			const repeat = await send([item], { onceKeys });
			expect(repeat.arrived).toEqual([]);
			expect(repeat.outcomes.get(0)).toMatchObject(expected);
		},
	);

	test('a refusal of a later part fails the item', async () => {
		const { outcomes, arrived } = await send([inParts(0)], {
			failures: failing('text 0.2'),
			insteadOf: (job) => (job.part?.number === 1 ? templateInstead(job) : undefined),
		});
		expect(arrived).toEqual(['text 0.1', 'text 0.2']);
		expect(outcomes.get(0)).toMatchObject({
			error: { message: expect.stringContaining('(part 2 of 3)') as string },
		});
	});
});
