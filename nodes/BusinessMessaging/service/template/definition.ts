import { TEMPLATE_LIMITS } from '../contract';
import type { ListedButton, ListedComponent, ParameterFormat } from '../contract';
import { checkButtons } from './buttonRules';
import { componentsOfCards } from './components';
import { Mistakes, requireLength, MAYBE_REFUSED, type PartNames } from './mistakes';
import { fillIn, isNumber, placeholdersIn } from './placeholders';
import { componentsOfType, isType, textsOfType, variablesOf } from './variables';

/**
 * Refuses what the chat application would refuse for certain. Source: published.
 * @param mistakes of the same template that are known already
 * @returns what it may refuse: there the publications contradict themselves
 * @throws Error that names all parts it would refuse
 */
export function checkDefinition(
	components: readonly ListedComponent[],
	category: string | undefined,
	names: PartNames,
	mistakes = new Mistakes(),
): string[] {
	const template = { name: '', language: '', category, components: [...components] };
	for (const part of ['header', 'body', 'footer'] as const)
		for (const text of textsOfType(template, part))
			mistakes.in(() => requireLength(text, TEMPLATE_LIMITS[part], names[part]));
	const [headers, bodies] = [textsOfType(template, 'HEADER'), textsOfType(template, 'BODY')];
	// Its thousands of variables would each lack an example.
	if ([...headers, ...bodies].some((text) => text.length > TEMPLATE_LIMITS.body)) mistakes.end();
	for (const text of headers) checkHeader(text, names.header, mistakes);
	for (const text of textsOfType(template, 'FOOTER')) checkFooter(text, names.footer, mistakes);
	if (isMixed([...headers, ...bodies]))
		mistakes.add(
			`${names.body} has numbered and named variables. Use {{1}}, {{2}} or names, in the header, too.`,
		);
	const buttons = componentsOfType(template, 'BUTTONS').flatMap((part) => part.buttons ?? []);
	const hints = [
		...headers.flatMap((text) => singleBraces(text, names.header)),
		...bodies.flatMap((text) => checkBody(text, names.body, mistakes)),
		...checkButtons(buttons, names, mistakes),
	];
	for (const { id, example } of variablesOf(template))
		if (isTextId(id) && !example) mistakes.add(withoutExample(id, names));
	mistakes.end();
	return hints;
}

/** Files of a header and payloads have no example in words. */
const isTextId = (id: string): boolean =>
	id === 'header.text' || id.startsWith('body.') || /\.(?:url|code)$/.test(id);

function withoutExample(id: string, names: PartNames): string {
	const [part, place = ''] = id.split('.');
	const [field, variable, where = names.examples] =
		part === 'button'
			? [names.button(Number(place)), 'its variable']
			: part === 'header'
				? [names.header, 'its variable', names.headerExample]
				: [names.body, `{{${place}}}`];
	return `${field} has no example for ${variable}. The reviewer needs one: enter it in ${where}.`;
}

function checkHeader(text: string, name: string, mistakes: Mistakes): void {
	mistakes.in(() => checkOneLine(text, name));
	mistakes.in(() => checkVariables(text, name));
	if (placeholdersIn(text).length > 1)
		mistakes.add(`${name} has several variables. It takes one: move the others to the body.`);
}

function checkFooter(text: string, name: string, mistakes: Mistakes): void {
	mistakes.in(() => checkOneLine(text, name));
	if (placeholdersIn(text).length > 0)
		mistakes.add(`${name} has a variable, and takes none. Move it to the body.`);
}

function checkOneLine(text: string, name: string): void {
	if (/[\r\n]/.test(text)) throw new Error(`${name} has a line break. Write it in one line.`);
}

/** A variable with too few braces is taken, and customers read it. */
function singleBraces(text: string, name: string): string[] {
	const [found] = /(?<!\{)\{ {0,4}\w{1,64} {0,4}\}(?!\})/.exec(text) ?? [];
	return found === undefined
		? []
		: [`${name} has ${found}, which customers read as it is. A variable has two braces: {{1}}.`];
}

