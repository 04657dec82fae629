import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Context } from '../../context.mts';
import { Refusal } from '../../core/errors.mts';
import { idSchema, SIGNATURE_HEADER, WEBHOOK_STATUSES } from '../../contract.mts';
import { signedText } from '../../delivery/request.mts';
import type { Attempt, Deliveries, Delivery } from '../../store/deliveries.mts';
import { DELIVERY_ORDERS } from '../../store/webhooks.mts';
import { parseWith } from '../json.mts';
import { channelNamed } from './find.mts';

/** How many waiting deliveries of a webhook are looked at. */
const MOST_WAITING = 1000;

const copySchema = z.strictObject({ contents: z.array(z.record(z.unknown())).min(1).optional() });

const iso = (time: number) => new Date(time).toISOString();

/** What became of a delivery so far. */
const outcomeOf = (delivery: Delivery, deliveries: Deliveries) => ({
	...{ id: delivery.id, webhookId: delivery.webhookId },
	...{ state: delivery.state, attempts: delivery.attempts },
	nextAt: delivery.state === 'PENDING' ? iso(delivery.nextAt) : null,
	lastAttempt: deliveries.lastAttemptOf(delivery) ?? null,
});

/** What the nodes answer if they leave a message alone. */
const LEFT = ['Filtered out', 'Not the awaited answer'];
/** What n8n answers at a question's address if nobody waits there any more. */
const GONE = [
	/"message":"The execution \\"\w+(?:\\")? (?:does not exist\.|has finished )/,
	/<title>No action required<\/title>/,
];

/** Whether the receiver said that nobody took the message, or that nobody waits for it. */
function saidBy(answer: string): 'left' | 'gone' | null {
	if (LEFT.some((message) => answer === JSON.stringify({ message }))) return 'left';
	return GONE.some((words) => words.test(answer)) ? 'gone' : null;
}

/**
 * What became of each delivery of a message so far, and of its webhook: the status is null once it
 * was deleted.
 */
export const receiptsOf = ({ deliveries, webhooks }: Context, messageId: string) =>
	deliveries.ofMessage(messageId).map((delivery) => ({
		...outcomeOf(delivery, deliveries),
		said: saidBy(deliveries.answerTo(delivery)),
		description: webhooks.descriptionOf(delivery.webhookId),
		webhookStatus: webhooks.get(delivery.webhookId)?.status ?? null,
	}));

export type Receipt = ReturnType<typeof receiptsOf>[number];

const deliveryView = (delivery: Delivery, deliveries: Deliveries) => ({
	...delivery,
	createdAt: iso(delivery.createdAt),
	...outcomeOf(delivery, deliveries),
});

export type DeliveryView = ReturnType<typeof deliveryView>;

/** An attempt with the exact bytes of its request and the signed text. */
function attemptView({ requestGzip, at, ...attempt }: Attempt, delivery: Delivery) {
	const timestamp = /^t=(\d+),/.exec(attempt.requestHeaders[SIGNATURE_HEADER] ?? '')?.[1];
	return {
		...attempt,
		at: iso(at),
		/** The bytes on the wire. */
		requestBodyBase64: Buffer.from(requestGzip ?? delivery.body).toString('base64'),
		signedText:
			timestamp === undefined
				? null
				: signedText(timestamp, delivery.idempotencyKey, delivery.body),
	};
}

export type AttemptView = ReturnType<typeof attemptView>;

export function deliveryRoutes(app: FastifyInstance, context: Context): void {
	const { clock, deliveries, ids, messages, webhooks, worker, db, bus } = context;
	const view = (delivery: Delivery) => deliveryView(delivery, deliveries);

	const find = (params: unknown): Delivery => {
		const { id } = parseWith(z.object({ id: z.coerce.number().int() }), params);
		const delivery = deliveries.get(id);
		if (!delivery) throw new Refusal(404, 'Delivery not found');
		return delivery;
	};

	app.get('/_sandbox/deliveries', async (request) => {
		const query = z.object({
			webhookId: idSchema.optional(),
			state: z.enum(['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED']).optional(),
			before: z.coerce.number().int().optional(),
			limit: z.coerce.number().int().min(1).max(1000).default(100),
		});
		const filter = parseWith(query, request.query);
		const list = deliveries.list({ ...filter, webhookId: filter.webhookId?.toUpperCase() });
		return { counts: deliveries.counts(), deliveries: list.map(view) };
	});

	app.get('/_sandbox/undelivered', async (request) => {
		const query = parseWith(z.object({ channelId: idSchema }), request.query);
		const { id: channelId, tenantId } = channelNamed(context, query.channelId);
		const waiting = webhooks
			.inScope({ tenantId, channelId })
			// A paused one waits for no attempt.
			.filter(({ status }) => status === 'ENABLED')
			.flatMap(({ id }) => deliveries.waiting(id, 'oldest', MOST_WAITING))
			.map(({ id }) => deliveries.get(id)!);
		return {
			now: iso(clock.now()),
			undelivered: waiting.flatMap((delivery) => {
				const { message } = JSON.parse(delivery.body) as { message?: { _id: string } };
				const said = message && messages.get(message._id);
				if (said?.direction !== 'in') return [];
				const { attempts, nextAt } = delivery;
				return {
					...{ messageId: said.id, number: said.number, customer: said.customer, attempts },
					nextAt: iso(nextAt),
					lastAttempt: deliveries.lastAttemptOf(delivery) ?? null,
				};
			}),
		};
	});

	app.get('/_sandbox/deliveries/:id', async (request) => {
		const delivery = find(request.params);
		return {
			...view(delivery),
			attemptList: deliveries
				.attemptsOf(delivery.id)
				.map((attempt) => attemptView(attempt, delivery)),
		};
	});

	app.post('/_sandbox/deliveries/:id/redeliver', async (request, reply) => {
		const delivery = find(request.params);
		if (!webhooks.get(delivery.webhookId))
			throw new Refusal(409, 'The webhook of this delivery was deleted');
		if (worker.isUnderWay(delivery.webhookId, delivery.id))
			throw new Refusal(409, 'This delivery is in flight right now');
		db.transaction(() => deliveries.resend(delivery.id));
		worker.hurry(delivery.webhookId);
		return reply.code(202).send({ id: delivery.id });
	});

	/** The same event under another key; with contents, another message of the same sender. */
	app.post('/_sandbox/deliveries/:id/copy', async (request, reply) => {
		const { webhookId, event, idempotencyKey, body } = find(request.params);
		const { contents } = parseWith(copySchema, request.body ?? {});
		const told = JSON.parse(body) as { message?: object };
		const copied =
			contents === undefined
				? body
				: JSON.stringify({ ...told, message: { ...told.message, _id: ids.next(), contents } });
		const source = idempotencyKey.slice(0, idempotencyKey.lastIndexOf(':'));
		const { id } = db.transaction(() => deliveries.add(webhookId, event, source, copied));
		worker.hurry(webhookId);
		return reply.code(202).send({ id });
	});

	app.patch('/_sandbox/webhooks/:id', async (request) => {
		const change = parseWith(
			z
				.object({ order: z.enum(DELIVERY_ORDERS), status: z.enum(WEBHOOK_STATUSES) })
				.partial()
				.strict(),
			request.body,
		);
		const webhook = webhooks.get((request.params as { id: string }).id.toUpperCase());
		if (!webhook) throw new Refusal(404, 'Webhook not found');
		db.transaction(() => {
			if (change.order) webhooks.setOrder(webhook.id, change.order);
			if (change.status) webhooks.update(webhook, { status: change.status }, 0);
		});
		worker.wake();
		bus.emit('notice', 'webhook', { id: webhook.id, ...change });
		return { id: webhook.id, ...change };
	});
}
