/** What a lifecycle method says in n8n's log. */
import type { IHookFunctions } from 'n8n-workflow';

import { WAIT_ATTRIBUTE } from '../../replies/questionMark';
import { getChannel } from '../../service/channels';
import type { ServiceClient } from '../../service/client';
import { isSameId, type Webhook } from '../../service/contract';
import { log } from '../../service/log';
import { withoutSignatures } from '../../service/secrets';
import { isGone, webhookApi, type WebhookOwner } from '../../service/webhooks';
import { NODE_ATTRIBUTE, type NodeMark } from '../../shared/node/nodeMark';
import { asPlainObject } from '../../service/parseJson';
import { judgeReachability } from '../../shared/node/reachability';
import { isOfTest } from '../../workarounds/testWebhook';
import { RegistrationError } from '../registrationError';
import { isMarkedAsOthers } from './plan';
import { type FormerWebhook, readFormer, writeFormer } from './state';

/** Milliseconds. Publishing does not fail for it. */
const LOOK_TIMEOUT = 5000;

/** The service also registers webhooks on a channel that is not connected. */
export async function warnIfDisconnected(
	context: IHookFunctions,
	client: ServiceClient,
	owner: WebhookOwner,
): Promise<void> {
	if (owner.kind !== 'channel' || isOfTest(context)) return;
	const channel = await getChannel(client, owner.channelId, LOOK_TIMEOUT).catch(() => undefined);
	if (channel?.phoneConnected !== false) return;
	log(
		context,
		'warn',
		'The workflow is published on a channel that is not connected, so no message arrives. Connect it with the operation Channel → Connect',
	);
}

/** @throws RegistrationError if the service certainly cannot deliver */
export function warnOrRefuse(
	context: IHookFunctions,
	{ url, client }: { url: string; client: ServiceClient },
): void {
	const reachability = judgeReachability(url, client.baseUrl);
	if (reachability.verdict === 'fine') return;
	if (reachability.verdict === 'unreachable')
		throw new RegistrationError(reachability.problem, reachability.remedy);
	log(context, 'warn', `${reachability.problem}. ${reachability.remedy}`);
}

/**
 * Names this node's webhooks that go to another address in the log, because they stay, and forgets
 * those that the service no longer lists. Never fails, because what was asked for is done.
 * @param mayStore false if another process stores the state, and this one's is older
 */
export async function nameFormer(
	context: IHookFunctions,
	client: ServiceClient,
	url: string,
	mayStore = true,
): Promise<void> {
	if (isOfTest(context)) return;
	const data = context.getWorkflowStaticData('node');
	const before = readFormer(data);
	const still: FormerWebhook[] = [];
	for (const former of before) {
		const shown = await findFormer(client, former);
		// One that goes to this node again is its own.
		if (shown && shown.url !== url) still.push({ ...former, url: shown.url });
	}
	if (mayStore && JSON.stringify(still) !== JSON.stringify(before)) writeFormer(data, still);
	for (const former of still) log(context, 'warn', describeFormer(former));
}

/** @returns what is known of it, if the service does not tell whether it is there */
async function findFormer(
	client: ServiceClient,
	former: FormerWebhook,
): Promise<Pick<Webhook, 'url'> | undefined> {
	try {
		const listed = await webhookApi(client, former.owner).list();
		return listed.find(({ id }) => isSameId(id, former.id));
	} catch (error) {
		return isGone(error) ? undefined : former;
	}
}

const describeFormer = ({ id, url, owner }: FormerWebhook): string =>
	`The webhook ${id}, which this node registered, goes to another address: ${withoutSignatures(url)}. It belongs to another copy of this n8n, or to a former address, so the node leaves it as it is. If no n8n uses that address any more, delete it with the operation ${owner.kind === 'channel' ? '' : 'Template '}Webhook → Delete`;

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
			typeof webhook.customAttributes?.[NODE_ATTRIBUTE] === 'object' &&
			// A question that waits in the chat is no trigger.
			webhook.customAttributes[WAIT_ATTRIBUTE] === undefined,
	);
}

/** A sentence about other workflows' triggers that get the same events, by their marks, if any. */
export function describeOthers(
	listed: readonly Webhook[],
	{ instanceId, workflowId }: NodeMark,
	events: readonly string[],
): string | undefined {
	const others = ofTriggers(listed, events).filter((webhook) =>
		isMarkedAsOthers(webhook, { instanceId, workflowId }),
	);
	if (others.length === 0) return undefined;
	const names = others.map(({ description, customAttributes }) => {
		const mark = asPlainObject(customAttributes?.[NODE_ATTRIBUTE]);
		const name = description || `the workflow ${String(mark.workflowId)}`;
		return mark.instanceId === instanceId ? name : `${name} of another n8n`;
	});
	return `Other workflows get the same events of this channel: ${names.join('; ')}. If each of them answers, a customer gets several answers. To prevent that, unpublish all but one`;
}
