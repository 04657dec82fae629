import { updateWebhookRequestSchema } from '../../service/contract';
import { webhookApi } from '../../service/webhooks';
import type { ItemOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readId } from '../../shared/parameters';
import { commonFields, eventsField, statusField, urlField } from './webhookFields';
import type { OwnerKind } from './owners';
import { OWNERS, readWebhookOwner } from './owners';
import { presentWebhook } from './present';
import { readCollection, readRequest } from './request';

export const update = (kind: OwnerKind): ItemOperation => ({
	option: {
		name: 'Update',
		value: 'update',
		action: `Update ${OWNERS[kind].singular}`,
		description: `Change or pause a ${OWNERS[kind].singular}. Fields that you do not add stay as they are.`,
	},
	fields: fieldsOf(OWNERS[kind].resource, 'update', [
		...OWNERS[kind].selectionFields,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				...commonFields(kind),
				{
					...eventsField(kind),
					description:
						'The events that the service delivers to the URL. They replace all earlier ones.',
				},
				statusField,
				urlField,
			],
		},
	]),
	async executeItem(context, client, itemIndex) {
		const owner = readWebhookOwner(context, kind, itemIndex);
		const id = readId(context, 'webhookId', 'Webhook', itemIndex);
		const changes = readRequest(
			updateWebhookRequestSchema,
			readCollection(context, 'updateFields', itemIndex),
		);
		if (Object.keys(changes).length === 0)
			throw new Error('"Update Fields" is empty. Add at least one field to change.');
		const webhook = await webhookApi(client, owner).update(id, changes);
		// Without a rotation, the secret is the one that was shown before.
		const secret = changes.signing ? webhook.secret : undefined;
		return { ...presentWebhook(webhook, context.getInstanceId()), ...(secret ? { secret } : {}) };
	},
});
