import type { INodeProperties } from 'n8n-workflow';

import type { Webhook } from '../../service/contract';
import { withoutSignatures } from '../../service/secrets';
import { webhookApi } from '../../service/webhooks';
import { limitField, returnAllField, simplifyField } from '../../shared/fields';
import type { ItemOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readLimit } from '../../shared/parameters';
import { WAIT_ATTRIBUTE } from '../../shared/waitingQuestion';
import { eventsField, statusField } from './fields';
import type { WebhookKind } from './kind';
import { KINDS, readWebhookOwner } from './kind';
import { madeByN8n, presentWebhook } from './present';

interface Filters {
	createdByN8n?: boolean;
	events?: string[];
	status?: string;
	urlContains?: string;
}

const fields = (kind: WebhookKind): INodeProperties[] => [
	...KINDS[kind].ownerFields,
	returnAllField,
	limitField,
	simplifyField,
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'Created by Trigger',
				name: 'createdByN8n',
				type: 'boolean',
				default: true,
				description:
					'Whether to return only webhooks that a Business Messaging Trigger registered. If off, only the others are returned, with those of questions that wait in the chat.',
			},
			{
				...eventsField(kind),
				description: 'Return only webhooks with at least one of these events',
			},
			// The service lists only enabled template webhooks.
			...(kind === 'channel'
				? [{ ...statusField, description: 'Return only webhooks with this status' }]
				: []),
			{
				displayName: 'URL Contains',
				name: 'urlContains',
				type: 'string',
				default: '',
				placeholder: 'e.g. example.com',
				description: 'Return only webhooks whose URL contains this text',
			},
		],
	},
];

/** A question has a webhook, too, while it waits in the chat. */
const isOfTrigger = (webhook: Webhook): boolean =>
	madeByN8n(webhook) !== undefined && webhook.customAttributes?.[WAIT_ATTRIBUTE] === undefined;

function matches(
	webhook: Webhook,
	{ createdByN8n, events, status, urlContains }: Filters,
): boolean {
	return (
		(createdByN8n === undefined || isOfTrigger(webhook) === createdByN8n) &&
		(!events?.length || events.some((event) => webhook.events.includes(event))) &&
		(!status || webhook.status === status) &&
		(!urlContains || withoutSignatures(webhook.url).includes(urlContains))
	);
}

export const getAll = (kind: WebhookKind): ItemOperation => ({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: `Get many ${KINDS[kind].plural}`,
		description:
			kind === 'channel'
				? "Retrieve a list of a channel's webhooks"
				: "Retrieve a list of the account's enabled template webhooks",
	},
	fields: fieldsOf(KINDS[kind].resource, 'getAll', fields(kind)),
	async executeItem(context, client, itemIndex) {
		const limit = readLimit(context, itemIndex);
		const filters = context.getNodeParameter('filters', itemIndex, {}) as Filters;
		const simplify = context.getNodeParameter('simplify', itemIndex, true) === true;
		const webhooks = await webhookApi(client, readWebhookOwner(context, kind, itemIndex)).list();
		return webhooks
			.filter((webhook) => matches(webhook, filters))
			.slice(0, limit)
			.map((webhook) => presentWebhook(webhook, context.getInstanceId(), simplify));
	},
});
