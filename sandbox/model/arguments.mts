/** A tool's arguments, made from what a person wrote. */
import { z } from 'zod';

/** The parts of a JSON Schema that count here. */
const SCHEMA = z
	.object({
		type: z.union([z.string(), z.array(z.string()).transform(([first]) => first)]).optional(),
		enum: z.array(z.unknown()).optional(),
		properties: z.record(z.unknown()).default({}),
		items: z.unknown(),
	})
	.catch({ properties: {} });

/** A property with such a name gets the first word with a digit. */
const OF_A_NUMBER = /(?:number|code|id)$/i;

/** Gives each property of a schema its value from the words. */
export const argumentsFrom = (schema: unknown, words: string): unknown =>
	valueFor('', { type: 'object', ...SCHEMA.parse(schema) }, words);

function valueFor(name: string, schema: unknown, words: string): unknown {
	const { type, enum: choices, properties, items } = SCHEMA.parse(schema);
	if (choices) {
		const isNamed = (choice: unknown) => words.toLowerCase().includes(String(choice).toLowerCase());
		return choices.find(isNamed) ?? choices[0];
	}
	const withDigit = words.match(/[\p{L}\p{N}.-]+/gu)?.find((word) => /\d/.test(word));
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
		default:
			return OF_A_NUMBER.test(name) ? (withDigit ?? words) : words;
	}
}

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
