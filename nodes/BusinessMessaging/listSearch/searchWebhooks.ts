import type { ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';

import type { ServiceClient } from '../service/client';
import { withoutSignatures } from '../service/secrets';
import { webhookApi, type WebhookOwner } from '../service/webhooks';
import { chosenChannel, listSearch, matching, readForList } from './readForList';

async function search(
	context: ILoadOptionsFunctions,
	owner: WebhookOwner,
	typed: string,
): Promise<INodeListSearchItems[]> {
	const read = async (client: ServiceClient) => await webhookApi(client, owner).list();
	const webhooks = await readForList(context, read);
	const results = webhooks.map(({ id, url, description, status }) => ({
		name: withoutSignatures(
			`${description ? `${description} – ` : ''}${url}${status === 'DISABLED' ? ' (disabled)' : ''}`,
		),
		value: id,
	}));
	return matching(typed, results);
}

export const searchWebhooks = listSearch(async (context, typed) => {
	const channelId = chosenChannel(context);
	if (channelId === undefined) throw new Error('Choose a channel first: webhooks belong to one.');
	return await search(context, { kind: 'channel', channelId }, typed);
});

/** Fills the list of template webhooks. The service lists only the enabled ones. */
export const searchTemplateWebhooks = listSearch(
	async (context, typed) => await search(context, { kind: 'template' }, typed),
);
