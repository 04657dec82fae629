/** Whether a message may leave, after any order of what can happen to a channel. */
import fc from 'fast-check';

import { Holds } from '#nodes/sending/holds.ts';
import type { PacedMessage } from '#nodes/sending/mayLeave.ts';
import { Places } from '#nodes/sending/pace.ts';
import { mayLeave, waitsUntil } from '#nodes/sending/mayLeave.ts';
import { runs } from '../../support/runs.mts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const BATCHES = [{ e: 0 }, { e: 1 }, { e: 2 }, { e: 3 }];

const recipient = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const step = fc.oneof(
	fc.record({
		kind: fc.constant('ask' as const),
		recipient,
		batch: fc.constantFrom(...BATCHES),
		maxPerSecond: fc.constantFrom(0, 0, 0, 2),
		hasFreePlace: fc.constantFrom(true, true, true, false),
		waitsForKey: fc.constantFrom<Array<boolean | 'long'>>(false, false, false, false, true, 'long'),
		isUncounted: fc.boolean(),
		opensIn: fc.constantFrom(0, 0, 0, MINUTE),
		within: fc.option(fc.nat({ max: MINUTE }), { nil: Infinity, freq: 5 }),
		heldFor: fc.option(fc.nat({ max: 16 * MINUTE }), { nil: undefined }),
		closedFor: fc.constantFrom(0, 0, 0, MINUTE),
		crowd: fc.subarray(BATCHES),
	}),
	fc.record({
		kind: fc.constantFrom('accepted', 'accepted', 'refused', 'refused', 'busy', 'cancelled'),
		which: fc.nat(),
		asked: fc.option(fc.nat({ max: 20 * MINUTE }), { nil: undefined }),
	}),
	fc.record({
		kind: fc.constant('later' as const),
		by: fc.oneof(fc.nat({ max: 2 * SECOND }), fc.nat({ max: 2 * MINUTE })),
	}),
);
type Ask = Extract<typeof step extends fc.Arbitrary<infer Step> ? Step : never, { kind: 'ask' }>;

/** What the rules need to be checked, remembered in the plainest way. */
class Model {
	now = 0.4;
	readonly channel = {
		...{ holds: new Holds(), inFlight: 0, responses: new Array<number>(), isClosed: false },
		places: new Places(),
	};
	readonly underWay: Array<{ recipient: string; number: number; triedAt: number }> = [];
	/** Since a message was accepted. */
	readonly refused = new Set<string>();
	readonly everRefused = new Set<string>();
	readonly ownUntil = new Map<string, number>();
	/** Refused without being told for how long: what is vain ends earlier. */
	readonly vague = new Set<string>();
	busyUntil = 0;
	/** Until when refusals of three may hold the channel. */
	channelUntil = 0;
	departures = 0;
	/** Messages that had left when the channel was held. */
	before = 0;

	answer({ kind, which, asked }: { kind: string; which: number; asked: number | undefined }) {
		const { now, channel, underWay, refused } = this;
		const [message] = underWay.splice(which % underWay.length, 1);
		if (!message) return;
		const { recipient, number } = message;
		channel.inFlight--;
		if (kind !== 'cancelled') channel.responses.push(now);
		const pause = Math.min(Math.max(asked ?? 0, SECOND), 15 * MINUTE);
		if (kind === 'accepted') {
			refused.clear();
			channel.holds.accept(now, recipient, number);
			if (number > this.before) this.channelUntil = 0;
		}
		if (kind === 'busy' && asked !== undefined) {
			channel.holds.pause(now, asked);
			this.busyUntil = Math.max(this.busyUntil, now + pause);
		}
		if (kind === 'refused') {
			refused.add(recipient);
			this.everRefused.add(recipient);
			channel.holds.refuse(now, recipient, number, asked);
			if (asked === undefined) this.vague.add(recipient);
			if (asked !== undefined)
				this.ownUntil.set(recipient, Math.max(this.ownUntil.get(recipient) ?? 0, now + pause));
			if (refused.size >= 3) {
				if (this.channelUntil <= now) this.before = this.departures;
				this.channelUntil = now + 16 * MINUTE;
			}
		}
		channel.holds.end(number, kind !== 'cancelled');
	}

