import type { Webhook } from '../../service/contract';
import { OWNER_ATTRIBUTE } from '../../shared/ownerMark';
import type { OwnerMark } from '../../shared/ownerMark';
import { asPlainObject } from '../../shared/plainObject';
import { readWaiting } from '../../shared/waitingQuestion';
import { isMarkedAsOthers } from './plan';

/**
 * A sentence about the triggers of other workflows that get the same events of a channel, by the
 * marks on their webhooks. Undefined if there are none.
 */
export function describeOthers(
	listed: readonly Webhook[],
	{ instanceId, workflowId }: OwnerMark,
	events: readonly string[],
): string | undefined {
	const others = listed.filter(
		(webhook) =>
			webhook.status === 'ENABLED' &&
			webhook.events.some((event) => events.includes(event)) &&
			isMarkedAsOthers(webhook, { instanceId, workflowId }) &&
			// A question that waits in the chat is no trigger.
			!readWaiting(webhook),
	);
	if (others.length === 0) return undefined;
	const names = others.map(({ description, customAttributes }) => {
		const mark = asPlainObject(customAttributes?.[OWNER_ATTRIBUTE]);
		const name = description || `the workflow ${String(mark.workflowId)}`;
		return mark.instanceId === instanceId ? name : `${name} of another n8n`;
	});
	return `Other workflows get the same events of this channel: ${names.join('; ')}. If each of them answers, a customer gets several answers. To prevent that, unpublish all but one`;
}
