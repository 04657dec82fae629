import type { CreateWebhookRequest } from '../../service/contract';
import { webhookApi } from '../../service/webhooks';
import type { Operation } from '../shared/operation';
import { fieldsOf } from '../shared/operation';
import { readRequired } from '../shared/parameters';
import { readChanges } from './changes';
import { commonFields, eventsField, urlField } from './fields';
import type { WebhookKind } from './kind';
import { KINDS, readOwner } from './kind';
import { presentWebhook } from './present';

export const create = (kind: WebhookKind): Operation => ({
	option: {
		name: 'Create',
		value: 'create',
		action: `Create ${KINDS[kind].singular}`,
		description: kind === 'channel' ? 'Create a webhook: the service then delivers events of the channel to its URL' : 'Create a template webhook: the service then delivers template events to its URL. The first can take up to 5 minutes.',
	},
	fields: fieldsOf(KINDS[kind].resource, 'create', [
		...KINDS[kind].ownerFields,
		{ ...urlField, required: true },
		{ ...eventsField(kind), required: true },
		{ displayName: 'Additional Fields', name: 'additionalFields', type: 'collection', placeholder: 'Add Field', default: {}, options: commonFields },
	]),
	async executeItem(context, client, itemIndex) {
		const owner = readOwner(context, kind, itemIndex);
		const request = readChanges(context.getNodeParameter('additionalFields', itemIndex, {}), {
			url: readRequired(context, 'url', 'URL', itemIndex),
			events: context.getNodeParameter('events', itemIndex, []),
		});
		const webhook = await webhookApi(client, owner).create({ ...request, payloadFormat: 'DEFAULT' } as CreateWebhookRequest);
		return presentWebhook(webhook, true);
	},
});
