import type { IExecuteFunctions } from 'n8n-workflow';

import { asPlainObject } from '../../service/parseJson';

type InNode = Pick<IExecuteFunctions, 'getNode'>;

/**
 * A number, also one that a text holds: 0 for an empty one. NaN for anything else, such as true or
 * a list of one.
 */
export const toNumber = (value: unknown): number =>
	typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;

/**
 * The value of a number field. Undefined if it is empty, which means its default.
 * @param path of the field among the node's parameters
 * @param place the field, as errors name it
 * @throws Error if an expression gave nothing: a default such as "no limit" could be the opposite
 * of what was meant
 */
export function numberIn(context: InNode, path: string, place: string, value: unknown): unknown {
	const isBlank = typeof value === 'string' && value.trim() === '';
	if (value !== undefined && value !== null && !isBlank) return value;
	const entered = path
		.split('.')
		.reduce<unknown>((within, name) => asPlainObject(within)[name], context.getNode().parameters);
	if (typeof entered !== 'string' || !entered.startsWith('=')) return undefined;
	throw new Error(
		`${place} is empty, because its expression finds nothing. Correct the expression, or enter a number.`,
	);
}

/** Reads a number of a collection. An option that is not added is undefined. */
export type ReadNumber = (name: string, place: string) => unknown;

/** @param values of the collection, as n8n evaluated it */
export const numbersIn =
	(context: InNode, collection: string, values: Record<string, unknown>): ReadNumber =>
	(name, place) =>
		// Asking for the node copies it.
		name in values ? numberIn(context, `${collection}.${name}`, place, values[name]) : undefined;

/** @throws Error about a number, at any depth, that is too large for JavaScript to keep it */
export function requireAllDigits(value: unknown, place: string): void {
	// What is added while it is gone through comes last, and nothing comes twice.
	const all = new Set<unknown>([value]);
	for (const one of all) {
		if (typeof one === 'number' && !Number.isSafeInteger(Math.trunc(one)))
			throw new Error(
				`${place} has lost digits: n8n rounds a number this long. Pass it on as a text from where it comes first, in quotes.`,
			);
		if (typeof one === 'object' && one !== null)
			for (const inner of Object.values(one)) all.add(inner);
	}
}
