import type { ListedComponent, ParameterFormat } from '../contract';
import { TEMPLATE_LIMITS } from '../contract';
import { cutText } from '../cutText';
import { componentsOfCards } from './cards';
import { fillIn, placeholdersIn } from './placeholders';
import { componentsOfType, variablesOf } from './variables';

/** How errors name the parts of a definition, and where its examples are entered. */
export interface PartNames {
	header: string;
	body: string;
	footer: string;
	/** @param index of the button, from 0 on */
	button: (index: number) => string;
	buttons: string;
	examples: string;
}

/** In a list of components. */
export const PARTS_OF_LIST: PartNames = {
	header: 'The HEADER of "Components"',
	body: 'The BODY of "Components"',
	footer: 'The FOOTER of "Components"',
	button: (index) => `Button ${index + 1} of "Components"`,
	buttons: 'BUTTONS of "Components"',
	examples: 'the "example" beside it',
};

type Button = NonNullable<ListedComponent['buttons']>[number];

/**
 * Refuses what the chat application would refuse for certain. Source: published. What it may
 * refuse is for it to say.
 * @throws Error that names the part
 */
export function checkDefinition(
	components: readonly ListedComponent[],
	category: string | undefined,
	names: PartNames,
): void {
	const template = { name: '', language: '', category, components: [...components] };
	const textsOf = (type: string) =>
		componentsOfType(template, type).flatMap(({ text }) => (text ? [text] : []));
	const [headers, bodies, footers] = [textsOf('HEADER'), textsOf('BODY'), textsOf('FOOTER')];
	for (const text of headers) checkHeader(text, names.header);
	for (const text of bodies) checkBody(text, names.body);
	for (const text of footers) checkFooter(text, names.footer);
	if (isMixed([...headers, ...bodies]))
		throw new Error(
			`${names.body} has numbered and named variables. Use {{1}}, {{2}} or names, in the header, too.`,
		);
	const buttons = componentsOfType(template, 'BUTTONS').flatMap((part) => part.buttons ?? []);
	if (buttons.length > TEMPLATE_LIMITS.buttons)
		throw new Error(
			`${names.buttons} has ${buttons.length} buttons. A template takes at most ${TEMPLATE_LIMITS.buttons}.`,
		);
	for (const [index, button] of buttons.entries()) checkButton(button, names.button(index));
	const lacking = variablesOf(template).find(({ id, example }) => isTextId(id) && !example);
	if (lacking) throw new Error(withoutExample(lacking.id, names));
}

/** Files of a header and payloads have no example in words. */
const isTextId = (id: string): boolean =>
	id === 'header.text' || id.startsWith('body.') || /\.(?:url|code)$/.test(id);

function withoutExample(id: string, names: PartNames): string {
	const [part, place = ''] = id.split('.');
	const [field, variable] =
		part === 'button'
			? [names.button(Number(place)), 'its variable']
			: part === 'header'
				? [names.header, 'its variable']
				: [names.body, `{{${place}}}`];
	return `${field} has no example for ${variable}. The reviewer needs one: enter it in ${names.examples}.`;
}

function checkLength(text: string, most: number, name: string): void {
	if (text.length > most)
		throw new Error(`${name} has ${text.length} characters. It may have at most ${most}.`);
}

function checkHeader(text: string, name: string): void {
	checkLength(text, TEMPLATE_LIMITS.header, name);
	checkOneLine(text, name);
	checkVariables(text, name);
	if (placeholdersIn(text).length > 1)
		throw new Error(`${name} has several variables. It takes one: move the others to the body.`);
}

function checkFooter(text: string, name: string): void {
	checkLength(text, TEMPLATE_LIMITS.footer, name);
	checkOneLine(text, name);
	if (placeholdersIn(text).length > 0)
		throw new Error(`${name} has a variable, and takes none. Move it to the body.`);
}

function checkOneLine(text: string, name: string): void {
	if (/[\r\n]/.test(text)) throw new Error(`${name} has a line break. Write it in one line.`);
}

function checkBody(text: string, name: string): void {
	checkLength(text, TEMPLATE_LIMITS.body, name);
	checkVariables(text, name);
	const trimmed = text.trim();
	// Its names are taken out, so that only places are left.
	const places = fillIn(trimmed, () => '\0');
	if (places.startsWith('\0') || places.endsWith('\0'))
		throw new Error(`${name} begins or ends with a variable. Write a word before and after it.`);
	const between = places.split('\0').slice(1, -1);
	if (between.some((words) => words.trim() === ''))
		throw new Error(`${name} has variables side by side. Write a word between them.`);
}

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

const isNumber = (name: string): boolean => /^\d+$/.test(name);

function isMixed(texts: readonly string[]): boolean {
	const names = texts.flatMap(placeholdersIn);
	return names.some(isNumber) && !names.every(isNumber);
}

function checkButton({ text, url }: Button, name: string): void {
	checkLength(text ?? '', TEMPLATE_LIMITS.button, name);
	if (!url) return;
	const variables = placeholdersIn(url);
	if (variables.length > 1 || (variables.length === 1 && !url.endsWith('}}')))
		throw new Error(
			`${name} has the address "${cutText(url, 64)}". It takes one variable, at its end: https://example.com/orders/{{1}}.`,
		);
}

/**
 * `NAMED` if a variable of a header or body has a name, because a link is often numbered where the
 * text has names. Undefined without variables. Source: published.
 */
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
