import { setTimeout as sleep } from 'node:timers/promises';

import { isAllowedHost } from '../core/loopback.mts';
import type { WebhookFault } from '../faults/schema.mts';
import type { Attempt, Delivery, DeliveryState } from '../store/deliveries.mts';
import type { Stores } from '../stores.mts';
import type { StoredWebhook } from '../store/webhooks.mts';
import { buildRequest, type DeliveryRequest } from './request.mts';
import { parseRetryAfter, waitAfter } from './schedule.mts';
import type { Result, Sender } from './send.mts';

interface AttemptParts extends Stores {
	sender: Sender;
}

/** A delivery in flight: its webhook as it was at the start, and its abort signal. */
export interface UnderWay {
	delivery: Delivery;
	webhook: StoredWebhook;
	controller: AbortController;
}

/** One attempt, or several with the duplicate fault. Never rejects. */
export async function attemptsAt(underWay: UnderWay, parts: AttemptParts): Promise<Attempt[]> {
	const { delivery, webhook } = underWay;
	const faults = parts.faults.takeForWebhook(webhook);
	const attempts: Attempt[] = [];
	const copies = faults.find((fault) => fault.kind === 'duplicate')?.copies ?? 0;
	for (let copy = 0; copy <= copies; copy += 1)
		attempts.push(await attempt(underWay, faults, delivery.attempts + 1 + copy, parts));
	return attempts;
}

function delayOf(fault: WebhookFault): number {
	if (fault.kind === 'latency') return fault.ms;
	return fault.kind === 'reorder' ? Math.random() * fault.withinMs : 0;
}

async function attempt(
	{ delivery, webhook, controller }: UnderWay,
	faults: readonly WebhookFault[],
	number: number,
	parts: AttemptParts,
): Promise<Attempt> {
	const delay = faults.reduce((sum, fault) => sum + delayOf(fault), 0);
	// An aborted wait ends here; the call below then fails at once.
	if (delay > 0)
		await sleep(delay, undefined, { signal: controller.signal }).catch(() => undefined);
	const at = Date.now();
	const request = buildRequest(delivery, webhook, faults, Math.floor(at / 1000));
	const result = await call(webhook.url, request, faults, controller, parts);
	return {
		number,
		at,
		duration: Date.now() - at,
		url: webhook.url,
		requestHeaders: request.headers,
		requestGzip: request.gzipped ? request.body : null,
		faults: faults.map((fault) => fault.kind),
		status: result.status,
		responseHeaders: result.headers,
		responseBody: result.body,
		error: result.error,
	};
}

/** Calls the receiver, unless a fault or the host forbids it. */
async function call(
	url: string,
	{ headers, body }: DeliveryRequest,
	faults: readonly WebhookFault[],
	controller: AbortController,
	{ sender, allowedHosts }: AttemptParts,
): Promise<Result> {
	const none = { status: null, headers: null, body: null };
	const { hostname } = new URL(url);
	if (!isAllowedHost(hostname, allowedHosts)) {
		const error = `not sent: ${hostname} is not this machine. Start the sandbox with --allow-delivery-to ${hostname} to call it`;
		return { ...none, error };
	}
	const fault = faults.find(({ kind }) => kind === 'status');
	if (fault?.kind === 'status') {
		const { status, retryAfter } = fault;
		const given: Record<string, string> =
			retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
		return { status, headers: given, body: null, error: `fault: counts as response ${status}` };
	}
	if (faults.some(({ kind }) => kind === 'dropBefore'))
		return { ...none, error: 'fault: dropped before sending' };
	const result = await sender.call({ url, headers, body, controller });
	return faults.some(({ kind }) => kind === 'dropAfter')
		? { ...result, error: 'fault: the response was dropped' }
		: result;
}

/** The state of a delivery after its attempts, and when it is due. */
export function judge(
	{ nextAt, idempotencyKey }: Delivery,
	attempts: readonly Attempt[],
	now: number,
): { state: DeliveryState; nextAt: number } {
	if (attempts.some(({ error }) => error === null)) return { state: 'DELIVERED', nextAt };
	const last = attempts[attempts.length - 1]!;
	const retryAfter = parseRetryAfter(last.responseHeaders?.['retry-after'], Date.now());
	const wait = waitAfter(last.number, idempotencyKey, retryAfter);
	return wait === undefined
		? { state: 'FAILED', nextAt }
		: { state: 'PENDING', nextAt: now + wait };
}
