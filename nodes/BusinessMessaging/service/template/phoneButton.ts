import type { ListedComponent } from '../contract';
import { cutText } from '../cutText';
import { NUMBER_FORM, readRecipient } from '../recipient';
import { numberIn } from '../writtenNumber';
import { changeEach } from './components';
import type { PartNames } from './partNames';

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
						button.type.toUpperCase() === 'PHONE_NUMBER'
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
	const written = numberIn(text);
	const isInternational = written?.hasPlus || written?.digits.startsWith('00');
	if (!isInternational && digits.length < WITH_COUNTRY)
		throw new Error(
			`${name} has the phone number "${cutText(text, 64)}", whose country code may be missing. ${NUMBER_FORM}`,
		);
	return `+${digits}`;
}
