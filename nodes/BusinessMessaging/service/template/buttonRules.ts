import { type ListedComponent, TEMPLATE_LIMITS } from '../contract';
import { cutText } from '../cutText';
import type { Mistakes } from './mistakes';
import { checkLength, MAYBE_REFUSED, type PartNames } from './partNames';
import { placeholdersIn } from './placeholders';
import { firstText } from './variables';

export type Button = NonNullable<ListedComponent['buttons']>[number];

const is = ({ type }: Button, wanted: string): boolean => type.toUpperCase() === wanted;

/** @param mistakes get what the chat application would refuse @returns what it may refuse */
export function checkButtons(
	buttons: readonly Button[],
	names: PartNames,
	mistakes: Mistakes,
): string[] {
	mistakes.in(() => checkCount(buttons.length, TEMPLATE_LIMITS.buttons, 'buttons', names.buttons));
	for (const [type, most] of Object.entries(TEMPLATE_LIMITS.buttonsOfType)) {
		const count = buttons.filter((button) => is(button, type)).length;
		mistakes.in(() => checkCount(count, most, `buttons of type ${type}`, names.buttons));
	}
	for (const [index, button] of buttons.entries())
		mistakes.in(() => checkButton(button, names.button(index)));
	const areReplies = buttons.map((button) => is(button, 'QUICK_REPLY'));
	return mistakes.or([], () => checkGroups(areReplies, names));
}

/** @param areReplies quick replies among the buttons. @throws Error about one that is apart */
export function checkGroups(areReplies: readonly boolean[], names: PartNames): string[] {
	const starts = areReplies.flatMap((isReply, at) => (isReply === areReplies[at - 1] ? [] : [at]));
	const [, second, third] = starts;
	if (third !== undefined)
		throw new Error(
			`${names.button(third)} is apart from the others of its kind. Put all quick replies together, in front of the other buttons.`,
		);
	return second !== undefined && areReplies[second] === true
		? [
				`${names.buttons} has quick replies behind other buttons. ${MAYBE_REFUSED} In front they are safe.`,
			]
		: [];
}

function checkCount(count: number, most: number, what: string, name: string): void {
	if (count > most)
		throw new Error(`${name} has ${count} ${what}. A template takes at most ${most}.`);
}

function checkButton(button: Button, name: string): void {
	const { text, url, example } = button;
	checkLength(text ?? '', TEMPLATE_LIMITS.button, name);
	if (is(button, 'COPY_CODE')) checkCode(firstText(example), name);
	if (url) checkAddress(url, name);
}

/** @throws Error that names the button */
export function checkAddress(url: string, name: string): void {
	checkLength(url, TEMPLATE_LIMITS.url, `The address of ${name}`);
	const variables = placeholdersIn(url);
	if (variables.length > 1 || (variables.length === 1 && !url.endsWith('}}')))
		throw new Error(
			`${name} has the address "${cutText(url, 64)}". It takes one variable, at its end: https://example.com/orders/{{1}}.`,
		);
}

function checkCode(code: string | undefined, name: string): void {
	if (code !== undefined && !/^[\w-]{1,20}$/.test(code))
		throw new Error(
			`${name} has the code "${cutText(code, 64)}". It takes letters, digits, - and _, at most 20.`,
		);
}
