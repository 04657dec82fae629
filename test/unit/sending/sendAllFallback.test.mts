/** A template in place of a text that the service refuses because the window is closed. */
import { SentRecord } from '../../../nodes/BusinessMessaging/sending/sentRecord.ts';
import type { PartedItem } from '../../../nodes/BusinessMessaging/sending/job.ts';
import type { ServiceError } from '../../../nodes/BusinessMessaging/service/errors/index.ts';
import {
	failure,
	FakeService,
	jobsTo,
	mostInOneSecond,
	sendItems,
	type SendSettings,
	settingsFor,
	templateInstead,
	type TextMessage,
} from './fakeService.mts';
import { inParts, Keys } from './parts.mts';
import { VirtualClock } from './virtualClock.mts';

type Item = TextMessage | PartedItem<TextMessage>;

const closed = () => failure('window_closed', 'none');
const refused = () => failure('rejected', 'none');
const lost = () => failure('timeout', 'unknown');

async function send(
	items: Item[],
	failures: Record<string, ServiceError[]> = {},
	changes: Partial<SendSettings> = {},
) {
	const clock = new VirtualClock(changes.signal);
	const service = new FakeService(clock, () => 5, new Map(Object.entries(failures)));
	async function* all() {
		for (const item of items) yield await Promise.resolve(item);
	}
	const settings = settingsFor(service, clock, { insteadOf: templateInstead, ...changes });
	const outcomes = await sendItems(all(), settings);
	return {
		outcomes,
		arrivals: service.arrivals,
		arrived: service.arrivals.map(({ text }) => text),
	};
}

const one = () => jobsTo(['a']);
const underKey = (key: string) => one().map((job) => ({ ...job, once: { key, fingerprint: 'x' } }));

test('leaves in place of the refused message, before the next one to the recipient', async () => {
	const { outcomes, arrived } = await send(jobsTo(['a', 'a', 'b', 'a']), { 'text 1': [closed()] });
	expect(arrived.filter((text) => text !== 'text 2')).toEqual([
		'text 0',
		'text 1',
		'template 1',
		'text 3',
	]);
	expect(outcomes.get(1)).toMatchObject({ messageId: 'id of template 1', sentAs: 'template' });
	expect(outcomes.get(1)).toHaveProperty('text', 'template 1');
	for (const index of [0, 2, 3]) expect(outcomes.get(index)).not.toHaveProperty('sentAs');
});

test('keeps the pace, and waits as the service asks', async () => {
	const recipients = Array.from({ length: 20 }, (_, index) => `recipient ${index}`);
	const failures = Object.fromEntries(recipients.map((_, index) => [`text ${index}`, [closed()]]));
	const slow = { 'template 0': [failure('rate_limited', 'none', 3000)] };
	const { outcomes, arrivals } = await send(
		jobsTo(recipients),
		{ ...failures, ...slow },
		{ maxPerSecond: 10 },
	);
	expect(mostInOneSecond(arrivals.map(({ at }) => at))).toBeLessThanOrEqual(10);
	expect(arrivals).toHaveLength(41);
	expect([...outcomes.values()].every((outcome) => 'sentAs' in outcome)).toBe(true);
});

test.each([
	['a lost response', lost(), 'unknown_outcome'],
	['another refusal', refused(), 'rejected'],
	['a failed service', failure('service_error', 'none'), 'service_error'],
])('does not leave after %s', async (_what, error, reason) => {
	const { outcomes, arrived } = await send(one(), { 'text 0': [error] });
	expect(arrived).toEqual(['text 0']);
	expect(outcomes.get(0)).toMatchObject({ error: { reason } });
});

test('a message without a fallback fails with its own error', async () => {
	const changes = { insteadOf: () => undefined };
	const { outcomes } = await send(one(), { 'text 0': [closed()] }, changes);
	expect(outcomes.get(0)).toMatchObject({ error: { reason: 'window_closed' } });
});

test('a refused template is told with its own reason, and that the window was closed', async () => {
	const failures = { 'text 0': [closed()], 'template 0': [refused()] };
	const { outcomes } = await send(one(), failures);
	expect(outcomes.get(0)).toMatchObject({
		recipient: 'a',
		error: {
			reason: 'rejected',
			message: expect.stringMatching(
				/: the conversation window is closed for the text, and the template in its place failed: rejected$/,
			) as string,
		},
	});
});

test('an error that does not come from the service stays as it is', async () => {
	const broken = new TypeError('no such template');
	const { outcomes } = await send(
		one(),
		{},
		{
			request: async ({ name }) => await Promise.reject(name === 'text' ? closed() : broken),
		},
	);
	expect(outcomes.get(0)).toMatchObject({ error: broken });
});

test('a retry finds the template in the record, and says so', async () => {
	const store = {};
	const record = () => ({ sentRecord: SentRecord.open(store, 0) });
	await send(jobsTo(['a', 'b']), { 'text 0': [closed()], 'text 1': [refused()] }, record());
	const { outcomes, arrived } = await send(jobsTo(['a', 'b']), {}, record());
	expect(arrived).toEqual(['text 1']);
	expect(outcomes.get(0)).toMatchObject({
		messageId: 'id of template 0',
		sentAs: 'template',
		text: 'template 0',
	});
	expect(outcomes.get(1)).not.toHaveProperty('sentAs');
	const without = await send(jobsTo(['a']), {}, { ...record(), insteadOf: () => undefined });
	expect(without.outcomes.get(0)).toHaveProperty('sentAs', 'template');
	expect(without.outcomes.get(0)).not.toHaveProperty('text');
});

