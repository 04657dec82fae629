import type { IDataObject } from 'n8n-workflow';

import { isSameId } from '../../service/contract';
import type { WebhookOwner } from '../../service/webhooks';
import { asPlainObject } from '../../service/parseJson';
import type { KnownWebhook, MovedWebhook } from './plan';

/** What the node stores in its static data: its webhook, and the channel or account of it. */
export interface StoredState {
	webhook: KnownWebhook;
	owner: WebhookOwner;
}

/** A webhook that this node registered, and that goes to another address. */
export interface FormerWebhook extends MovedWebhook {
	owner: WebhookOwner;
}

/** Former webhooks that the node remembers. */
const FORMER_MAX = 5;

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
		owner: ownerOf(channelId),
	};
}

const ownerOf = (channelId: unknown): WebhookOwner =>
	typeof channelId === 'string' ? { kind: 'channel', channelId } : { kind: 'template' };

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

const NAMES = ['webhookId', 'webhookUrl', 'secret', 'secretVersion', 'tokenHash', 'channelId'];

export function clearState(data: IDataObject): void {
	for (const name of NAMES) if (name in data) delete data[name];
}

/** The oldest first. */
export function readFormer({ formerWebhooks }: IDataObject): FormerWebhook[] {
	if (!Array.isArray(formerWebhooks)) return [];
	return formerWebhooks.flatMap((one: unknown) => {
		const { id, url, channelId } = asPlainObject(one);
		return typeof id === 'string' && typeof url === 'string'
			? [{ id, url, owner: ownerOf(channelId) }]
			: [];
	});
}

/** Called only by the lifecycle methods. The state of the node's own webhook stays. */
export function writeFormer(data: IDataObject, former: readonly FormerWebhook[]): void {
	if (former.length === 0) {
		if ('formerWebhooks' in data) delete data.formerWebhooks;
		return;
	}
	data.formerWebhooks = former.slice(-FORMER_MAX).map(({ id, url, owner }) => ({
		id,
		url,
		...(owner.kind === 'channel' ? { channelId: owner.channelId } : {}),
	}));
}

export function addFormer(data: IDataObject, added: FormerWebhook): void {
	const others = readFormer(data).filter(({ id }) => !isSameId(id, added.id));
	writeFormer(data, [...others, added]);
}
