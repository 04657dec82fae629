import type { Webhook } from '../../service/contract';
import { OWNER_ATTRIBUTE, type OwnerMark } from '../../shared/ownerMark';
import { asPlainObject } from '../../shared/plainObject';
import { WAIT_ATTRIBUTE } from '../../owner/mark';
import { isMarkedAsOthers } from './plan';

/** Several events bring the same: "received or status changed" what "received" brings, too. */
const broughtBy = (event: string): string[] => {
	const parts = event.split('_').filter((part) => PARTS.has(part));
	return parts.length > 0 ? parts : [event];
};
const PARTS = new Set(['RECEIVED', 'STATUS', 'DELIVERY']);

/** The webhooks that bring one of the events to a trigger of an n8n, by the marks on them. */
function ofTriggers(listed: readonly Webhook[], events: readonly string[]): Webhook[] {
	const brought = new Set(events.flatMap(broughtBy));
	return listed.filter(
		(webhook) =>
			webhook.status === 'ENABLED' &&
			webhook.events.flatMap(broughtBy).some((part) => brought.has(part)) &&
			typeof webhook.customAttributes?.[OWNER_ATTRIBUTE] === 'object' &&
			// A question that waits in the chat is no trigger.
			webhook.customAttributes[WAIT_ATTRIBUTE] === undefined,
	);
}

/** A sentence about other workflows' triggers that get the same events, by their marks, if any. */
export function describeOthers(
	listed: readonly Webhook[],
	{ instanceId, workflowId }: OwnerMark,
	events: readonly string[],
): string | undefined {
	const others = ofTriggers(listed, events).filter((webhook) =>
		isMarkedAsOthers(webhook, { instanceId, workflowId }),
	);
	if (others.length === 0) return undefined;
	const names = others.map(({ description, customAttributes }) => {
		const mark = asPlainObject(customAttributes?.[OWNER_ATTRIBUTE]);
		const name = description || `the workflow ${String(mark.workflowId)}`;
		return mark.instanceId === instanceId ? name : `${name} of another n8n`;
	});
	return `Other workflows get the same events of this channel: ${names.join('; ')}. If each of them answers, a customer gets several answers. To prevent that, unpublish all but one`;
}
