import type { IExecuteFunctions } from 'n8n-workflow';

import type { TemplateComponent } from '../../service/contract';
import { readJson, readList, readRequired } from '../../shared/parameters';
import { isPlainObject } from '../../shared/plainObject';
import { sendingOperation } from './sending';

/** The components that the user writes as JSON, such as a header or buttons with a variable part. */
function readAdditional(context: IExecuteFunctions, index: number): TemplateComponent[] {
	const components =
		readJson(context, 'additionalComponents', 'Additional Components', index) ?? [];
	if (!Array.isArray(components) || !components.every(isComponent))
		throw new Error(
			'"Additional Components" is not a list of components. Enter a JSON list of objects, each with a "type", e.g. [{"type": "header", "parameters": […]}].',
		);
	return components;
}

function isComponent(value: unknown): value is TemplateComponent {
	return isPlainObject(value) && typeof value.type === 'string' && value.type !== '';
}

/** The body comes first, also where it has no parameters: the service requires it (docs/contract.md). */
function readComponents(context: IExecuteFunctions, index: number): TemplateComponent[] {
	const texts = readList(context, 'bodyParameters', 'Body Parameters', index);
	const additional = readAdditional(context, index);
	const hasBody = additional.some(({ type }) => type.toLowerCase() === 'body');
	if (hasBody && texts.length > 0)
		throw new Error(
			'The body stands twice: in "Body Parameters" and in "Additional Components". Remove one of them.',
		);
	if (hasBody) return additional;
	const parameters = texts.map((text) => ({ type: 'text', text }));
	return [{ type: 'body', parameters }, ...additional];
}

export const sendTemplate = sendingOperation({
	option: {
		name: 'Send Template',
		value: 'sendTemplate',
		action: 'Send approved template',
		description:
			'Send an approved template: the only message that reaches a customer who has not written for 24 hours',
	},
	names: 'templates',
	notice:
		'A template reaches customers at any time, also after 24 hours, once the chat application has approved it: the dashboard of the service shows that',
	fields: [
		{
			displayName: 'Template Name',
			name: 'templateName',
			builderHint: { propertyHint: 'Ask the user for one that is approved. Never make one up.' },
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. order_update',
			description: 'The name of the template, exactly as in the dashboard of the service',
		},
		{
			displayName: 'Language Code',
			name: 'languageCode',
			type: 'string',
			default: 'en_US',
			placeholder: 'e.g. pt_BR',
			description: 'The language in which the template was approved',
		},
		{
			displayName: 'Body Parameters',
			name: 'bodyParameters',
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Text' },
			default: [],
			placeholder: 'e.g. Ana',
			description:
				'The texts for the placeholders of the body, in order: the first stands for {{1}}, the second for {{2}}',
		},
		{
			displayName: 'Additional Components',
			name: 'additionalComponents',
			type: 'json',
			default: '[]',
			placeholder: 'e.g. [{"type": "header", "parameters": [{"type": "text", "text": "Ana"}]}]',
			description:
				"A JSON list of the template's other components that have placeholders, such as its header or its buttons",
		},
	],
	read: (context, index) => ({
		content: {
			type: 'TEMPLATE',
			attachments: [
				{
					template: {
						name: readRequired(context, 'templateName', 'Template Name', index),
						language: {
							policy: 'deterministic',
							code: readRequired(context, 'languageCode', 'Language Code', index),
						},
						components: readComponents(context, index),
					},
				},
			],
		},
	}),
});
