/** What came before: a delivery, by its key, and a customer's message, by its ID. */
import type { IWebhookResponseData } from 'n8n-workflow';

import { type PassedEvent, whatHappenedIn } from '../delivery/event/message';
import { type Admission, admitOnce, DeliveryMemory, settle } from '../delivery/respond';
import { log } from '../service/log';
import { BoundedMap, shortKey } from '../shared/tools/boundedMap';
import type { Proven } from './prove';

/** One for all nodes of the process: its keys hold the node's path. */
const deliveries = new DeliveryMemory();
/** What the deliveries told that came under a key, for the log: no two should differ. */
const toldUnderKeys = new BoundedMap<string>(20_000);

/** The response to a redelivery. Undefined for a delivery to process. */
export function admit(delivery: Proven): IWebhookResponseData | undefined {
	const { context, node, body, idempotencyKey, settings } = delivery;
	if (idempotencyKey === undefined || !settings.deduplicate) return undefined;
	const parts = [...node, idempotencyKey];
	const told = shortKey(whatHappenedIn(body));
	const known = toldUnderKeys.get(parts.join(' ')) ?? told;
	toldUnderKeys.set(parts.join(' '), told);
	if (known !== told)
		log(
			context,
			'warn',
			`Two events have the idempotency key ${idempotencyKey}. Both are processed`,
		);
	return admitOnce(context, deliveries, [...parts, told]);
}

/** One for all nodes of the process, as large. */
const messages = new DeliveryMemory();

type Admitted = Extract<Admission, { state: 'new' }>;

/** Leaves out messages that came under another key. `later`: one is still being processed. */
export function withoutRepeated(
	{ context, node, settings }: Proven,
	events: PassedEvent[],
): PassedEvent[] | 'later' {
	if (!settings.deduplicate) return events;
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
		const admission = messages.admit(...node, messageId);
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
