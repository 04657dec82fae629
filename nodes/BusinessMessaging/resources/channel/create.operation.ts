import { createChannel } from '../../service/channels';
import type { ItemOperation } from '../../shared/node/operation';
import { readRequired, readText } from '../../shared/node/parameters';
import { locator, textField } from '../../shared/node/fields';

export const create: ItemOperation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create channel',
		description: 'Create a channel. Connect and subscribe it next. Gives its ID.',
	},
	fields: [
		textField('Name', 'name', {
			required: true,
			placeholder: 'e.g. Support',
			description: 'Name of the channel, as your account shows it',
		}),
		locator(
			'Type',
			'type',
			'searchChannelTypes',
			"The type of the channel. The list shows those of the account's channels.",
			{
				placeholder: 'e.g. OFFICIAL_CHATAPP',
				hint: 'The code of the type, as your service calls it. OFFICIAL_CHATAPP is the official chat app.',
			},
		),
	],
	async executeItem(context, client, itemIndex) {
		const name = readRequired(context, 'name', 'Name', itemIndex);
		const type = readText(context, 'type', itemIndex);
		if (!type) {
			throw new Error(
				'"Type" is empty. Choose one from the list, or enter the type as your service calls it.',
			);
		}
		return { id: await createChannel(client, { name, type }), name, type };
	},
};
