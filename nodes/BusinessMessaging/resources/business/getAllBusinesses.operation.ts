import type { IDataObject } from 'n8n-workflow';

import { listBusinesses } from '../../service/template/lists';
import { limitFields } from '../../shared/node/fields';
import type { ItemOperation } from '../../shared/node/operation';
import { readLimit } from '../../shared/node/parameters';

export const getAll: ItemOperation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many business accounts',
	description: 'Retrieve a list of the business accounts, which have channels and templates',
	fields: limitFields,
	async executeItem(context, client, itemIndex) {
		const limit = readLimit(context, itemIndex);
		return (await listBusinesses(client)).slice(0, limit) as IDataObject[];
	},
};
