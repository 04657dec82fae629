import { createWebhookRequestSchema } from '../../service/contract';
import { webhookApi } from '../../service/webhooks';
import type { ItemOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readRequired } from '../../shared/parameters';
import { commonFields, eventsField, urlField } from './webhookFields';
import type { OwnerKind } from './owners';
import { OWNERS, readWebhookOwner } from './owners';
import { presentWebhook } from './present';
import { readCollection, readRequest } from './request';

export const create = (kind: OwnerKind): ItemOperation => ({
	option: {
		name: 'Create',
		value: 'create',
		action: `Create ${OWNERS[kind].singular}`,
		description:
			kind === 'channel'
				? 'Create a webhook for events of the channel. Gives its ID, and its secret if it signs.'
				: 'Create a template webhook for template events. The first can take up to 5 minutes.',
	},
	fields: fieldsOf(OWNERS[kind].resource, 'create', [
		...OWNERS[kind].ownerFields,
		{ ...urlField, required: true },
		{ ...eventsField(kind), required: true },
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: commonFields(kind),
		},
	]),
	async executeItem(context, client, itemIndex) {
		const owner = readWebhookOwner(context, kind, itemIndex);
		const request = readRequest(createWebhookRequestSchema, {
			payloadFormat: 'DEFAULT',
			...readCollection(context, 'additionalFields', itemIndex),
			url: readRequired(context, 'url', 'URL', itemIndex),
			events: context.getNodeParameter('events', itemIndex, []),
		});
		const webhook = await webhookApi(client, owner).create(request);
		const { secret } = webhook;
		return { ...presentWebhook(webhook, context.getInstanceId()), ...(secret ? { secret } : {}) };
	},
});
