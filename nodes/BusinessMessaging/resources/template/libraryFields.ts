import type { INodeProperties } from 'n8n-workflow';

import { phoneField, urlField } from './buttonFields';

const displayOptions = { show: { definition: ['library'] } };

const addition = (displayName: string, name: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'boolean',
	default: true,
	description,
});

/** A template of the service's library, and what it asks for. */
export const libraryFields: INodeProperties[] = [
	{
		displayName: 'Library Template',
		name: 'libraryTemplate',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		displayOptions,
		description: 'The template of the library. Its category and language must be those above.',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose a template…',
				typeOptions: { searchListMethod: 'searchLibraryTemplates', searchable: true },
			},
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				placeholder: 'e.g. delivery_update_1',
			},
		],
	},
	{
		displayName: 'Library Body',
		name: 'libraryBody',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions,
		description: 'What the text says in addition, if the template offers it',
		options: [
			addition(
				'Add Contact Number',
				'addContactNumber',
				'Whether the text names a number to call for questions',
			),
			addition(
				'Add Learn More Link',
				'addLearnMoreLink',
				'Whether the text has a link to more information',
			),
			addition(
				'Add Security Recommendation',
				'addSecurityRecommendation',
				'Whether the text advises to share the code with nobody',
			),
			addition(
				'Add Track Package Link',
				'addTrackPackageLink',
				'Whether the text has a link to follow the package',
			),
			{
				displayName: 'Code Expiration (Minutes)',
				name: 'codeExpirationMinutes',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 90 },
				default: 10,
				description: 'How long an access code is valid, 1 to 90',
			},
		],
	},
	{
		displayName: 'Library Buttons',
		name: 'libraryButtons',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add Button',
		default: {},
		displayOptions,
		description: "What the template's buttons open or call, in their order",
		options: [
			{
				displayName: 'Button',
				name: 'values',
				values: [
					{
						displayName: 'Type',
						name: 'type',
						type: 'options',
						options: [
							{ name: 'Link', value: 'url' },
							{ name: 'Phone', value: 'phone' },
							{ name: 'Voice Call', value: 'voiceCall' },
						],
						default: 'url',
						description: 'What a tap on it does',
					},
					urlField,
					{
						displayName: 'URL Example',
						name: 'urlExample',
						type: 'string',
						default: '',
						placeholder: 'e.g. 1042',
						displayOptions: { show: { type: ['url'] } },
						description: "What stands in place of the URL's variable, if it has one",
					},
					phoneField,
				],
			},
		],
	},
	{
		displayName: 'Library Inputs',
		name: 'libraryInputs',
		type: 'json',
		default: '{}',
		displayOptions,
		description:
			'The same as JSON, in place of the fields: library_template_body_inputs and library_template_button_inputs',
	},
];