function checkBody(text: string, name: string, mistakes: Mistakes): string[] {
	mistakes.in(() => checkVariables(text, name));
	// Its names are taken out, so that only places are left.
	const [first = '', ...others] = fillIn(text.trim(), () => '\0').split('\0');
	const last = others.at(-1);
	const between = others.slice(0, -1);
	if (between.includes(''))
		mistakes.add(`${name} has variables side by side. Write a word between them.`);
	const variables = placeholdersIn(text).length;
	const words = [first, ...others].join(' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
	return [
		...singleBraces(text, name),
		...(last !== undefined && (first === '' || last === '')
			? [`${name} begins or ends with a variable. ${MAYBE_REFUSED} A word around it helps.`]
			: []),
		...(between.some((some) => some.trim() === '')
			? [`${name} has only a blank between two variables. ${MAYBE_REFUSED} A word there helps.`]
			: []),
		...(variables > 1 && words < WORDS_FOR_VARIABLE * variables + 1
			? [`${name} has few words for ${variables} variables. ${MAYBE_REFUSED} More words help.`]
			: []),
	];
}

/** Source: a measurement of the service's own. */
const WORDS_FOR_VARIABLE = 3;

/** Of a header or body: the braces are closed, and numbers begin at 1 and have no gaps. */
function checkVariables(text: string, name: string): void {
	if (fillIn(text, () => '').includes('{{'))
		throw new Error(
			`${name} has "{{" that begins no variable. A variable is a number or a name of letters, digits and underscores: {{1}} or {{customer_name}}.`,
		);
	const names = placeholdersIn(text);
	const gap = names.findIndex((given, at) => isNumber(given) && Number(given) !== at + 1);
	if (gap >= 0 && names.every(isNumber))
		throw new Error(
			`${name} has the variable {{${names[gap]}}} where {{${gap + 1}}} is expected. Number them from 1 on, without gaps.`,
		);
}

function isMixed(texts: readonly string[]): boolean {
	const names = texts.flatMap(placeholdersIn);
	return names.some(isNumber) && !names.every(isNumber);
}

/** `NAMED` if a text's variable has a name, whatever links have. Source: published. */
export function parameterFormatOf(
	components: readonly ListedComponent[],
): ParameterFormat | undefined {
	const all = [...components, ...componentsOfCards(components).flat()];
	const inTexts = all.flatMap(({ text }) => placeholdersIn(text ?? ''));
	const inLinks = all.flatMap(({ buttons }) =>
		(buttons ?? []).flatMap(({ url }) => placeholdersIn(url ?? '')),
	);
	if (inTexts.length + inLinks.length === 0) return undefined;
	return (inTexts.length > 0 ? inTexts : inLinks).every(isNumber) ? 'POSITIONAL' : 'NAMED';
}

/**
 * An access code in the form in which it is created: the chat application writes its text. Listed,
 * it can have a text and a URL instead, and a creation takes neither. Source: published.
 */
export const accessCodeToCreate = (components: readonly ListedComponent[]): ListedComponent[] =>
	components.flatMap((component) => {
		const { type, text, buttons } = component;
		switch (type.toUpperCase()) {
			case 'BODY':
				// The text is in the customer's language, so it does not tell whether it has the advice.
				return text ? { type, add_security_recommendation: true } : component;
			case 'FOOTER': {
				const minutes = /\d+/.exec(text ?? '')?.[0];
				if (!text) return component;
				return minutes ? { type, code_expiration_minutes: Number(minutes) } : [];
			}
			default:
				return buttons ? { ...component, buttons: buttons.map(codeButton) } : component;
		}
	});

const codeButton = (button: ListedButton): ListedButton =>
	isType(button.type, 'URL')
		? { type: 'OTP', otp_type: 'COPY_CODE', text: button.text, example: undefined }
		: button;
