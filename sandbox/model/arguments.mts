/** A tool's arguments, made from what a person wrote. */
import { z } from 'zod';

/** The parts of a JSON Schema that count here. */
const SCHEMA = z
	.object({
		description: z.string().default(''),
		type: z.union([z.string(), z.array(z.string()).transform(([first]) => first)]).optional(),
		enum: z.array(z.unknown()).optional(),
		properties: z.record(z.unknown()).default({}),
		items: z.unknown(),
	})
	.catch({ description: '', properties: {} });

/** A text with such a name or description is one word with a digit: the first that looks so. */
const OF_A_NUMBER = /(?:number|code|id)$/i;
const SAYS_NUMBER = /\b(?:number|code|id)\b/i;
const EXAMPLE = /\b(?:such as|for example|e\.g\.|like)[:,]? ?["'“]?([\p{L}\p{N}.-]+)/iu;

/** Gives each property of a schema its value from the words. */
export const argumentsFrom = (schema: unknown, words: string): unknown =>
	valueFor('', { type: 'object', ...SCHEMA.parse(schema) }, words);

function valueFor(name: string, schema: unknown, words: string): unknown {
	const { description, type, enum: choices, properties, items } = SCHEMA.parse(schema);
	if (choices) {
		const isNamed = (choice: unknown) => words.toLowerCase().includes(String(choice).toLowerCase());
		return choices.find(isNamed) ?? choices[0];
	}
	const withDigits = codesIn(words);
	const [withDigit] = withDigits;
	switch (type) {
		case 'object':
			return Object.fromEntries(
				Object.entries(properties).map(([key, inner]) => [key, valueFor(key, inner, words)]),
			);
		case 'array':
			return [valueFor(name, items, words)];
		case 'integer':
		case 'number':
			return Number.parseFloat(/\d+(?:\.\d+)?/.exec(withDigit ?? '')?.[0] ?? '0');
		case 'boolean':
			return true;
		default: {
			const [example] = codesIn(EXAMPLE.exec(description)?.[1] ?? '');
			const alike = withDigits.find((word) => example && shapeOf(word) === shapeOf(example));
			const isNumber = OF_A_NUMBER.test(name) || SAYS_NUMBER.test(description) || example;
			return isNumber ? (alike ?? withDigit ?? words) : words;
		}
	}
}

/** Words with a digit, without the sign that ends a sentence. */
const codesIn = (text: string): string[] =>
	(text.match(/[\p{L}\p{N}.-]+/gu) ?? [])
		.map((word) => word.replace(/[.-]$/, ''))
		.filter((word) => /\d/.test(word));

/** The same for A-1001 and b-7. */
const shapeOf = (word: string): string => word.replace(/\p{L}+/gu, 'a').replace(/\p{N}+/gu, '1');

/** Whether a schema holds one text and nothing else, however deep. */
export function isOneText(schema: unknown): boolean {
	const leaves = leavesOf(schema);
	return leaves.length === 1 && leaves[0] === 'string';
}

function leavesOf(schema: unknown): string[] {
	const { type = '', enum: choices, properties } = SCHEMA.parse(schema);
	const inner = Object.values(properties);
	if (type === 'object' || inner.length > 0) return inner.flatMap(leavesOf);
	return [choices ? 'enum' : type];
}
