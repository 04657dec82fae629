/** Webhooks of this node that go to another address. They stay, and somebody has to know. */
import type { IHookFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';
import { isSameId, type Webhook } from '../../service/contract';
import { withoutSignatures } from '../../service/secrets';
import { isGone, webhookApi, type WebhookOwner } from '../../service/webhooks';
import { log } from '../../service/log';
import { isOfTest } from '../../workarounds/testWebhook';
import { type FormerWebhook, readFormer, writeFormer } from './state';

/**
 * Names those that the service still lists in the log, and forgets the others. Never fails, because
 * what was asked for is done.
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
		const shown = await find(client, former);
		// One that goes to this node again is its own.
		if (shown && shown.url !== url) still.push({ ...former, url: shown.url });
	}
	if (mayStore && JSON.stringify(still) !== JSON.stringify(before)) writeFormer(data, still);
	for (const former of still) log(context, 'warn', describe(former));
}

/** @returns what is known of it, if the service does not tell whether it is there */
async function find(
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

const operationOf = ({ kind }: WebhookOwner): string =>
	kind === 'channel' ? 'Webhook → Delete' : 'Template Webhook → Delete';

const describe = ({ id, url, owner }: FormerWebhook): string =>
	`The webhook ${id}, which this node registered, goes to another address: ${withoutSignatures(url)}. It belongs to another copy of this n8n, or to a former address, so the node leaves it as it is. If no n8n uses that address any more, delete it with the operation ${operationOf(owner)}`;
