/** A service that fails in the middle of a list. */
import { ServiceError } from '#nodes/service/errors/index.ts';
import { failure, jobsTo, recipients, refused, send, sharedWith } from './fakeService.mts';
import type { Sending, TextMessage } from './fakeService.mts';
import { VirtualClock } from '../../support/clocks.mts';

const SECOND = 1000;
/** The service answered about this message. */
const answered = () => {
	const { action, failure: why } = refused();
	return new ServiceError(action, { ...why, status: 400 });
};
const lost = () => failure('service_error', 'unknown');
const reasonOf = ({ outcomes }: Awaited<ReturnType<typeof send>>, index: number) => {
	const outcome = outcomes.get(index);
	return outcome && 'error' in outcome ? (outcome.error as ServiceError).reason : undefined;
};
/** Sends while the service answers each message as `answer` says. */
async function sendDuring(
	answer: (message: TextMessage, at: number) => ServiceError | undefined,
	{
		to = recipients(400),
		clock = new VirtualClock(),
		...changes
	}: Sending & { to?: string[] } = {},
) {
	const arrivals: Array<{ text: string; to: string; at: number }> = [];
	const request = async (message: TextMessage) => {
		const at = clock.now();
		arrivals.push({ text: message.text, to: message.recipient, at });
		await clock.sleep(100);
		const error = answer(message, at);
		if (error) throw error;
		return message.text;
	};
	const sent = await send(to, { clock, request, maxConcurrency: 10, ...changes });
	const reasons = to.map((_, index) => reasonOf(sent, index));
	return { ...sent, arrivals, reasons, error: (index: number) => sent.outcomes.get(index) };
}
const count = (reasons: unknown[], reason: unknown) =>
	reasons.filter((one) => one === reason).length;

test('an outage puts what is under way and a few tries in doubt, and the rest fails unsent', async () => {
	const { arrivals, reasons, error } = await sendDuring(() => lost());
	const tries = arrivals.filter(({ at }) => at >= SECOND);
	// Pauses of 1, 2, 4, 8, 16 and 29 s after the ten that were under way.
	expect(tries.map(({ at }) => Math.round(at / SECOND))).toEqual([1, 3, 7, 16, 32, 61]);
	// The place of the first, and of the second, is taken before there are three.
	expect(arrivals.length - tries.length).toBeLessThanOrEqual(12);
	const doubtful = arrivals.length;
	expect([count(reasons, 'unknown_outcome'), count(reasons, 'service_unavailable')]).toEqual([
		...[doubtful, 400 - doubtful],
	]);
	expect(error(399)).toMatchObject({
		error: { failure: { effect: 'none', retryAt: expect.any(String) as string } },
	});
});

test('an outage is one also if a message was in doubt and another accepted before it', async () => {
	const to = recipients(60);
	const answer = ({ text }: TextMessage) => (text === 'text 1' ? undefined : lost());
	const { reasons } = await sendDuring(answer, { to, maxConcurrency: 1 });
	// The one before it, the three that begin it, and six tries.
	expect([count(reasons, 'unknown_outcome'), count(reasons, 'service_unavailable')]).toEqual([
		...[1 + 3 + 6, 60 - 11],
	]);
});

test('a service that is back gets the rest, once its first try was accepted', async () => {
	const { arrivals, reasons } = await sendDuring((_, at) => (at < 5 * SECOND ? lost() : undefined));
	const doubtful = arrivals.filter(({ at }) => at < 5 * SECOND).length;
	expect([count(reasons, 'unknown_outcome'), count(reasons, undefined)]).toEqual([
		...[doubtful, 400 - doubtful],
	]);
	expect(doubtful).toBeLessThanOrEqual(14);
	expect(arrivals[doubtful]!.at).toBeGreaterThan(7 * SECOND);
	expect(arrivals.at(-1)!.at).toBeLessThan(14 * SECOND);
});