test('a retry tries the message again after a refused template, and nothing after a lost one', async () => {
	const store = {};
	const record = () => ({ sentRecord: SentRecord.open(store, 0) });
	await send(
		jobsTo(['a', 'b']),
		{
			'text 0': [closed()],
			'template 0': [refused()],
			'text 1': [closed()],
			'template 1': [lost()],
		},
		record(),
	);
	const { outcomes, arrived } = await send(jobsTo(['a', 'b']), {}, record());
	expect(arrived).toEqual(['text 0']);
	expect(outcomes.get(1)).toMatchObject({ error: { reason: 'unknown_outcome' } });
});

test('under a key: sent once, free after a refused template, in doubt after a lost one', async () => {
	const keys = new Keys();
	const under = { onceKeys: keys.bound };
	await send(underKey('refused'), { 'text 0': [closed()], 'template 0': [refused()] }, under);
	await send(underKey('lost'), { 'text 0': [closed()], 'template 0': [lost()] }, under);
	await send(underKey('sent'), { 'text 0': [closed()] }, under);
	expect(Object.fromEntries(keys.states)).toEqual({ lost: 'doubt', sent: 'sent' });
	const again = await send(underKey('sent'), {}, under);
	expect(again.arrived).toEqual([]);
	expect(again.outcomes.get(0)).toEqual({
		messageId: null,
		channelId: expect.any(String) as string,
		recipient: 'a',
		alreadySent: true,
	});
});

test('cancelled between refusal and template, nothing is sent and the key is free', async () => {
	const abort = new AbortController();
	const keys = new Keys();
	const request = async ({ text }: TextMessage) => {
		if (text === 'template 0') throw new Error('left after cancelling');
		abort.abort();
		return await Promise.reject<string>(closed());
	};
	const { outcomes } = await send(
		underKey('order'),
		{},
		{ request, signal: abort.signal, onceKeys: keys.bound },
	);
	expect(outcomes.size).toBe(0);
	expect(keys.states.size).toBe(0);
});

test('does not leave if another item failed meanwhile and the node stops', async () => {
	const failures = { 'text 0': [refused()], 'text 1': [closed()] };
	const { outcomes, arrived } = await send(jobsTo(['a', 'b']), failures, { stopOnFailure: true });
	expect(arrived).toEqual(['text 0', 'text 1']);
	expect([...outcomes.keys()]).toEqual([0]);
});

describe('of a text in parts', () => {
	const item = (index = 0) => inParts(index, { key: `order ${index}` });
	const closedFirst = () => ({ 'text 0.1': [closed()] });

	test('a refusal of the first part replaces the whole', async () => {
		const { outcomes, arrived } = await send([inParts(0), inParts(1)], closedFirst());
		expect(arrived).toEqual(['text 0.1', 'template 0.1', 'text 1.1', 'text 1.2', 'text 1.3']);
		expect(outcomes.get(0)).toMatchObject({ messageId: 'id of template 0.1', sentAs: 'template' });
		expect(outcomes.get(0)).not.toHaveProperty('messageIds');
	});

	test('a retry sends no part of what was replaced, or may have been', async () => {
		for (const template of [[], [lost()]]) {
			const store = {};
			const record = () => ({ sentRecord: SentRecord.open(store, 0) });
			await send([inParts(0)], { ...closedFirst(), 'template 0.1': template }, record());
			expect((await send([inParts(0)], {}, record())).arrived).toEqual([]);
			expect((await send([inParts(0, { whole: 'another' })], {}, record())).arrived).toEqual([]);
		}
	});

	test('a repeat under the key sends no part of what was replaced, or may have been', async () => {
		for (const [template, expected] of [
			[[], { messageId: null, alreadySent: true }],
			[[lost()], { error: { reason: 'unknown_outcome' } }],
		] as const) {
			const under = { onceKeys: new Keys().bound };
			await send([item()], { ...closedFirst(), 'template 0.1': [...template] }, under);
			const repeat = await send([item()], {}, under);
			expect(repeat.arrived).toEqual([]);
			expect(repeat.outcomes.get(0)).toMatchObject(expected);
		}
	});

	test('a refused template is told without the part, and frees the key', async () => {
		const keys = new Keys();
		const failures = { ...closedFirst(), 'template 0.1': [refused()] };
		const { outcomes } = await send([item()], failures, { onceKeys: keys.bound });
		expect(outcomes.get(0)).toMatchObject({
			error: { message: expect.not.stringContaining('part 1') as string, reason: 'rejected' },
		});
		expect(keys.states.size).toBe(0);
	});

	test('a refusal of a later part fails the item', async () => {
		const isFirst = ({ part }: TextMessage) => part?.number === 1;
		const { outcomes, arrived } = await send(
			[inParts(0)],
			{ 'text 0.2': [closed()] },
			{ insteadOf: (job) => (isFirst(job) ? templateInstead(job) : undefined) },
		);
		expect(arrived).toEqual(['text 0.1', 'text 0.2']);
		expect(outcomes.get(0)).toMatchObject({
			error: { message: expect.stringContaining('(part 2 of 3)') as string },
		});
	});
});
