import type { Pace } from '#nodes/sending/pace.ts';
import { paceOf } from '#nodes/sending/pace.ts';
import { steadyClock } from '#nodes/shared/tools/clock.ts';
import { sendAlone } from '#nodes/sending/sendAlone.ts';
import type { ServiceClient } from '#nodes/service/client.ts';
import type { ServiceError } from '#nodes/service/errors/index.ts';
import { failure } from './fakeService.mts';

let tests = 0;
let sent: number;
let failures: ServiceError[];
let client: ServiceClient;
beforeEach(() => {
	sent = 0;
	failures = [];
	client = {
		baseUrl: '',
		// A pause holds for the account's channel in the whole process.
		account: `alone ${++tests}`,
		templatesPath: () => [],
		request: async () => {
			sent += 1;
			const error = failures.shift();
			if (error) throw error;
			return { messageId: 'm' } as never;
		},
	};
});
const message = { channelId: 'A', recipient: 'Ana', content: { type: 'TEXT', body: {} } };
const pace = (): Pace => paceOf(client.account, 'A');
const slowDown = (retryAfter?: number) => failure('rate_limited', 'none', retryAfter);
const LATE = { reason: 'rate_limited', failure: { effect: 'none' } };
const timed = async <Result,>(work: Promise<Result>) => {
	const before = performance.now();
	const result = await work.catch((error: unknown) => error as ServiceError);
	return { result, before, took: performance.now() - before };
};

it('waits as the service asks, prepares once, and returns when the accepted request began and ended', async () => {
	failures = [slowDown(1000)];
	const prepare = jest.fn(async () => await Promise.resolve());
	const { result, before } = await timed(sendAlone(client, message, { prepare }));
	expect(prepare).toHaveBeenCalledTimes(1);
	const { start, end } = result as Awaited<ReturnType<typeof sendAlone>>;
	expect(sent).toBe(2);
	expect(start - before).toBeGreaterThanOrEqual(990);
	expect(end).toBeGreaterThanOrEqual(start);
});

it('sends nothing before the preparation has succeeded, even if the service asks it to wait', async () => {
	const steps: string[] = [];
	const prepare = async () => {
		steps.push(`prepare, ${sent}`);
		if (steps.length === 1) throw slowDown(1000);
	};
	await sendAlone(client, message, { prepare });
	expect([...steps, sent]).toEqual(['prepare, 0', 'prepare, 0', 1]);
});

it('sends nothing and frees its slot if the preparation fails', async () => {
	const prepare = async () => await Promise.reject(new Error('not now'));
	await expect(sendAlone(client, message, { prepare })).rejects.toThrow('not now');
	expect([sent, pace().isIdle]).toEqual([0, false]);
	await sendAlone(client, message);
	expect(sent).toBe(1);
});

it('sends nothing if a pause began while it was prepared', async () => {
	const prepare = async () => await Promise.resolve(pace().holds.pause(steadyClock.now(), 60_000));
	await expect(sendAlone(client, message, { within: 50, prepare })).rejects.toMatchObject({
		...{ reason: 'service_unavailable', failure: { effect: 'none' } },
	});
	expect(sent).toBe(0);
});

it('fails unsent and unprepared if the channel waits longer than `within`', async () => {
	pace().holds.pause(steadyClock.now(), 60_000);
	const prepare = async () => await Promise.reject(new Error('prepared'));
	await expect(sendAlone(client, message, { within: 50, prepare })).rejects.toMatchObject({
		...LATE,
		reason: 'service_unavailable',
	});
	expect(sent).toBe(0);
});

it.each([
	['than `within`', 100, 2000],
	['than the longest wait', undefined, 16 * 60_000],
])('does not wait for a pause that is longer %s', async (_what, within, pause) => {
	failures = [slowDown(pause)];
	const bounds = within === undefined ? {} : { within };
	const { result, took } = await timed(sendAlone(client, message, bounds));
	expect(result).toMatchObject({ failure: { retryAfter: pause } });
	expect(took).toBeLessThan(1000);
	expect(pace().isIdle).toBe(false);
});

it('fails unsent while its recipient is held for longer than `within`, and others are sent', async () => {
	pace().holds.refuse(steadyClock.now(), 'Ana', 1, 60_000);
	await expect(sendAlone(client, message, { within: 50 })).rejects.toMatchObject(LATE);
	expect(sent).toBe(0);
	await sendAlone(client, { ...message, recipient: 'Ben' }, { within: 50 });
	expect(sent).toBe(1);
});

it('fails unsent and at once while its recipient is refused in vain', async () => {
	const held = { of: 'recipient', reason: 'rate_limited', isOwn: true, isVain: true } as const;
	const until = steadyClock.now() + 60_000;
	jest.spyOn(pace().holds, 'of').mockReturnValue({ ...held, until, next: until });
	for (const bounds of [{}, { within: 5000 }])
		await expect(sendAlone(client, message, bounds)).rejects.toThrow(/and waiting did not help/);
	expect(sent).toBe(0);
});
