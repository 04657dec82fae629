import { webhookApi } from '../../service/webhooks';
import type { ItemOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readId } from '../../shared/parameters';
import type { OwnerKind } from './owners';
import { OWNERS, readWebhookOwner } from './owners';

export const deleteWebhook = (kind: OwnerKind): ItemOperation => ({
	option: {
		name: 'Delete',
		value: 'delete',
		action: `Delete ${OWNERS[kind].singular}`,
		description: `Delete a ${OWNERS[kind].singular} permanently. Its URL gets no more events.`,
	},
	fields: fieldsOf(OWNERS[kind].resource, 'delete', OWNERS[kind].selectionFields),
	async executeItem(context, client, itemIndex) {
		const owner = readWebhookOwner(context, kind, itemIndex);
		const id = readId(context, 'webhookId', 'Webhook', itemIndex);
		await webhookApi(client, owner).delete(id);
		return {
			deleted: true,
			id,
			...(owner.kind === 'channel' ? { channelId: owner.channelId } : {}),
		};
	},
});
