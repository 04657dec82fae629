import type { IDataObject } from 'n8n-workflow';

import type { Webhook } from '../../service/contract';
import { NODE_ATTRIBUTE } from '../../shared/node/nodeMark';
import { isPlainObject } from '../../service/parseJson';

/** Says nothing: deprecated, no channel, or the format that all webhooks have. */
const isDropped = (name: string, value: unknown): boolean =>
	name === 'instanceId' ||
	(name === 'channelId' && value === null) ||
	(name === 'payloadFormat' && value === 'DEFAULT');

/** Dates as `2026-07-15T19:00:00.000Z`. Not every parser reads `+0000`. Other texts stay. */
function asIsoDate(value: string): string {
	const date = new Date(value.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
	return Number.isNaN(date.getTime()) ? value : date.toISOString();
}

/** The mark of webhooks that a node in n8n made: a trigger, or a question in the chat. */
export function madeByN8n(webhook: Webhook): IDataObject | undefined {
	const mark = webhook.customAttributes?.[NODE_ATTRIBUTE];
	return isPlainObject(mark) ? mark : undefined;
}

/** What an item shows of a webhook. Its mark says who made it, and anybody could write one. */
export function presentWebhook(webhook: Webhook, instanceId: string, simplify = true): IDataObject {
	if (!simplify) return webhook as IDataObject;
	const kept = Object.entries(webhook).filter(([name, value]) => !isDropped(name, value));
	const simplified = Object.fromEntries(kept) as IDataObject;
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
