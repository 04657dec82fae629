/**
 * Texts that make a bad expression slow: a beginning, a repeated piece, and an end that spoils the
 * match.
 */
import type { FoundExpression } from './expressions.mts';

export interface Pumped {
	before: string;
	pump: string;
	after: string;
}

export const pumped = (pump: string, after = '', before = ''): Pumped => ({ before, pump, after });

/** Such a text, about as long as asked for. */
export const textOf = ({ before, pump, after }: Pumped, size: number): string =>
	before +
	pump.repeat(Math.max(1, Math.floor((size - before.length - after.length) / (pump.length || 1)))) +
	after;

/** What a class of characters is tried on. */
const SAMPLES = [...'aZ0f \n\t.,!-_/<"@:=\0…é\u00A0💬'];
const CLASSES = /\[(?:\\.|[^\]\\])*\]|\\[sdwSDW]|\\p\{\w+\}/g;
/** What hardly any expression goes on with. */
const SPOILERS = ['', 'a', '!', '\0', '\n'];

/**
 * Pieces of text that an expression looks for: its words, its characters, and for each of its
 * classes some that are in it.
 */
export function piecesOf({ text, regex }: FoundExpression): string[] {
	// What grows, and what has to be put in order.
	if (!regex) return ['…', 'ﷺ', ' ', '\u0344', '\u0301', '\u0323'];
	const { source } = regex;
	const classes = (source.match(CLASSES) ?? []).flatMap((atom) => {
		const isIn = new RegExp(
			`^${atom}$`,
			regex.flags.includes('u') || atom.startsWith('\\p') ? 'u' : '',
		);
		return SAMPLES.filter((sample) => isIn.test(sample)).slice(0, 2);
	});
	const rest = source
		.replace(CLASSES, '\0')
		.replace(/\\u\{?([0-9A-Fa-f]{4,5})\}?/g, (_, code: string) =>
			String.fromCodePoint(Number.parseInt(code, 16)),
		);
	const words = rest.match(/[A-Za-z0-9_]{2,}(?: [a-z]+)*/g) ?? [];
	const characters = [...rest].filter((character) => !'\\()[]{}|^$*+?\0'.includes(character));
	const escaped = [...source.matchAll(/\\([^a-zA-Z0-9])/g)].map(([, character]) => character ?? '');
	return [
		...new Set([
			...words,
			...characters,
			...escaped,
			...classes,
			...(text.includes('.') ? ['a'] : []),
			' ',
		]),
	].filter((piece) => piece !== '');
}

/** Every text of one or two of the expression's pieces, before each of the ends. */
export function attacksOn(expression: FoundExpression): Pumped[] {
	const pieces = piecesOf(expression);
	const pumps = new Set([
		...pieces,
		...pieces.flatMap((one) => pieces.map((other) => one + other)),
	]);
	return [...pumps].flatMap((pump) => SPOILERS.map((after) => pumped(pump, after)));
}
