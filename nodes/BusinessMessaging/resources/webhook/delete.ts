import { webhookApi } from '../../service/webhooks';
import type { ItemOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readId } from '../../shared/parameters';
import type { WebhookKind } from './kind';
import { KINDS, readWebhookOwner } from './kind';

export const deleteWebhook = (kind: WebhookKind): ItemOperation => ({
	option: {
		name: 'Delete',
		value: 'delete',
		action: `Delete ${KINDS[kind].singular}`,
		description: `Delete a ${KINDS[kind].singular} permanently. Its URL gets no more events.`,
	},
	fields: fieldsOf(KINDS[kind].resource, 'delete', KINDS[kind].selectionFields),
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
