import type { IDataObject } from 'n8n-workflow';

import type { Webhook } from '../../service/contract';
import { withoutSignatures } from '../../service/signedUrl';
import { OWNER_ATTRIBUTE } from '../../shared/ownerMark';
import { isPlainObject } from '../../shared/plainObject';

/** Fields that are deprecated, or the same on every webhook (docs/contract.md). */
const DROPPED = new Set(['instanceId', 'payloadFormat']);

/** `+0000`, which not every date parser reads, `+00:00` and the like as `2026-07-15T19:00:00.000Z`; what is no date stays as it is. */
function asIsoDate(value: string): string {
	const date = new Date(value.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
	return Number.isNaN(date.getTime()) ? value : date.toISOString();
}

/** What n8n's trigger wrote into the webhook's custom attributes, when it made it. */
export function madeByN8n(webhook: Webhook): IDataObject | undefined {
	const mark = webhook.customAttributes?.[OWNER_ATTRIBUTE];
	return isPlainObject(mark) ? mark : undefined;
}

/**
 * A webhook as items carry it: simplified, or the service's own object, either without signatures. `createdByN8n` tells webhooks of n8n's nodes from
 * others, and `createdByThisN8n` those of the n8n that runs this, as far as marks can be trusted: whoever may write webhooks can write a mark.
 */
export function presentWebhook(webhook: Webhook, instanceId: string, simplify = true): IDataObject {
	const shown = Object.fromEntries(
		Object.entries(webhook).map(([name, value]) => [
			name,
			typeof value === 'string' ? withoutSignatures(value) : value,
		]),
	) as IDataObject;
	if (!simplify) return shown;
	const kept = Object.entries(shown).filter(
		([name, value]) => !DROPPED.has(name) && !(name === 'channelId' && value === null),
	);
	const simplified: IDataObject = Object.fromEntries(kept);
	for (const name of ['createdAt', 'updatedAt'] as const) {
		const value = webhook[name];
		if (typeof value === 'string') simplified[name] = asIsoDate(value);
	}
	const mark = madeByN8n(webhook);
	return {
		...simplified,
		createdByN8n: mark !== undefined,
		createdByThisN8n: mark?.instanceId === instanceId,
	};
}
