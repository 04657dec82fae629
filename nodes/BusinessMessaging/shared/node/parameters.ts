import { isResourceLocatorValue, jsonParse } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { webUrl } from '../../service/baseUrl';
import { ID_FORM, ID_PATTERN } from '../../service/contract';
import { cutText } from '../../service/cutText';
import { readRecipient } from '../../service/recipient';
import { numberIn, requireAllDigits, toNumber } from '../texts/numbers';
import { asPlainObject } from '../../service/parseJson';

/** The execution, the field's name, the label by which errors name it, and the item's index. */
type Field = [context: IExecuteFunctions, name: string, label: string, itemIndex: number];

/** A text, or a number of an expression, as text. Empty for other values. */
export const textOf = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** What n8n's expressions give for a date: Luxon's DateTime. Its text is in the ISO form. */
const isDateTime = (value: unknown): boolean =>
	(value as { isLuxonDateTime?: unknown } | null | undefined)?.isLuxonDateTime === true;

/** A value as people read it. @throws Error if it is a list, an object or no number */
export function wordsOf(value: unknown, place: string): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'boolean' || typeof value === 'bigint' || isDateTime(value))
		return String(value);
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
	if (typeof value === 'number' && !Number.isFinite(value))
		throw new Error(`${place} is ${value}, which is no number. Correct its expression.`);
	if (typeof value !== 'object') return textOf(value);
	throw new Error(
		Array.isArray(value)
			? `${place} is a list. Enter a text: an expression can join the list with .join(", ").`
			: `${place} is an object. Enter a text, or map one of its fields.`,
	);
}

/** What stands in a field, or is chosen there. */
function readValue(context: IExecuteFunctions, name: string, itemIndex: number): unknown {
	const field: unknown = context.getNodeParameter(name, itemIndex, '');
	// n8n's `extractValue` searches all fields of the node, which is slow for thousands of items.
	return isResourceLocatorValue(field) ? field.value : field;
}

/** The text of a field, without blanks around it. */
export const readText = (context: IExecuteFunctions, name: string, itemIndex: number): string =>
	textOf(readValue(context, name, itemIndex)).trim();

/** @throws Error that says what is empty, and what to do */
export function requireFilled<Value extends string | number>(
	value: Value,
	place: string,
	todo: string,
) {
	if (String(value).trim() !== '') return value;
	throw new Error(`${place} is empty. ${todo}`);
}

/** The value of the field "Recipient". An expression can give anything. */
export const readRecipientField = (context: IExecuteFunctions, itemIndex: number): unknown =>
	context.getNodeParameter('recipient', itemIndex, '');

/** @returns the recipient as it was entered. @throws Error if it is empty, or must not leave */
export function requireRecipient(given: unknown, place = '"Recipient"'): string {
	const { problem } = readRecipient(given);
	if (problem) throw new Error(`${place} ${problem.what}. ${problem.todo}`);
	return textOf(given).trim();
}

/** @throws Error that names the field, if it is empty */
export function readRequired(...[context, name, label, itemIndex]: Field): string {
	const value = readValue(context, name, itemIndex);
	requireAllDigits(value, `"${label}"`);
	const text = wordsOf(value, `"${label}"`).trim();
	return requireFilled(text, `"${label}"`, 'Enter a value, or map one from the input.');
}

/** A text to send, exactly as the field has it. @throws Error that names an empty field */
export function readWords(...[context, name, label, itemIndex]: Field): string {
	const words = wordsOf(context.getNodeParameter(name, itemIndex, ''), `"${label}"`);
	return requireFilled(words, `"${label}"`, 'Enter a text, or map one from the input.');
}

/** A text to send, without blanks around it. Undefined if it is empty. */
export const readOptionalWords = (...[context, name, label, itemIndex]: Field) =>
	wordsOf(context.getNodeParameter(name, itemIndex, ''), `"${label}"`).trim() || undefined;

/** The text of what was chosen from a list, or entered in its place. */
function readChosen(...[context, name, label, itemIndex]: Field): string {
	const value = readValue(context, name, itemIndex);
	requireAllDigits(value, `"${label}"`);
	const todo =
		"Choose one, or enter its ID. If the input is empty, execute the trigger again. After a question that timed out, map the trigger's.";
	return requireFilled(textOf(value).trim(), `"${label}"`, todo);
}

