import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyMode,
	INodePropertyOptions,
} from 'n8n-workflow';

import { ID_FORM } from '../../service/contract';

/**
 * A hint and not a pattern for n8n to check. n8n 2 checks patterns before each execution, with a
 * limit of 250 ms. On a busy machine that was too short: in queue mode, n8n ended the execution and
 * overwrote its event. The nodes check IDs themselves.
 */
const ID_HELP = `An ID has ${ID_FORM}`;

/** Makes a field of the editor by its label and its name. @param more its description and so on */
type FieldOfType = (
	displayName: string,
	name: string,
	more?: Partial<INodeProperties>,
) => INodeProperties;

const fieldOfType =
	(type: INodeProperties['type'], byDefault: INodeProperties['default']): FieldOfType =>
	(displayName, name, more = {}) => ({ displayName, name, type, default: byDefault, ...more });

export const textField = fieldOfType('string', '');
export const numberField = fieldOfType('number', 0);
/** On by default, because it is an option that somebody adds. */
export const switchField = fieldOfType('boolean', true);
export const jsonField = fieldOfType('json', '{}');
/** Groups of fields, such as rows that are added. */
export const fixedCollectionField = fieldOfType('fixedCollection', {});

/** What a person chooses from, by the values that workflows save. */
export type Choices = Record<string, string | [name: string, description: string]>;

export const optionsOf = (choices: Choices): INodePropertyOptions[] =>
	Object.entries(choices).map(([value, choice]) => {
		if (typeof choice === 'string') return { name: choice, value };
		const [name, description] = choice;
		return { name, value, description };
	});

type Choosable = Omit<Partial<INodeProperties>, 'options'> & {
	options: Choices | INodePropertyOptions[];
};

const choosing =
	(fieldOf: FieldOfType) =>
	(displayName: string, name: string, { options, ...more }: Choosable): INodeProperties =>
		fieldOf(displayName, name, {
			options: Array.isArray(options) ? options : optionsOf(options),
			...more,
		});

export const choiceField = choosing(fieldOfType('options', ''));
export const choicesField = choosing(fieldOfType('multiOptions', []));

/** The field, shown under further conditions. Its own narrow these down. */
export const shownAt = (
	field: INodeProperties,
	show: IDisplayOptions['show'],
): INodeProperties => ({
	...field,
	displayOptions: { ...field.displayOptions, show: { ...show, ...field.displayOptions?.show } },
});

/** A box with a text. */
export const noticeField = (
	name: string,
	text: string,
	displayOptions?: IDisplayOptions,
): INodeProperties =>
	fieldOfType('notice', '')(text, name, displayOptions ? { displayOptions } : {});

const BY_ID = { placeholder: 'e.g. 019E4C54B1B375A28970B605CA9B03C3', hint: ID_HELP };

/**
 * A field to choose from a list of the service, or by ID.
 * @param byHand how it is entered without the list
 * @param what to follow "Choose a "
 */
export const locator = (
	displayName: string,
	name: string,
	searchListMethod: string,
	description: string,
	byHand: Partial<INodePropertyMode> = BY_ID,
	what = displayName.toLowerCase(),
): INodeProperties => ({
	displayName,
	name,
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: `Choose a ${what}…`,
			typeOptions: { searchListMethod, searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', ...byHand },
	],
});

/** IDs of the chat application behind the service. */
const OF_CHAT_APPLICATION = { placeholder: 'e.g. 102290129340398' };

export const channelField = locator(
	'Channel',
	'channelId',
	'searchChannels',
	'The channel to use, such as a business phone number or a bot',
);

/** Shown while the recipient is empty. A notice, because people overlook descriptions. */
export const TO_ANSWER =
	'To answer a message, drag its sender.identifier, not its recipient, or enter a number.';

/** What hides a box below the recipient: one until it is entered, and the other then. */
export const UNADDRESSED: IDisplayOptions['hide'] = { '/recipient': [{ _cnd: { exists: true } }] };
export const ADDRESSED: IDisplayOptions['hide'] = { '/recipient': [''] };

/** Where the trigger gives the ID of a tapped button. */
export const TAPPED_BUTTON = 'reply.id';

/** A customer on a channel of any kind. */
export const RECIPIENT_EXAMPLE = 'e.g. 5511999990000 or @store';

export const recipientField = textField('Recipient', 'recipient', {
	builderHint: {
		propertyHint:
			"To reply to the customer who wrote: expr('{{ $json.sender.identifier }}'). A phone number has its country code.",
	},
	required: true,
	placeholder: RECIPIENT_EXAMPLE,
	description:
		'Who gets the message: a phone number with its country code, or the name or ID that the channel knows the customer by',
});

export const webhookField = (
	searchListMethod: 'searchWebhooks' | 'searchTemplateWebhooks',
): INodeProperties =>
	locator(
		'Webhook',
		'webhookId',
		searchListMethod,
		'The webhook to work on. If it is named after an n8n workflow, a trigger manages it.',
	);

export const businessField = locator(
	'Business Account',
	'businessId',
	'searchBusinesses',
	'The business account that has the templates',
	OF_CHAT_APPLICATION,
);

/** A template of the business account, of any status. */
export const templateField = locator(
	'Template',
	'templateId',
	'searchAllTemplates',
	'The template to work on',
	OF_CHAT_APPLICATION,
);

export const simplifyField = switchField('Simplify', 'simplify', {
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** How many results to return. `readLimit` reads them. */
export const limitFields = [
	switchField('Return All', 'returnAll', {
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	}),
	numberField('Limit', 'limit', {
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	}),
];

/** Fields, each of which can be added once. @param what to follow "Add " */
export const collectionField = (
	displayName: string,
	name: string,
	what: string,
	options: INodeProperties[],
	more: Partial<INodeProperties> = {},
): INodeProperties =>
	fieldOfType('collection', {})(displayName, name, {
		placeholder: `Add ${what}`,
		options,
		...more,
	});

export const optionsField = (options: INodeProperties[]): INodeProperties =>
	collectionField('Options', 'options', 'Option', options);

/** Where a person adds rows, each with these fields. `readRows` reads them. */
export const rowsField = (
	displayName: string,
	name: string,
	title: string,
	values: INodeProperties[],
	more: Partial<INodeProperties>,
): INodeProperties =>
	fixedCollectionField(displayName, name, {
		typeOptions: { multipleValues: true, sortable: true },
		...more,
		options: [{ displayName: title, name: 'values', values }],
	});
