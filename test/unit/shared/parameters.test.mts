import type { IExecuteFunctions } from 'n8n-workflow';

import {
	jsonOf,
	parseHttpUrl,
	readId,
	readLimit,
	readList,
	readRequired,
	readRows,
	readText,
	readOptionalWords,
	readWords,
	wholeNumberOf,
} from '#nodes/shared/node/parameters.ts';

/** The context of a node with these fields. The others have their defaults. */
const contextWith = (parameters: Record<string, unknown>) =>
	({
		getNodeParameter: (name: string, _index: number, fallback: unknown) =>
			name in parameters ? parameters[name] : fallback,
		getNode: () => ({ parameters }),
	}) as unknown as IExecuteFunctions;
const given = (value: unknown) => contextWith({ field: value });
const none = contextWith({});

test('reads a text without blanks around it, also from a list of the editor', () => {
	expect(readText(given(' a b '), 'field', 0)).toBe('a b');
	expect(readText(given({ __rl: true, mode: 'list', value: ' id ' }), 'field', 0)).toBe('id');
	expect(readText(none, 'field', 0)).toBe('');
});

const DATE = '2026-11-25T10:00:00.000Z';
/** As n8n's `$now`. */
const NOW = { isLuxonDateTime: true, toString: () => '2026-11-25T10:00:00.000+00:00' };

test.each([
	[true, 'true'],
	[false, 'false'],
	[0, '0'],
	[new Date(DATE), DATE],
	[NOW, '2026-11-25T10:00:00.000+00:00'],
])('sends the value %j as %s', (value, text) => {
	expect(readWords(given(value), 'field', 'Text', 0)).toBe(text);
	expect(readRequired(given(value), 'field', 'Text', 0)).toBe(text);
	expect(readOptionalWords(given(value), 'field', 'Text', 0)).toBe(text);
	expect(readList(given([value]), 'field', 'Text', 0)).toEqual([text]);
});

test.each([
	[['a', 'b'], '"Text" is a list. Enter a text: an expression can join the list with .join(", ").'],
	[[], '"Text" is a list. Enter a text: an expression can join the list with .join(", ").'],
	[{ a: 1 }, '"Text" is an object. Enter a text, or map one of its fields.'],
])('says what %j is, and names the field', (value, message) => {
	expect(() => readWords(given(value), 'field', 'Text', 0)).toThrow(message);
	expect(() => readRequired(given(value), 'field', 'Text', 0)).toThrow(message);
	expect(() => readOptionalWords(given(value), 'field', 'Text', 0)).toThrow(message);
	expect(() => readList(given(['a', value]), 'field', 'Text', 0)).toThrow(
		message.replace('"Text"', 'Value 2 of "Text"'),
	);
});

test.each(['', ' \n', null, undefined])(
	'refuses an empty required field by its name: %j',
	(value) => {
		expect(() => readRequired(given(value), 'field', 'Recipient', 0)).toThrow(
			/^"Recipient" is empty\. Enter a value, or map one from the input\.$/,
		);
		expect(() => readWords(given(value), 'field', 'Text', 0)).toThrow(
			/^"Text" is empty\. Enter a text, or map one from the input\.$/,
		);
		expect(() => readId(given(value), 'field', 'Channel', 0)).toThrow(
			/^"Channel" is empty\. Choose one, or enter its ID\. If the input is empty, execute the trigger again\. After a question that timed out, map the trigger's\.$/,
		);
	},
);

test('reads a field that n8n does not know as empty', () => {
	expect(() => readWords(none, 'field', 'Text', 0)).toThrow('"Text" is empty');
	expect(readList(none, 'field', 'Approvers', 0)).toEqual([]);
	expect(readRows(none, 'field', 0)).toEqual([]);
});

