import type { Content, TemplateComponent } from '../contract';
import { PARAMETER_NAME_FIELD, templateContentSchema } from '../contract';

/** The components of a template that is to be sent. Empty for another content. */
export const componentsIn = (content: Content): TemplateComponent[] =>
	templateContentSchema
		.safeParse(content)
		.data?.attachments.flatMap(({ template }) => template.components) ?? [];

/** The texts of a component's parameters, in order. Undefined: a parameter that is no text. */
export const textsOf = (parameters: unknown): Array<string | undefined> =>
	Array.isArray(parameters) ? parameters.map(textOf) : [];

/** The texts of parameters that name their variable, by its name. */
export const namedTextsOf = (parameters: unknown): Map<string, string> =>
	new Map(
		(Array.isArray(parameters) ? parameters : []).flatMap((parameter: unknown) => {
			const text = textOf(parameter);
			const name = nameOf(parameter);
			return text === undefined || name === undefined ? [] : [[name, text] as const];
		}),
	);

const nameOf = (parameter: unknown): string | undefined =>
	typeof parameter === 'object' &&
	parameter !== null &&
	PARAMETER_NAME_FIELD in parameter &&
	typeof parameter[PARAMETER_NAME_FIELD] === 'string'
		? parameter[PARAMETER_NAME_FIELD]
		: undefined;

const textOf = (parameter: unknown): string | undefined =>
	typeof parameter === 'object' &&
	parameter !== null &&
	'text' in parameter &&
	typeof parameter.text === 'string'
		? parameter.text
		: undefined;
