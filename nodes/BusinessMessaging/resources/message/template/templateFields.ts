import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { choiceField, jsonField, locator, textField } from '../../../shared/node/fields';

/** The names of the fields that choose a template and give its values: in Send Template. */
export const OWN = {
	template: 'template',
	variables: 'templateVariables',
	languageCode: 'languageCode',
	bodyParameters: 'bodyParameters',
	headerMediaUrl: 'headerMediaUrl',
	headerMediaType: 'headerMediaType',
	headerMediaFilename: 'headerMediaFilename',
	additionalComponents: 'additionalComponents',
};

export type TemplateFieldNames = Record<keyof typeof OWN, string>;

/** Where a template takes the place of a message: `fallbackTemplate`, `fallbackVariables`, … */
export const FALLBACK = Object.fromEntries(
	Object.keys(OWN).map((name) => [name, `fallback${name.charAt(0).toUpperCase()}${name.slice(1)}`]),
) as TemplateFieldNames;

export type Show = IDisplayOptions['show'];

/** @param show a further condition for all of them */
export function templateFields(names: TemplateFieldNames, show: Show = {}): INodeProperties[] {
	// The mode decides. Its path begins with a slash, because n8n 1 resolves no other.
	const inMode = (mode: string): IDisplayOptions => ({
		show: { ...show, [`/${names.template}.mode`]: [mode] },
		...(mode === 'list' ? { hide: { [names.template]: [''] } } : {}),
	});
	return [
		{
			...locator('Template', names.template, 'searchTemplates', 'The approved template to send', {
				displayName: 'By Name',
				name: 'name',
				placeholder: 'e.g. order_update',
			}),
			builderHint: {
				propertyHint:
					'Ask the user for an approved template, and use mode "name". Never make one up.',
			},
			displayOptions: { show },
		},
		{
			displayName: 'Template Variables',
			name: names.variables,
			type: 'resourceMapper',
			default: { mappingMode: 'defineBelow', value: null },
			noDataExpression: true,
			displayOptions: inMode('list'),
			description: "The values of the template's variables",
			typeOptions: {
				loadOptionsDependsOn: [`${names.template}.value`],
				resourceMapper: {
					// The node's method that lists them has the name of their field.
					resourceMapperMethod: names.variables,
					mode: 'map',
					fieldWords: { singular: 'variable', plural: 'variables' },
					addAllFields: true,
					supportAutoMap: false,
					valuesLabel: 'Template Variables',
				},
			},
		},
		textField('Language Code', names.languageCode, {
			default: 'en_US',
			placeholder: 'e.g. pt_BR',
			displayOptions: inMode('name'),
			description: 'The language in which the template was approved',
		}),
		textField('Body Parameters', names.bodyParameters, {
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Text' },
			default: [],
			placeholder: 'e.g. Ana',
			displayOptions: inMode('name'),
			description: 'The texts for the variables of the body, in their order',
		}),
		textField('Header Media URL', names.headerMediaUrl, {
			placeholder: 'e.g. https://example.com/photo.jpg',
			displayOptions: inMode('name'),
			description:
				'The public address of the file in the header, if the template has one. The file given when the template was created is only an example.',
		}),
		choiceField('Header Media Type', names.headerMediaType, {
			options: { document: 'Document', image: 'Image', video: 'Video' },
			default: 'image',
			displayOptions: { ...inMode('name'), hide: { [names.headerMediaUrl]: [''] } },
			description: 'What the file in the header is',
		}),
		textField('Header File Name', names.headerMediaFilename, {
			placeholder: 'e.g. Invoice 4711.pdf',
			displayOptions: {
				show: { ...inMode('name').show, [names.headerMediaType]: ['document'] },
				hide: { [names.headerMediaUrl]: [''] },
			},
			description: 'The name of the document in the chat. Leave empty for the one in its address.',
		}),
		jsonField('Additional Components', names.additionalComponents, {
			default: '[]',
			placeholder: 'e.g. [{"type": "button", "index": 0}]',
			displayOptions: { show, hide: { [names.template]: [''] } },
			description:
				"A JSON list of the parts that no other field gives: a map, a product or cards, an offer's end, and the buttons of a flow, products, a payment or an order",
		}),
	];
}
