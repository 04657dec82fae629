import { hostClock } from '../shared/tools/clock';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export interface DailyHours {
	/** Minutes of the day. */
	from: number;
	/** The same, and later: messages leave until then. */
	to: number;
	/** From 0, Sunday. At least one. */
	days: ReadonlySet<number>;
}

/**
 * The hours in which messages may leave, by the clocks of a time zone. A time that a change of
 * clocks skips is the first one after it; of one that comes twice, they open at the first and close
 * at the second.
 */
export class SendingHours {
	private readonly form: Intl.DateTimeFormat;
	/** The first opening that was not over at `since`. */
	private opening = { since: Infinity, from: 0, to: 0 };

	/** @throws RangeError if the zone does not exist */
	constructor(
		private readonly hours: DailyHours,
		timeZone: string,
	) {
		const numeric = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
		const time = { hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
		const cycle = { hourCycle: 'h23', calendar: 'gregory', numberingSystem: 'latn' } as const;
		this.form = new Intl.DateTimeFormat('en', { ...numeric, ...time, ...cycle, timeZone });
	}

	/** Milliseconds until messages may leave, or 0. */
	opensIn(now = hostClock.now()): number {
		const { since, to } = this.opening;
		if (now < since || now >= to) this.opening = { since: now, ...this.after(now) };
		return Math.max(0, this.opening.from - now);
	}

	private after(now: number): { from: number; to: number } {
		const { from, to, days } = this.hours;
		const today = Math.floor((now + this.offsetAt(now)) / DAY) * DAY;
		for (let date = today - DAY; ; date += DAY) {
			if (!days.has(new Date(date).getUTCDay())) continue;
			const opening = {
				from: this.timeOf(date + from * MINUTE, Math.min),
				to: this.timeOf(date + to * MINUTE, Math.max),
			};
			// A change of clocks can skip all of a day's hours.
			if (opening.to > now && opening.to > opening.from) return opening;
		}
	}

	/** @param local time of the zone's clocks. @param choose one of those that it can be */
	private timeOf(local: number, choose: (...times: number[]) => number): number {
		const offsets = [local - DAY, local + DAY].map((near) => this.offsetAt(near));
		const times = offsets.map((offset) => local - offset);
		const real = times.filter((time) => time + this.offsetAt(time) === local);
		if (real.length > 0) return choose(...real);
		// Skipped: between the two, the clocks change.
		let [before, after] = [Math.min(...times), Math.max(...times)];
		while (after - before > 1) {
			const middle = Math.floor((before + after) / 2);
			if (middle + this.offsetAt(middle) < local) before = middle;
			else after = middle;
		}
		return after;
	}

	/** Milliseconds that the zone's clocks are ahead of UTC. */
	private offsetAt(time: number): number {
		const { year, month, day, hour, minute, second } = Object.fromEntries(
			this.form.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
		) as Record<Intl.DateTimeFormatPartTypes, number>;
		const local = Date.UTC(year, month - 1, day, hour, minute, second);
		return local - Math.floor(time / 1000) * 1000;
	}
}
