/** Checks the texts that a send gives to a template's variables. */
import { CHAT_LIMITS, PARAMETER_NAME_FIELD } from '../contract.mts';
import { templateRefusal } from './templateRefusal.mts';

interface Given {
	text?: string | undefined;
	coupon_code?: string | undefined;
	[PARAMETER_NAME_FIELD]?: string | undefined;
}

/**
 * The parameters in the order of the text's variables. With names they go to the variables that
 * they name, else by position: the published examples do so for named ones, too.
 * @param names of the variables, as many as parameters
 */
export function inOrder<T extends Given>(
	place: string,
	names: readonly string[],
	given: readonly T[],
): T[] {
	if (given.every((parameter) => parameter[PARAMETER_NAME_FIELD] === undefined)) return [...given];
	const byName = new Map<string, T>();
	for (const parameter of given) {
		const name = parameter[PARAMETER_NAME_FIELD];
		const refuse = (what: string) => templateRefusal('format', `${place}: ${what}`);
		if (name === undefined) throw refuse(`${PARAMETER_NAME_FIELD} is missing`);
		if (!names.includes(name)) throw refuse(`${PARAMETER_NAME_FIELD} "${name}" is not a variable`);
		if (byName.has(name)) throw refuse(`${PARAMETER_NAME_FIELD} "${name}" is given twice`);
		byName.set(name, parameter);
	}
	return names.map((name) => byName.get(name)!);
}

/** Characters of an access code. Source: the chat application's documents. */
const CODE_MAX = 15;

/** Refuses values with what no variable can hold. @param category of the template */
export function requireFlat(
	place: string,
	given: readonly Given[],
	category?: string | null,
): void {
	for (const [index, { text, coupon_code: code }] of given.entries()) {
		const value = `${text ?? ''}${code ?? ''}`;
		const isLong = category === 'AUTHENTICATION' && value.length > CODE_MAX;
		const problem = isLong ? `more than ${CODE_MAX} characters` : problemOf(value);
		if (problem) throw templateRefusal('lineBreak', `${place}, value ${index + 1}: has ${problem}`);
	}
}

function problemOf(value: string): string | undefined {
	if (/[\r\n]/.test(value)) return 'a line break';
	if (value.includes('\t')) return 'a tab';
	const { blanksInValue: most } = CHAT_LIMITS;
	const runs = value.match(/ +/g) ?? [];
	return runs.some(({ length }) => length > most) ? `more than ${most} blanks in a row` : undefined;
}
