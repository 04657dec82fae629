import type { IExecuteFunctions } from 'n8n-workflow';
import { isResourceLocatorValue } from 'n8n-workflow';

import { ID_PATTERN } from '../../service/contract';

/** What a field holds as text, without blanks around it: expressions also give numbers. */
function readText(context: IExecuteFunctions, name: string, itemIndex: number): string {
	const field: unknown = context.getNodeParameter(name, itemIndex, '');
	// n8n's own `extractValue` looks through all fields of the node each time, which is felt with thousands of items.
	const value: unknown = isResourceLocatorValue(field) ? field.value : field;
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** @throws Error that names the field and what to enter, when it is empty. */
export function readRequired(context: IExecuteFunctions, name: string, label: string, itemIndex: number): string {
	const text = readText(context, name, itemIndex);
	if (!text) throw new Error(`"${label}" is empty. Enter a value, or map one from the input.`);
	return text;
}

/**
 * An id of the service. Its form is checked before it enters a path: `..` would lead to another route.
 * @throws Error that names the field.
 */
export function readId(context: IExecuteFunctions, name: string, label: string, itemIndex: number): string {
	const text = readText(context, name, itemIndex);
	if (!text) throw new Error(`"${label}" is empty. Choose one from the list, or enter its ID.`);
	if (!ID_PATTERN.test(text)) throw new Error(`"${label}" is not an ID of the service: "${text.slice(0, 64)}". An ID has 32 hexadecimal characters.`);
	return text;
}

/** The first `limit` entries, or all of them, by the fields `returnAll` and `limit`. */
export function readLimit(context: IExecuteFunctions, itemIndex: number): number {
	if (context.getNodeParameter('returnAll', itemIndex, false) === true) return Number.POSITIVE_INFINITY;
	const limit: unknown = context.getNodeParameter('limit', itemIndex, 50);
	if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1) throw new Error('"Limit" must be a whole number of 1 or more.');
	return limit;
}
