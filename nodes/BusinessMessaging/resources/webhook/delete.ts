import { webhookApi } from '../../service/webhooks';
import type { Operation } from '../shared/operation';
import { fieldsOf } from '../shared/operation';
import { readId } from '../shared/parameters';
import type { WebhookKind } from './kind';
import { KINDS, readOwner } from './kind';

export const deleteWebhook = (kind: WebhookKind): Operation => ({
	option: {
		name: 'Delete',
		value: 'delete',
		action: `Delete a ${KINDS[kind].singular}`,
		description: 'Delete permanently. The service stops delivering to its URL at once.',
	},
	fields: fieldsOf(KINDS[kind].resource, 'delete', KINDS[kind].selectionFields),
	async executeItem(context, client, itemIndex) {
		const owner = readOwner(context, kind, itemIndex);
		const id = readId(context, 'webhookId', 'Webhook', itemIndex);
		await webhookApi(client, owner).delete(id);
		return { deleted: true, id, ...(owner.kind === 'channel' ? { channelId: owner.channelId } : {}) };
	},
});
