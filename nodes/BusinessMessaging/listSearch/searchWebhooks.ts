import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { createServiceClient } from '../service/client';
import { ID_PATTERN } from '../service/contract';
import { toNodeError } from '../service/errors';
import { withoutSignatures } from '../service/signedUrl';
import type { WebhookOwner } from '../service/webhooks';
import { webhookApi } from '../service/webhooks';

async function search(
	context: ILoadOptionsFunctions,
	owner: WebhookOwner,
	filter: string,
): Promise<INodeListSearchResult> {
	try {
		const webhooks = await webhookApi(await createServiceClient(context), owner).list();
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
	const channelId = this.getCurrentNodeParameter('channelId', { extractValue: true });
	if (typeof channelId !== 'string' || !ID_PATTERN.test(channelId.trim())) {
		throw new NodeOperationError(this.getNode(), 'Choose a channel first: webhooks belong to one.');
	}
	return await search(this, { kind: 'channel', channelId: channelId.trim() }, filter);
}

/** Fills the list of template webhooks: the enabled ones, since the service lists no others. */
export async function searchTemplateWebhooks(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	return await search(this, { kind: 'template' }, filter);
}