test('refuses other texts than IDs, and quotes only their beginning', () => {
	const id = '019e4c54-b1b3-75a2-8970-b605ca9b03c3';
	expect(readId(given(` ${id} `), 'field', 'Channel', 0)).toBe(id);
	expect(() => readId(given('x'.repeat(65)), 'field', 'Channel', 0)).toThrow(
		`"Channel" is not an ID of the service: "${'x'.repeat(64)}". An ID has 32 hexadecimal characters, with or without hyphens.`,
	);
});

test('reads an address of http or https', () => {
	for (const url of ['http://example.com/a', 'https://example.com'])
		expect(parseHttpUrl(url, '"Media URL"')).toBe(url);
	for (const url of ['example.com/a', 'ftp://example.com', 'data:text/plain,a', ''])
		expect(() => parseHttpUrl(url, '"Media URL"')).toThrow(
			/^"Media URL" is not a URL that the service can open\. Enter one that begins with https:\/\/ or http:\/\/\.$/,
		);
});

test.each<[unknown, string[]]>([
	[[' a '], [' a ']],
	['a', ['a']],
	[7, ['7']],
	['', []],
	[[], []],
])('reads the list %j as %j', (value, list) => {
	expect(readList(given(value), 'field', 'Body Parameters', 0)).toEqual(list);
});

test.each([
	[['a', ' '], 2],
	[[null], 1],
	[' ', 1],
])('refuses the list %j because value %d is empty', (value, place) => {
	expect(() => readList(given(value), 'field', 'Body Parameters', 0)).toThrow(
		`Value ${place} of "Body Parameters" is empty. Enter a text, or remove it.`,
	);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %d in a text', (value) => {
	expect(() => readWords(given(value), 'field', 'Text', 0)).toThrow(
		`"Text" is ${value}, which is no number. Correct its expression.`,
	);
});

test('reads rows as objects, also a single one of an expression', () => {
	expect(readRows(given([{ a: 1 }, 'b']), 'field', 0)).toEqual([{ a: 1 }, {}]);
	expect(readRows(given({ a: 1 }), 'field', 0)).toEqual([{ a: 1 }]);
});

test('reads JSON from a text, or a value as it is', () => {
	expect(jsonOf('{"a": [1]}', 'Content')).toEqual({ a: [1] });
	expect(jsonOf({ a: 1 }, 'Content')).toEqual({ a: 1 });
	for (const empty of [' ', '', null]) expect(jsonOf(empty, 'Content')).toBeUndefined();
	expect(() => jsonOf('{', 'Content')).toThrow(
		/^"Content" is not valid JSON\. Check its quotes, commas and brackets/,
	);
});

test('reads a whole number from a text, and refuses one that is too small', () => {
	const about = { label: 'Max Concurrency', fallback: 10, least: 2 };
	const read = (most: unknown) => wholeNumberOf(most, about);
	expect([read(undefined), read('3'), read(2)]).toEqual([10, 3, 2]);
	for (const most of [1, 2.5, 'many', Number.NaN, Number.POSITIVE_INFINITY, true, [5], {}])
		expect(() => read(most)).toThrow(/^"Max Concurrency" must be a whole number of 2 or more\.$/);
});

test('reads the limit from its field, 50 by default, and none for all', () => {
	expect(readLimit(none, 0)).toBe(50);
	expect(readLimit(contextWith({ limit: 1 }), 0)).toBe(1);
	expect(readLimit(contextWith({ limit: 7, returnAll: true }), 0)).toBe(Number.POSITIVE_INFINITY);
	expect(readLimit(contextWith({ limit: 7, returnAll: 'true' }), 0)).toBe(7);
	expect(readLimit(contextWith({ limit: '50' }), 0)).toBe(50);
	for (const limit of ['', null]) expect(readLimit(contextWith({ limit }), 0)).toBe(50);
	for (const limit of [0, -1, 1.5, 'many', '1.5', true, [5], Number.NaN])
		expect(() => readLimit(contextWith({ limit }), 0)).toThrow(
			/^"Limit" must be a whole number of 1 or more\.$/,
		);
});
