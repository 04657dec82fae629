import { type ListedButton, type ListedComponent, TEMPLATE_LIMITS } from '../contract';
import { cutText } from '../cutText';
import { readRecipient, NUMBER_FORM } from '../recipient';
import { writtenNumberIn } from '../writtenNumber';
import { changeEach } from './components';
import { requireLength, MAYBE_REFUSED, type Mistakes, type PartNames } from './mistakes';
import { placeholdersIn } from './placeholders';
import { firstText, isType } from './variables';

/** @param mistakes get what the chat application would refuse @returns what it may refuse */
export function checkButtons(
	buttons: readonly ListedButton[],
	names: PartNames,
	mistakes: Mistakes,
): string[] {
	mistakes.in(() => checkCount(buttons.length, TEMPLATE_LIMITS.buttons, 'buttons', names.buttons));
	for (const [type, most] of Object.entries(TEMPLATE_LIMITS.buttonsOfType)) {
		const count = buttons.filter((button) => isType(button.type, type)).length;
		mistakes.in(() => checkCount(count, most, `buttons of type ${type}`, names.buttons));
	}
	for (const [index, button] of buttons.entries())
		mistakes.in(() => checkButton(button, names.button(index)));
	const areReplies = buttons.map(({ type }) => isType(type, 'QUICK_REPLY'));
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

function checkButton({ type, text, url, example }: ListedButton, name: string): void {
	requireLength(text ?? '', TEMPLATE_LIMITS.button, name);
	if (isType(type, 'COPY_CODE')) checkCode(firstText(example), name);
	if (url) checkAddress(url, name);
}

/** @throws Error that names the button */
export function checkAddress(url: string, name: string): void {
	requireLength(url, TEMPLATE_LIMITS.url, `The address of ${name}`);
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

/** The number of a button. Source: published. */
const PHONE_PATTERN = /^\+[1-9]\d{7,14}$/;
/** Digits of a number that has its country code for certain. */
const WITH_COUNTRY = 12;

/** Writes all buttons' numbers as the service takes them. @throws Error that names a button */
export const withPhoneNumbers = (
	components: readonly ListedComponent[],
	names: PartNames,
): ListedComponent[] =>
	changeEach(components, (component) =>
		component.buttons
			? {
					...component,
					buttons: component.buttons.map((button, index) =>
						isType(button.type, 'PHONE_NUMBER')
							? { ...button, phone_number: phoneOf(button.phone_number, names.button(index)) }
							: button,
					),
				}
			: component,
	);

/** A number as + and digits. @param name of the button. @throws Error with it, in any doubt */
export function phoneOf(given: unknown, name: string): string {
	const text = typeof given === 'string' || typeof given === 'number' ? String(given) : '';
	const { identifier, problem } = readRecipient(text);
	if (problem && text.trim() !== '')
		throw new Error(`${name} has a phone number that ${problem.what}. ${problem.todo}`);
	const isNumber = /^[\d\s+＋()./\p{Pd}\p{Cf}]+$/u.test(identifier);
	const digits = identifier.replace(/\D/g, '').replace(/^00/, '');
	if (!isNumber || !PHONE_PATTERN.test(`+${digits}`))
		throw new Error(`${name} has "${cutText(text, 64)}", which is no phone number. ${NUMBER_FORM}`);
	const written = writtenNumberIn(text);
	const isInternational = written?.hasPlus || written?.digits.startsWith('00');
	if (!isInternational && digits.length < WITH_COUNTRY)
		throw new Error(
			`${name} has the phone number "${cutText(text, 64)}", whose country code may be missing. ${NUMBER_FORM}`,
		);
	return `+${digits}`;
}
