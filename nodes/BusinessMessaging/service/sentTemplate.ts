import type { Content, TemplateComponent } from './contract';
import { PARAMETER_NAME_FIELD, templateContentSchema } from './contract';

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
export const parameterTextsOf = (parameters: unknown): Array<string | undefined> =>
	Array.isArray(parameters) ? parameters.map((parameter) => textIn(parameter, 'text')) : [];

/** The texts of parameters that name their variable, by its name. */
export const namedTextsOf = (parameters: unknown): Map<string, string> =>
	new Map(
		(Array.isArray(parameters) ? parameters : []).flatMap((parameter: unknown) => {
			const text = textIn(parameter, 'text');
			const name = textIn(parameter, PARAMETER_NAME_FIELD);
			return text === undefined || name === undefined ? [] : [[name, text] as const];
		}),
	);

function textIn(parameter: unknown, field: string): string | undefined {
	const fields = typeof parameter === 'object' ? (parameter as Record<string, unknown>) : undefined;
	const text = fields?.[field];
	return typeof text === 'string' ? text : undefined;
}
