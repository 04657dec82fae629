import type { Content, TemplateComponent } from '../contract';
import { templateContentSchema } from '../contract';

/** The components of a template that is to be sent. Empty for another content. */
export const componentsIn = (content: Content): TemplateComponent[] =>
	templateContentSchema
		.safeParse(content)
		.data?.attachments.flatMap(({ template }) => template.components) ?? [];

/** The texts of a component's parameters, in order. Undefined: a parameter that is no text. */
export const textsOf = (parameters: unknown): Array<string | undefined> =>
	Array.isArray(parameters) ? parameters.map(textOf) : [];

const textOf = (parameter: unknown): string | undefined =>
	typeof parameter === 'object' &&
	parameter !== null &&
	'text' in parameter &&
	typeof parameter.text === 'string'
		? parameter.text
		: undefined;
