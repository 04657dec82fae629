import type { INodeProperties } from 'n8n-workflow';

import { ID_FORM } from '../service/contract';

/**
 * Shown, not given to n8n as a pattern to check: n8n 2 does so before each execution, in a script that has 250 ms by the clock. On a busy machine that was
 * not enough, and in queue mode n8n then ended the execution and overwrote the event that it was started for. The nodes check ids themselves.
 */
const ID_HELP = `An ID has ${ID_FORM}`;

/** Something of the service's: from its list, or by its id. */
const locator = (
	displayName: string,
	name: string,
	searchListMethod: string,
	description: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: `Choose a ${displayName.toLowerCase()}…`,
			typeOptions: { searchListMethod, searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 019E4C54B1B375A28970B605CA9B03C3',
			hint: ID_HELP,
		},
	],
});

/** The channel to work on. */
export const channelField = locator(
	'Channel',
	'channelId',
	'searchChannels',
	'The channel to use: a business phone number at which customers write',
);

/** Said in the box below the recipient: a hint of the field would go once an expression is entered. */
export const TO_ANSWER = 'To answer a message, enter its sender.identifier, not its recipient.';

/** Who gets a message. */
export const recipientField: INodeProperties = {
	displayName: 'Recipient',
	name: 'recipient',
	builderHint: {
		propertyHint:
			"Digits only, with the country code. Of who wrote: expr('{{ $json.sender.identifier }}')",
	},
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 5511999990000',
	description: 'The customer who gets the message, by their number with its country code',
};

/** The webhook to work on. */
export const webhookField = (
	searchListMethod: 'searchWebhooks' | 'searchTemplateWebhooks',
): INodeProperties =>
	locator(
		'Webhook',
		'webhookId',
		searchListMethod,
		'The webhook to work on. One that is named after an n8n workflow belongs to a trigger, which manages it by itself.',
	);

export const returnAllField: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limitField: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
	description: 'Max number of results to return',
};
