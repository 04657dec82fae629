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
		action: `Create a ${KINDS[kind].singular}`,
		description: kind === 'channel' ? 'Have events of a channel delivered to a URL' : 'Have template events delivered to a URL. It can take up to 5 minutes until they arrive.',
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
