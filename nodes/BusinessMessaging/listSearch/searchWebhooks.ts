import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { ServiceClient } from '../service/client';
import { toNodeError } from '../service/errors';
import { withoutSignatures } from '../service/secrets';
import { webhookApi, type WebhookOwner } from '../service/webhooks';
import { chosenChannel, matching, readForList } from './readForList';

async function search(
	context: ILoadOptionsFunctions,
	owner: WebhookOwner,
	filter: string,
): Promise<INodeListSearchResult> {
	const read = async (client: ServiceClient) => await webhookApi(client, owner).list();
	const webhooks = await readForList(context, read);
	const results = webhooks.map(({ id, url, description, status }) => ({
		name: withoutSignatures(
			`${description ? `${description} – ` : ''}${url}${status === 'DISABLED' ? ' (disabled)' : ''}`,
		),
		value: id,
	}));
	return { results: matching(filter, results) };
}

export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const channelId = chosenChannel(this);
	if (channelId === undefined)
		throw toNodeError(this.getNode(), 'Choose a channel first: webhooks belong to one.');
	return await search(this, { kind: 'channel', channelId }, filter);
}

/** Fills the list of template webhooks. The service lists only the enabled ones. */
export async function searchTemplateWebhooks(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	return await search(this, { kind: 'template' }, filter);
}
