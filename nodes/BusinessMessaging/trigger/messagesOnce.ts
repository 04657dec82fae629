import type { IWebhookFunctions } from 'n8n-workflow';

import { type Admission, DeliveryMemory } from '../delivery/deduplicate';
import type { PassedEvent } from '../delivery/event/message';
import { settle } from '../delivery/respond';

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
