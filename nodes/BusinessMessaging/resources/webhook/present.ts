import type { IDataObject } from 'n8n-workflow';

import type { Webhook } from '../../service/contract';

/** Fields that are deprecated, or the same on every webhook (description, 2.1 and 2.2). */
const DROPPED = new Set(['instanceId', 'payloadFormat']);

/** `+0000`, which not every date parser reads, `+00:00` and the like as `2026-07-15T19:00:00.000Z`; what is no date stays as it is. */
function asIsoDate(value: string): string {
	const date = new Date(value.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
	return Number.isNaN(date.getTime()) ? value : date.toISOString();
}

/** What n8n's trigger wrote into the webhook's custom attributes, when it made it. */
export function madeByN8n(webhook: Webhook): IDataObject | undefined {
	const mark = webhook.customAttributes?.n8n;
	return typeof mark === 'object' && mark !== null && !Array.isArray(mark) ? (mark as IDataObject) : undefined;
}

/** A webhook as items carry it: simplified, or the service's own object. `createdByN8n` tells the trigger's webhooks from others. */
export function presentWebhook(webhook: Webhook, simplify: boolean): IDataObject {
	if (!simplify) return webhook as IDataObject;
	const kept = Object.entries(webhook).filter(([name, value]) => !DROPPED.has(name) && !(name === 'channelId' && value === null));
	const simplified: IDataObject = Object.fromEntries(kept) as IDataObject;
	for (const name of ['createdAt', 'updatedAt'] as const) {
		const value = webhook[name];
		if (typeof value === 'string') simplified[name] = asIsoDate(value);
	}
	return { ...simplified, createdByN8n: madeByN8n(webhook) !== undefined };
}
