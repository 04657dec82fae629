/** The option *Ignore Older Than*: what the service kept for long starts nothing. */
import type { IWebhookFunctions } from 'n8n-workflow';

import type { PassedEvent } from '../delivery/event/message';
import { log } from '../service/log';
import { steadyClock } from '../shared/tools/clock';
import { DeliveryMemory, type Admission, settle } from '../delivery/respond';

const HOUR = 3_600_000;
/** Milliseconds between two lines in the log about the same node. */
const BETWEEN_LINES = 60_000;
/** Messages that the next line will count, by node. No entry: no line was written lately. */
const counts = new Map<string, number>();

/** Leaves out customers' messages that are too old, unless they have no time. */
export function withoutOld(
	context: IWebhookFunctions,
	node: readonly string[],
	hours: number | undefined,
	events: PassedEvent[],
): PassedEvent[] {
	if (hours === undefined) return events;
	const since = Date.now() - hours * HOUR;
	const fresh = events.filter(
		({ message, lastTime = since }) => message?.event !== 'MESSAGE_RECEIVED' || lastTime >= since,
	);
	const say = (count: number) =>
		log(
			context,
			'warn',
			`Older than ${hours} hours, so ignored: ${count} ${count === 1 ? 'message' : 'messages'}. The option "Ignore Older Than" says so`,
		);
	if (fresh.length < events.length) countOld(node.join(' '), events.length - fresh.length, say);
	return fresh;
}

/** The first line is written at once, the next ones after a minute, for all since. */
function countOld(node: string, old: number, say: (count: number) => void): void {
	const counted = counts.get(node);
	counts.set(node, counted === undefined ? 0 : counted + old);
	if (counted !== undefined) return;
	say(old);
	void steadyClock.sleep(BETWEEN_LINES).then(() => {
		const rest = counts.get(node) ?? 0;
		counts.delete(node);
		if (rest > 0) countOld(node, rest, say);
	});
}

/** One for all nodes of the process, beside the memory of deliveries and as large. */
const memory = new DeliveryMemory();

type Admitted = Extract<Admission, { state: 'new' }>;

/** Leaves out messages that came under another key. `later`: one is still being processed. */
export function withoutRepeated(
	context: IWebhookFunctions,
	node: readonly string[],
	events: PassedEvent[],
): PassedEvent[] | 'later' {
	const admitted = new Map<string, Admitted>();
	const endAll = (isConfirmed: boolean) => {
		for (const admission of admitted.values()) admission.end(isConfirmed);
	};
	const passed: PassedEvent[] = [];
	for (const event of events) {
		const { message } = event;
		if (message?.event !== 'MESSAGE_RECEIVED') {
			passed.push(event);
			continue;
		}
		const { messageId } = message;
		if (admitted.has(messageId)) continue;
		const admission = memory.admit(...node, messageId);
		if (admission.state === 'inFlight') {
			endAll(false);
			return 'later';
		}
		if (admission.state === 'seen') continue;
		admitted.set(messageId, admission);
		passed.push(event);
	}
	if (admitted.size > 0) settle(context, { state: 'new', end: endAll });
	return passed;
}
