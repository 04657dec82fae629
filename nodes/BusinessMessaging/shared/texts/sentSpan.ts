import { WEBHOOK_TIME_RESOLUTION } from '../../service/contract';

/** When a question was sent, in milliseconds by the service's clock: between the two. */
export interface SentSpan {
	from: number;
	until: number;
}

/** The start and end of a request, in milliseconds by `steadyClock`. */
export interface RequestTimes {
	start: number;
	end: number;
}

/** A change that the service dated. It ties the service's clock to this process's. */
export interface DatedChange {
	/** By the service's clock, ISO 8601. */
	at: string | null | undefined;
	times: RequestTimes;
}

/** Without its zone a time could be hours off. */
const WITH_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/;

/** Milliseconds of a time that the service gives. Undefined if it is missing or unclear. */
export function readServiceTime(time: string | null | undefined): number | undefined {
	const milliseconds = time && WITH_ZONE.test(time) ? Date.parse(time) : Number.NaN;
	return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

/** When it was sent: the time of a change before it, plus what passed since, by our clock. */
export function sentSpan({ at, times }: DatedChange, sent: RequestTimes): SentSpan | undefined {
	const changed = readServiceTime(at);
	if (changed === undefined) return undefined;
	return {
		from: changed + Math.floor(sent.start - times.end),
		until: changed + WEBHOOK_TIME_RESOLUTION + Math.ceil(sent.end - times.start),
	};
}

/** Whether words were written before or after a question was sent, if that is clear. */
export function timingOf(
	written: number | undefined,
	span: SentSpan | null | undefined,
): 'before' | 'unclear' | 'after' {
	if (written === undefined || !span) return 'unclear';
	if (written < span.from) return 'before';
	return written > span.until ? 'after' : 'unclear';
}
