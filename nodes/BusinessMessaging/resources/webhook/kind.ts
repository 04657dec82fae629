import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { WebhookOwner } from '../../service/webhooks';
import { channelField, webhookField } from '../../shared/fields';
import { readId } from '../../shared/parameters';

const roleNotice: INodeProperties = {
	displayName: 'The service allows webhooks only for accounts with the ENTERPRISE role',
	name: 'roleNotice',
	type: 'notice',
	default: '',
};

/** The webhook operations serve two resources that differ only in whose webhooks they are. */
export type WebhookKind = WebhookOwner['kind'];

export interface KindTraits {
	/** Value of `resource`. */
	resource: 'webhook' | 'templateWebhook';
	/** As in "Delete a webhook". */
	singular: string;
	plural: string;
	/** Fields that say whose webhooks. */
	ownerFields: INodeProperties[];
	/** Fields that say which webhook. */
	selectionFields: INodeProperties[];
}

export const KINDS: Record<WebhookKind, KindTraits> = {
	channel: {
		resource: 'webhook',
		singular: 'webhook',
		plural: 'webhooks',
		ownerFields: [channelField, roleNotice],
		selectionFields: [channelField, webhookField('searchWebhooks'), roleNotice],
	},
	template: {
		resource: 'templateWebhook',
		singular: 'template webhook',
		plural: 'template webhooks',
		ownerFields: [roleNotice],
		selectionFields: [webhookField('searchTemplateWebhooks'), roleNotice],
	},
};

export function readWebhookOwner(
	context: IExecuteFunctions,
	kind: WebhookKind,
	itemIndex: number,
): WebhookOwner {
	return kind === 'template'
		? { kind }
		: { kind, channelId: readId(context, 'channelId', 'Channel', itemIndex) };
}
