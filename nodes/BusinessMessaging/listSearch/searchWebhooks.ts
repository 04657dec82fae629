import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { toNodeError } from '../service/errors';
import { withoutSignatures } from '../service/secrets';
import type { WebhookOwner } from '../service/webhooks';
import { webhookApi } from '../service/webhooks';
import { chosenChannel, clientForList } from './channelList';

async function search(
	context: ILoadOptionsFunctions,
	owner: WebhookOwner,
	filter: string,
): Promise<INodeListSearchResult> {
	try {
		const webhooks = await webhookApi(await clientForList(context), owner).list();
		const wanted = filter.toLowerCase();
		return {
			results: webhooks
				.map(({ id, url, description, status }) => ({
					name: withoutSignatures(
						`${description ? `${description} – ` : ''}${url}${status === 'DISABLED' ? ' (disabled)' : ''}`,
					),
					value: id,
				}))
				.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted)),
		};
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}

/** Fills the list of a channel's webhooks. */
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