	ask({ within, heldFor, closedFor, crowd, opensIn, ...given }: Ask) {
		const { now, channel, refused } = this;
		const { recipient, batch, maxPerSecond } = given;
		channel.responses.splice(0, channel.responses.filter((at) => at <= now - 1001).length);
		channel.places = new Places();
		for (const other of crowd) channel.places.take(other, {});
		const message: PacedMessage = {
			...{ ...given, number: 0, latest: now + within, closed: { until: now + closedFor } },
			heldSince: heldFor === undefined ? undefined : now - heldFor,
			...{ inOutage: () => undefined, opensIn: () => opensIn },
		};
		const decision = mayLeave(message, channel, now);
		expect(mayLeave(message, channel, now)).toEqual(decision);
		const others = crowd.filter((other) => other !== batch).length;
		if (decision === 'leave') {
			expect(Math.max(this.busyUntil, this.ownUntil.get(recipient) ?? 0)).toBeLessThanOrEqual(now);
			expect([message.hasFreePlace, message.waitsForKey]).toEqual([true, false]);
			expect([closedFor, opensIn]).toEqual([0, 0]);
			if (maxPerSecond > 0)
				expect(channel.inFlight + channel.responses.length).toBeLessThan(maxPerSecond);
			const counts = (other: string) =>
				!this.vague.has(other) && (this.ownUntil.get(other) ?? 0) + MINUTE > now;
			const isTry = [...refused].filter(counts).length >= 2 && !this.everRefused.has(recipient);
			if (isTry)
				for (const { triedAt } of this.underWay)
					expect(triedAt).toBeLessThanOrEqual(now - 2 * SECOND);
			const number = channel.holds.depart(recipient, now);
			this.departures++;
			channel.inFlight++;
			this.underWay.push({ recipient, number, triedAt: isTry ? now : -Infinity });
			expect(mayLeave({ ...message, number }, channel, now)).toBe('leave');
			return;
		}
		const held = 'wait' in decision ? decision.wait.for === 'service' : decision.held !== undefined;
		// Two refused recipients hold nobody else, nor do three while others are accepted.
		if (held && this.busyUntil <= now && !this.everRefused.has(recipient))
			expect(this.channelUntil).toBeGreaterThan(now);
		if ('fail' in decision) {
			const { fail } = decision;
			if (fail === 'key') expect(message.waitsForKey).not.toBe(false);
			if (fail === 'keyCrowd') expect(message.waitsForKey).toBe('long');
			if (fail !== 'crowd' && fail !== 'keyCrowd') return;
			expect([others >= 3, message.isUncounted]).toEqual([true, false]);
			return;
		}
		const { wait } = decision;
		expect(wait.for === 'key').toBe(message.waitsForKey !== false);
		if (wait.isLong && !message.isUncounted) expect(others < 3 || crowd.includes(batch)).toBe(true);
		expect(wait.until).toBeGreaterThan(now);
		if (wait.for === 'try') expect(refused.size).toBeGreaterThanOrEqual(2);
		if (wait.for !== 'service') return;
		if (within === Infinity) expect(wait.until).toBeLessThanOrEqual(waitsUntil(message, now));
		// It is over then, unless something else begins.
		const then = mayLeave({ ...message, latest: Infinity }, channel, wait.until);
		if (then !== 'leave' && 'wait' in then) expect(then.wait.until).toBeGreaterThan(wait.until);
	}
}

test('property: nothing leaves while it is held, and nothing is held without a reason', async () => {
	const seen = new Set<string>();
	fc.assert(
		fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
			const model = new Model();
			for (const each of steps) {
				seen.add(each.kind);
				if (each.kind === 'later') model.now += each.by;
				else if (each.kind === 'ask') model.ask(each);
				else if (model.underWay.length > 0) model.answer(each);
			}
		}),
		{ numRuns: runs(2000) },
	);
	expect(seen.size).toBe(6);
});
