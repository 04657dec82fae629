import type { IDataObject } from 'n8n-workflow';

import type { WebhookOwner } from '../../service/webhooks';
import type { KnownWebhook } from './plan';

/** What the node stores in its static data: its webhook, and the channel or account of it. */
export interface StoredState {
	webhook: KnownWebhook;
	owner: WebhookOwner;
}

/** Never changes the data: n8n would store the change, maybe over a newer state. */
export function readState(data: IDataObject): StoredState | undefined {
	const { webhookId, webhookUrl, secret, secretVersion, tokenHash, channelId } = data;
	if (typeof webhookId !== 'string' || webhookId === '') return undefined;
	return {
		webhook: {
			id: webhookId,
			...(typeof webhookUrl === 'string' ? { url: webhookUrl } : {}),
			...(typeof secret === 'string' && secret !== '' ? { secret } : {}),
			...(typeof secretVersion === 'string' ? { secretVersion } : {}),
			...(typeof tokenHash === 'string' ? { tokenHash } : {}),
		},
		owner: typeof channelId === 'string' ? { kind: 'channel', channelId } : { kind: 'template' },
	};
}

/** Called only by the lifecycle methods, because n8n saves what they write. */
export function writeState(data: IDataObject, webhook: KnownWebhook, owner: WebhookOwner): void {
	clearState(data);
	data.webhookId = webhook.id;
	if (webhook.url !== undefined) data.webhookUrl = webhook.url;
	if (webhook.secret !== undefined) data.secret = webhook.secret;
	if (webhook.secretVersion !== undefined) data.secretVersion = webhook.secretVersion;
	if (webhook.tokenHash !== undefined) data.tokenHash = webhook.tokenHash;
	if (owner.kind === 'channel') data.channelId = owner.channelId;
}

export function clearState(data: IDataObject): void {
	for (const name of [
		'webhookId',
		'webhookUrl',
		'secret',
		'secretVersion',
		'tokenHash',
		'channelId',
	])
		if (name in data) delete data[name];
}
