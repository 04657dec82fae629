/**
 * What became of each event, as the service and n8n's database have it, and what follows from both.
 */

/** An event at the service. */
export interface DeliveryRecord {
	event: number;
	messageId?: string;
	/** A 2xx came for it. */
	acknowledged: boolean;
	/** Times of its deliveries. */
	attempts: number;
}

/** An execution in n8n's database. */
export interface ExecutionRecord {
	id: string;
	status: string;
	/** Its events; none if its data are gone. */
	events: readonly number[];
	/** When it was stored, milliseconds. */
	createdAt: number;
	/** The execution that this one repeats. */
	retryOf: string | null;
}

/** How a text of the run names an event, so that it is found again in whatever n8n stored. */
export const eventText = (event: number): string => `event-${event}-`;
export const FORGED_TEXT = 'forged-event';

export function eventIn(text: string): number | undefined {
	const found = /event-(\d+)-/.exec(text)?.[1];
	return found === undefined ? undefined : Number(found);
}

/** The events that a text names, each once, in order. */
export function eventsIn(text: string): number[] {
	return [...new Set(Array.from(text.matchAll(/event-(\d+)-/g), ([, event]) => Number(event)))];
}

export interface Account {
	events: number;
	acknowledged: number;
	/** Events with an execution that succeeded. */
	executed: number;
	/**
	 * Acknowledged events without one, and whose execution still has its data: a retry of it can be
	 * made.
	 */
	retryable: number[];
	/** Acknowledged events without one, whose execution n8n ended and whose data it did not keep. */
	withoutData: number[];
	/** Executions beyond the first of an event, repetitions by hand not counted. */
	repeated: number;
	/** Events with more executions than the restarts or deliveries explain. */
	inexcusable: number[];
}

/**
 * @param mayRepeat how often an event may be executed at most, given its executions: what the guide
 * admits
 */
export function accountFor(
	deliveries: readonly DeliveryRecord[],
	executions: readonly ExecutionRecord[],
	mayRepeat: (delivery: DeliveryRecord, executions: readonly ExecutionRecord[]) => boolean,
): Account {
	const byEvent = new Map<number, ExecutionRecord[]>();
	for (const execution of executions)
		for (const event of execution.events)
			byEvent.set(event, [...(byEvent.get(event) ?? []), execution]);
	const account: Account = {
		events: deliveries.length,
		acknowledged: 0,
		executed: 0,
		retryable: [],
		withoutData: [],
		repeated: 0,
		inexcusable: [],
	};
	for (const delivery of deliveries) {
		const own = byEvent.get(delivery.event) ?? [];
		const first = own.filter(({ retryOf }) => retryOf === null);
		if (delivery.acknowledged) account.acknowledged += 1;
		if (own.some(({ status }) => status === 'success')) account.executed += 1;
		else if (delivery.acknowledged)
			(own.length > 0 ? account.retryable : account.withoutData).push(delivery.event);
		account.repeated += Math.max(0, first.length - 1);
		if (!mayRepeat(delivery, first)) account.inexcusable.push(delivery.event);
	}
	return account;
}

/**
 * The executions to retry from the executions list, so that these events are executed: the last one
 * of each.
 */
export function toRetry(
	events: readonly number[],
	executions: readonly ExecutionRecord[],
): ReadonlySet<string> {
	return new Set(
		events.flatMap(
			(event) =>
				executions.filter((execution) => execution.events.includes(event)).at(-1)?.id ?? [],
		),
	);
}

/**
 * In one process, nothing runs twice: of an event's executions, at most one falls between two
 * restarts.
 */
export function oncePerLife(
	restarts: readonly number[],
): (delivery: DeliveryRecord, executions: readonly ExecutionRecord[]) => boolean {
	const lifeAt = (time: number): number => restarts.filter((restart) => restart <= time).length;
	return (_delivery, executions) =>
		new Set(executions.map(({ createdAt }) => lifeAt(createdAt))).size === executions.length;
}

/** With several processes: each execution had its own delivery. */
export const oncePerDelivery = (
	delivery: DeliveryRecord,
	executions: readonly ExecutionRecord[],
): boolean => executions.length <= Math.max(1, delivery.attempts);