test('a message that is refused for itself ends no outage, and the next one tries at once', async () => {
	const { arrivals } = await sendDuring((_, at) =>
		at >= SECOND && at < 2 * SECOND ? refused() : lost(),
	);
	const tries = arrivals.map(({ at }) => at).filter((at) => at >= SECOND);
	// Within the second, one after the other.
	expect(tries.slice(0, 3).map((at) => at - tries[0]!)).toEqual([0, 100, 200]);
});

test('what nobody accepts between two that are in doubt does not hold up a list', async () => {
	const { reasons } = await sendDuring(({ text }) => (/[37]$/.test(text) ? lost() : undefined));
	expect([count(reasons, 'unknown_outcome'), count(reasons, undefined)]).toEqual([80, 320]);
});

test('messages that are refused for themselves break the row', async () => {
	const { reasons } = await sendDuring(({ text }) => {
		const at = Number(text.split(' ')[1]);
		if (at % 12 === 0) return lost();
		return at < 380 ? answered() : undefined;
	});
	expect([count(reasons, 'service_unavailable'), count(reasons.slice(380), undefined)]).toEqual([
		...[0, 18],
	]);
});

test('tries go to others than those whose messages are in doubt, and with other files', async () => {
	const to = Array.from({ length: 60 }, (_, index) => (index < 40 ? `r${index % 4}` : `r${index}`));
	const { arrivals } = await sendDuring(() => lost(), { to, maxConcurrency: 4 });
	const others = (from: number) => Array.from({ length: 6 }, (_, at) => `text ${from + at}`);
	const texts = arrivals.filter(({ at }) => at >= SECOND).map(({ text }) => text);
	expect([others(40), others(41), others(42)]).toContainEqual(texts);
	const jobs = jobsTo(recipients(60)).map((job) => ({
		...{ ...job, fileId: job.index < 50 ? 'same' : `${job.index}` },
	}));
	const tried: string[] = [];
	await send(jobs, {
		request: ({ text }) => {
			tried.push(text);
			return Promise.reject(lost());
		},
	});
	expect(tried.slice(-6)).toEqual(others(50));
});

test('other channels go on, and what another execution gets accepted ends it', async () => {
	const clock = new VirtualClock();
	const shared = sharedWith(clock);
	const other = (async () => {
		await clock.sleep(10 * SECOND);
		await send(['z'], { clock, ...shared });
	})();
	const during = await sendDuring((_, at) => (at < 10 * SECOND ? lost() : undefined), {
		...{ clock, ...shared },
	});
	await other;
	// Without it, the next try leaves after 15 s.
	expect(during.arrivals.find(({ at }) => at > 8 * SECOND)!.at).toBeLessThan(11 * SECOND);
	const doubtful = during.arrivals.filter(({ at }) => at < 10 * SECOND).length;
	expect(count(during.reasons, undefined)).toBe(400 - doubtful);
	const jobs = jobsTo(recipients(40)).map((job) => ({
		...{ ...job, channelId: job.index % 2 === 0 ? 'A' : 'B' },
	}));
	const clockOfTwo = new VirtualClock();
	const paces = new Map(['A', 'B'].map((name) => [name, sharedWith(clockOfTwo).paceFor()]));
	const arrived: Array<[string, number]> = [];
	await send(jobs, {
		clock: clockOfTwo,
		paceFor: ({ channelId }) => paces.get(channelId)!,
		request: async ({ channelId }) => {
			arrived.push([channelId, clockOfTwo.now()]);
			await clockOfTwo.sleep(100);
			if (channelId === 'A') throw lost();
			return 'id';
		},
	});
	const ofB = arrived.filter(([channel]) => channel === 'B');
	expect([ofB.length, ofB.at(-1)![1] < SECOND]).toEqual([20, true]);
});

test('an execution of one message is held by no outage', async () => {
	const clock = new VirtualClock();
	const shared = { clock, ...sharedWith(clock) };
	await Promise.all(
		recipients(10).map(async (to, at) => {
			await clock.sleep(at * SECOND);
			const start = clock.now();
			const sent = await send([to], { ...shared, failures: { 'text 0': [lost()] }, latency: 100 });
			expect([reasonOf(sent, 0), clock.now() - start]).toEqual(['unknown_outcome', 100]);
		}),
	);
});
