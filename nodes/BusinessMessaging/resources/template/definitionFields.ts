import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { templateButtonFields } from './buttonFields';
import { fieldsOfLibrary } from './readLibrary';
import {
	textField,
	numberField,
	switchField,
	choiceField,
	jsonField,
	collectionField,
	noticeField,
	rowsField,
} from '../../shared/node/fields';

/** A default would change the category of a template in an update, though nobody asked for it. */
const categoryField = (isNew: boolean): INodeProperties =>
	choiceField('Category', 'category', {
		options: {
			...(isNew ? {} : { '': 'As It Is' }),
			AUTHENTICATION: [
				'Authentication',
				'An access code. The chat application writes its text: define it as JSON.',
			],
			MARKETING: ['Marketing', 'An offer, or an invitation to write'],
			UTILITY: ['Utility', 'About an order, an appointment or an account of the customer'],
		},
		default: isNew ? 'UTILITY' : '',
		description: 'What the template is for. The reviewer may choose another one.',
	});

const defined = (definition: string, others: IDisplayOptions['show'] = {}): IDisplayOptions => ({
	show: { definition: [definition], ...others },
});

/**
 * What a template with fields can have besides its body, once its business is chosen. A field of
 * text would hide them again where it is an expression that the editor cannot resolve yet.
 */
const besideBody = (others: IDisplayOptions['show'] = {}): IDisplayOptions => ({
	...defined('fields', others),
	hide: { businessId: [''] },
});

/** Headers that show a file. */
const MEDIA = ['document', 'image', 'video'];

/** A row of *Variable Examples*. */
const exampleFields = [
	textField('Variable', 'name', {
		placeholder: 'e.g. 1',
		description: 'Its number or name. If empty, the first is {{1}}, the second {{2}}.',
	}),
	textField('Example', 'example', {
		placeholder: 'e.g. Ana',
		description: 'A made-up value, never that of a real customer',
	}),
];

/** A template's definition: by fields, as JSON, or from the library of the service. */
export const definitionFields = (isNew: boolean): INodeProperties[] => [
	categoryField(isNew),
	choiceField('Definition', 'definition', {
		noDataExpression: true,
		options: {
			fields: 'By Fields',
			json: [
				'As JSON',
				'A list of components, or a template as Get Many gives it without Simplify',
			],
			library: ['From Library', 'A template that the chat application wrote and approved'],
		},
		default: 'fields',
		description: 'How to say what the template contains',
	}),
	choiceField('Header', 'headerType', {
		options: {
			document: 'Document',
			image: 'Image',
			location: 'Location',
			none: 'None',
			text: 'Text',
			video: 'Video',
		},
		default: 'none',
		displayOptions: besideBody(),
		description: 'What stands above the text',
	}),
	textField('Header Text', 'headerText', {
		placeholder: 'e.g. Your order',
		displayOptions: besideBody({ headerType: ['text'] }),
		description: 'One line. It takes one variable.',
	}),
	textField('Header Example', 'headerExample', {
		placeholder: 'e.g. 1042',
		displayOptions: besideBody({ headerType: ['text'] }),
		description: "An example for the header's variable, if it has one",
	}),
	choiceField('Header Source', 'headerSource', {
		options: {
			binary: ['File', 'A file of the item, which is uploaded'],
			url: ['URL', 'A public link to the file'],
		},
		default: 'binary',
		displayOptions: besideBody({ headerType: MEDIA }),
		description:
			'Where the example for the reviewer comes from. Each message needs the public address of a file of its own.',
	}),
	textField('Header File', 'headerBinaryField', {
		default: 'data',
		hint: 'The name of the input field that holds the file',
		displayOptions: besideBody({ headerType: MEDIA, headerSource: ['binary'] }),
		description: 'The file that the reviewer sees',
	}),
	textField('Header URL', 'headerUrl', {
		placeholder: 'e.g. https://example.com/cup.png',
		displayOptions: besideBody({ headerType: MEDIA, headerSource: ['url'] }),
		description: 'A link that everybody can open. One of the chat application is refused.',
	}),
	textField('Body', 'body', {
		typeOptions: { rows: 4 },
		required: true,
		placeholder: 'e.g. Hello {{1}}, your order is ready.',
		displayOptions: defined('fields'),
		description: 'The text. Write its variables as {{1}} and {{2}}, or as {{customer_name}}.',
	}),
	noticeField(
		'variablesNotice',
		'{{1}} stays a variable of the template, even if n8n shows it as an expression.',
		besideBody(),
	),
	rowsField('Variable Examples', 'variableExamples', 'Example', exampleFields, {
		typeOptions: { multipleValues: true },
		placeholder: 'Add Example',
		displayOptions: besideBody(),
		description: 'An example for each variable. The reviewer reads the text with them.',
	}),
	textField('Footer', 'footer', {
		placeholder: 'e.g. Reply STOP to unsubscribe',
		displayOptions: besideBody(),
		description: 'One line below the text, without variables',
	}),
	rowsField('Buttons', 'templateButtons', 'Button', templateButtonFields, {
		placeholder: 'Add Button',
		displayOptions: besideBody(),
		description:
			'Up to ten, of them two links and one phone. Keep quick replies together, in front.',
	}),
	jsonField('Components', 'components', {
		typeOptions: { rows: 8 },
		default: '[]',
		placeholder: 'e.g. [{"type": "BODY", "text": "Hello"}]',
		displayOptions: defined('json'),
		description:
			'The list of components, or a whole template: its name and language do not count here',
	}),
	...fieldsOfLibrary,
	collectionField('Additional Fields', 'additionalFields', 'Field', [
		switchField('Allow Category Change', 'allowCategoryChange', {
			description: 'Whether the reviewer may choose another category instead of rejecting',
		}),
		numberField('Message Lifetime (Seconds)', 'messageSendTtlSeconds', {
			default: 600,
			description:
				'How long the chat application tries to deliver a message: up to 900 for Authentication, 30 to 43200 for Utility, 43200 to 2592000 for Marketing, -1 for 30 days',
		}),
	]),
];
