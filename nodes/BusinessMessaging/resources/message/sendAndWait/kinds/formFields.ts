import type { INodeProperties } from 'n8n-workflow';

const SAMPLE = `[
  { "fieldLabel": "Name", "requiredField": true },
  { "fieldLabel": "Visitors", "fieldType": "number" },
  { "fieldLabel": "Day", "fieldType": "dropdown", "fieldOptions": { "values": [{ "option": "Monday" }, { "option": "Tuesday" }] } }
]`;

const CHOOSING = ['dropdown', 'radio', 'checkbox'];
const TYPING = ['text', 'textarea', 'email', 'number', 'date'];

/** The form, defined as in n8n's own forms. */
export const formFields: INodeProperties[] = [
	{
		displayName: 'Define Form',
		name: 'defineForm',
		type: 'options',
		noDataExpression: true,
		default: 'fields',
		options: [
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
	},
	{
		displayName: 'Form Elements',
		name: 'jsonOutput',
		type: 'json',
		typeOptions: { rows: 5 },
		default: SAMPLE,
		displayOptions: { show: { defineForm: ['json'] } },
		description: "A list of elements, named as in n8n's own forms",
	},
	{
		displayName: 'Form Elements',
		name: 'formFields',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add Form Element',
		default: {},
		displayOptions: { show: { defineForm: ['fields'] } },
		options: [
			{
				displayName: 'Values',
				name: 'values',
				values: [
					{
						displayName: 'Element Type',
						name: 'fieldType',
						type: 'options',
						default: 'text',
						options: [
							{ name: 'Checkboxes', value: 'checkbox' },
							{ name: 'Date', value: 'date' },
							{ name: 'Dropdown', value: 'dropdown' },
							{ name: 'Email', value: 'email' },
							{ name: 'Number', value: 'number' },
							{ name: 'Radio Buttons', value: 'radio' },
							{ name: 'Text', value: 'text' },
							{ name: 'Textarea', value: 'textarea' },
						],
					},
					{
						displayName: 'Field Options',
						name: 'fieldOptions',
						type: 'fixedCollection',
						typeOptions: { multipleValues: true, sortable: true },
						placeholder: 'Add Field Option',
						default: {},
						displayOptions: { show: { fieldType: CHOOSING } },
						options: [
							{
								displayName: 'Values',
								name: 'values',
								values: [{ displayName: 'Option', name: 'option', type: 'string', default: '' }],
							},
						],
					},
					{
						displayName: 'Label',
						name: 'fieldLabel',
						type: 'string',
						default: '',
						required: true,
						placeholder: 'e.g. What is your name?',
						description: 'Shown beside the element, and the name of its value in the output',
					},
					{
						displayName: 'Multiple Choice',
						name: 'multiselect',
						type: 'boolean',
						default: false,
						displayOptions: { show: { fieldType: ['dropdown'] } },
						description: 'Whether more than one option may be chosen',
					},
					{
						displayName: 'Placeholder',
						name: 'placeholder',
						type: 'string',
						default: '',
						displayOptions: { show: { fieldType: TYPING } },
						description: 'Sample text in the empty element',
					},
					{
						displayName: 'Required Field',
						name: 'requiredField',
						type: 'boolean',
						default: false,
						description: 'Whether the form can be sent only if this element is filled in',
					},
				],
			},
		],
	},
];

export const formOptions: INodeProperties[] = [
	{
		displayName: 'Response Form Button Label',
		name: 'responseFormButtonLabel',
		type: 'string',
		default: 'Submit',
	},
	{
		displayName: 'Response Form Description',
		name: 'responseFormDescription',
		type: 'string',
		default: '',
		description: 'The text on the page, instead of the message',
	},
	{
		displayName: 'Response Form Title',
		name: 'responseFormTitle',
		type: 'string',
		default: '',
	},
];
