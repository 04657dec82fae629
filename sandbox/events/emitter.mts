import type { ChannelEvent } from '../contract.mts';
import type { DeliveryWorker } from '../delivery/worker.mts';
import type { Channel } from '../store/channels.mts';
import type { Message } from '../store/messages.mts';
import type { Stores } from '../stores.mts';
import type { StoredWebhook } from '../store/webhooks.mts';
import { connectionBody, messageBody } from './bodies.mts';
import { templateBody, type TemplateChange } from './templateBodies.mts';

/** Topic of the idempotency keys. Source: a published example. */
const TOPIC = 'webhook.delivery.event';
const PARTITIONS = 12;

/**
 * The webhook events for each thing that happens, the plain one first. Of the combined ones, only
 * the names are published.
 */
const EVENTS_OF: Record<'received' | 'sent' | 'status', ChannelEvent[]> = {
	received: ['MESSAGE_RECEIVED', 'RECEIVED_STATUS', 'RECEIVED_AND_DELIVERY'],
	sent: ['MESSAGE_DELIVERY', 'RECEIVED_AND_DELIVERY'],
	status: ['MESSAGE_STATUS', 'RECEIVED_STATUS'],
};

/**
 * Turns what happens into deliveries, one for each subscribed webhook. Called inside the
 * transaction that makes it happen, so that both are stored or neither. A paused webhook's
 * deliveries wait in its queue.
 */
export class Emitter {
	readonly #parts: Stores & { worker: DeliveryWorker };

	constructor(parts: Stores & { worker: DeliveryWorker }) {
		this.#parts = parts;
	}

	message(message: Message, happened: keyof typeof EVENTS_OF): void {
		const { channels, tenants, messages, webhooks, origin } = this.#parts;
		const channel = channels.get(message.channelId);
		const tenant = channel && tenants.get(channel.tenantId);
		if (!channel || !tenant) return;
		const subscribed = webhooks.inScope({ tenantId: tenant.id, channelId: channel.id });
		const matching = subscribed.flatMap((webhook) => {
			const event = EVENTS_OF[happened].find((name) => webhook.events.includes(name));
			return event ? [{ webhook, event }] : [];
		});
		if (matching.length === 0) return;
		const customerName = messages.conversation(channel.id, message.customer)?.name;
		const body = messageBody(
			message,
			{ tenant, channel, customerName: customerName ?? message.customer, origin },
			happened === 'status' ? 'status' : 'newMessage',
		);
		for (const { webhook, event } of matching) this.#queue(webhook, event, body);
	}

	connection(event: 'CONNECTED' | 'DISCONNECTED', channel: Channel): void {
		const { tenants, webhooks, clock } = this.#parts;
		const tenant = tenants.get(channel.tenantId);
		if (!tenant) return;
		for (const webhook of webhooks.inScope({ tenantId: tenant.id, channelId: channel.id })) {
			if (webhook.events.includes(event))
				this.#queue(webhook, event, connectionBody(event, channel, tenant, clock.now()));
		}
	}

	/** Returns the number of webhooks that it goes to. */
	template(tenantId: string, change: TemplateChange, wabaId: string): number {
		const { webhooks, ids, clock } = this.#parts;
		const event = change.field === 'status' ? 'UPDATE_TEMPLATE_STATUS' : 'UPDATE_TEMPLATE_CATEGORY';
		const body = templateBody(change, ids.next(), wabaId, clock.now());
		const routed = webhooks
			.inScope({ tenantId, channelId: null })
			.filter((webhook) => webhooks.effectiveRouting(webhook)?.events.includes(event));
		for (const webhook of routed) this.#queue(webhook, event, body);
		return routed.length;
	}

	#queue(webhook: StoredWebhook, event: string, body: string): void {
		const { db, deliveries, worker } = this.#parts;
		const delivery = deliveries.add(
			webhook.id,
			event,
			`${TOPIC}:${webhook.number % PARTITIONS}`,
			body,
		);
		db.afterCommit(() => worker.enqueue(webhook.id, delivery.nextAt));
	}
}
