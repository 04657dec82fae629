import { syncTemplates } from '../../service/templateChanges';
import { businessField } from '../../shared/fields';
import type { ItemOperation } from '../../shared/operation';
import { fieldsOf } from '../../shared/operation';
import { readSegment } from '../../shared/parameters';

export const sync: ItemOperation = {
	option: {
		name: 'Sync',
		value: 'sync',
		action: 'Sync templates',
		description: 'Let the service read the templates of a business anew from the chat application',
	},
	fields: fieldsOf('template', 'sync', [businessField]),
	async executeItem(context, client, itemIndex) {
		const businessId = readSegment(context, 'businessId', 'Business Account', itemIndex);
		const { synced, syncedCount } = await syncTemplates(client, businessId);
		return { synced: synced ?? null, syncedCount: syncedCount ?? null, businessId };
	},
};
