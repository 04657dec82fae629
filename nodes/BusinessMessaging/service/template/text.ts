import type { ListedTemplate } from '../contract';
import { fillIn } from './placeholders';
import { componentsOfType, isAccessCode } from './variables';

/**
 * @param valueOf gives the value of a variable by its id
 * @returns what the customer reads: header, body and footer. Undefined for an access code, whose
 * text the chat application writes, and which no log should hold
 */
export function templateText(
	template: ListedTemplate,
	valueOf: (id: string) => string | undefined,
): string | undefined {
	if (isAccessCode(template)) return undefined;
	const header = texts(template, 'HEADER').map((text) =>
		fillIn(text, () => valueOf('header.text')),
	);
	const body = texts(template, 'BODY').map((text) =>
		fillIn(text, (name) => valueOf(`body.${name}`)),
	);
	const all = [...header, ...body, ...texts(template, 'FOOTER')];
	return all.length === 0 ? undefined : all.join('\n\n');
}

const texts = (template: ListedTemplate, type: string): string[] =>
	componentsOfType(template, type).flatMap(({ text }) => (text ? [text] : []));