/** An ID of the service. Others, as `..`, lead elsewhere. @throws Error that names the field */
export function readId(...field: Field): string {
	const text = readChosen(...field);
	if (ID_PATTERN.test(text)) return text;
	throw new Error(
		`"${field[2]}" is not an ID of the service: "${cutText(text, 64)}". An ID has ${ID_FORM}.`,
	);
}

/** An ID of any form for the path of a request. @throws Error that names the field */
export function readSegment(...field: Field): string {
	const text = readChosen(...field);
	if (/^[\w-][\w.-]*$/.test(text)) return text;
	throw new Error(`"${field[2]}" is not an ID: "${cutText(text, 64)}". Choose one from the list.`);
}

/** An address that the service opens. @throws Error that names the field, if it is none */
export const readHttpUrl = (...field: Field): string =>
	parseHttpUrl(readRequired(...field), `"${field[2]}"`);

/** @param place the field, as errors name it. @throws Error if it is no http or https URL */
export function parseHttpUrl(text: string, place: string): string {
	if (webUrl(text)) return text;
	throw new Error(
		`${place} is not a URL that the service can open. Enter one that begins with https:// or http://.`,
	);
}

/** The texts of a field with several values, or one. @throws Error about an empty one */
export const readList = (...field: Field): string[] => readEach(field, wordsOf);

/** The same of recipients, with numbers as numbers. @throws Error about an empty one */
export const readEntries = (...field: Field): Array<string | number> =>
	readEach(field, (entry, place) => {
		if (typeof entry === 'number' || typeof entry === 'string') return entry;
		return entry === undefined || entry === null ? '' : requireRecipient(entry, place);
	});

function readEach<Value extends string | number>(
	[context, name, label, itemIndex]: Field,
	read: (entry: unknown, place: string) => Value,
): Value[] {
	const value: unknown = context.getNodeParameter(name, itemIndex, []);
	const entries: unknown[] = Array.isArray(value) ? value : value === '' ? [] : [value];
	return entries.map((entry, at) => {
		const place = `Value ${at + 1} of "${label}"`;
		return requireFilled(read(entry, place), place, 'Enter a text, or remove it.');
	});
}

export function readRows(
	context: IExecuteFunctions,
	name: string,
	itemIndex: number,
): IDataObject[] {
	const rows: unknown = context.getNodeParameter(name, itemIndex, []);
	return (Array.isArray(rows) ? rows : [rows]).map(asPlainObject);
}

const CHECK_JSON =
	'Check its quotes, commas and brackets: texts from the input need JSON.stringify() in an expression.';

/** What a text holds as JSON, or the value itself. @throws Error that names the field */
export const parsedOf = (value: unknown, label: string, todo: string): unknown =>
	typeof value === 'string'
		? jsonParse(value, { errorMessage: `"${label}" is not valid JSON. ${todo}` })
		: value;

/** A JSON field. Undefined: empty. @throws Error that names the field, also for lost digits */
export function jsonOf(value: unknown, label: string): unknown {
	if (typeof value === 'string' && value.trim() === '') return undefined;
	const read = parsedOf(value, label, CHECK_JSON) ?? undefined;
	requireAllDigits(read, `"${label}"`);
	return read;
}

/** An option of an item. Undefined if not added: looked up first, as n8n evaluates slowly. */
export const readOption = (context: IExecuteFunctions, name: string, itemIndex: number): unknown =>
	asPlainObject(context.getNode().parameters.options)[name] === undefined
		? undefined
		: (context.getNodeParameter(`options.${name}`, itemIndex, '') ?? '');

/** A whole number. An expression may also return a text. @throws Error that names the field */
export function wholeNumberOf(
	value: unknown,
	{ label, fallback, least }: { label: string; fallback: number; least: number },
): number {
	const number = toNumber(value ?? fallback);
	if (Number.isInteger(number) && number >= least) return number;
	throw new Error(`"${label}" must be a whole number of ${least} or more.`);
}

/** How many results to return, by the fields `returnAll` and `limit`. */
export function readLimit(context: IExecuteFunctions, itemIndex: number): number {
	if (context.getNodeParameter('returnAll', itemIndex, false) === true)
		return Number.POSITIVE_INFINITY;
	const entered: unknown = context.getNodeParameter('limit', itemIndex, 50);
	const limit = numberIn(context, 'limit', '"Limit"', entered);
	return wholeNumberOf(limit, { label: 'Limit', fallback: 50, least: 1 });
}
