import type { Content, TemplateComponent } from '../contract';
import { PARAMETER_NAME_FIELD, templateContentSchema } from '../contract';

const templatesIn = (content: Content) =>
	templateContentSchema.safeParse(content).data?.attachments.map(({ template }) => template) ?? [];

/** The components of a template that is to be sent. Empty for another content. */
export const componentsIn = (content: Content): TemplateComponent[] =>
	templatesIn(content).flatMap(({ components }) => components);

/** A template that is to be sent, as errors name it. Empty for another content. */
export const nameIn = (content: Content): string =>
	templatesIn(content)
		.map(({ name, language }) => `"${name}" (${language.code})`)
		.join(', ');

/** The texts of a component's parameters, in order. Undefined: a parameter that is no text. */
export const textsOf = (parameters: unknown): Array<string | undefined> =>
	Array.isArray(parameters) ? parameters.map(parameterText) : [];

/** The texts of parameters that name their variable, by its name. */
export const namedTextsOf = (parameters: unknown): Map<string, string> =>
	new Map(
		(Array.isArray(parameters) ? parameters : []).flatMap((parameter: unknown) => {
			const text = parameterText(parameter);
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

const parameterText = (parameter: unknown): string | undefined =>
	typeof parameter === 'object' &&
	parameter !== null &&
	'text' in parameter &&
	typeof parameter.text === 'string'
		? parameter.text
		: undefined;
