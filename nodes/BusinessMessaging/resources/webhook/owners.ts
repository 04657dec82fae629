import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { WebhookOwner } from '../../service/webhooks';
import { channelField, webhookField } from '../../shared/fields';
import { readId } from '../../shared/parameters';

const roleNotice: INodeProperties = {
	displayName: 'Only accounts with the ENTERPRISE role can use webhooks',
	name: 'roleNotice',
	type: 'notice',
	default: '',
};

/** The two resources with webhook operations differ only in the owner of the webhooks. */
export type OwnerKind = WebhookOwner['kind'];

export interface OwnerTraits {
	/** Value of `resource`. */
	resource: 'webhook' | 'templateWebhook';
	/** To follow "Delete a ". */
	singular: string;
	plural: string;
	/** Fields for the owner of the webhooks. */
	ownerFields: INodeProperties[];
	/** Fields for one webhook. */
	selectionFields: INodeProperties[];
}

export const OWNERS: Record<OwnerKind, OwnerTraits> = {
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

export const readWebhookOwner = (
	context: IExecuteFunctions,
	kind: OwnerKind,
	itemIndex: number,
): WebhookOwner =>
	kind === 'template'
		? { kind }
		: { kind, channelId: readId(context, 'channelId', 'Channel', itemIndex) };
