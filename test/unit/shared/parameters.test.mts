import type { IExecuteFunctions } from 'n8n-workflow';

import {
	parseHttpUrl,
	readId,
	readJson,
	readLimit,
	readList,
	readOptional,
	readRequired,
	readRows,
	readText,
	readWholeNumber,
	readWords,
	textOf,
} from '../../../nodes/BusinessMessaging/shared/parameters.ts';

/** n8n's context of a node with these fields; the others are as n8n gives them: by their default. */
const contextWith = (parameters: Record<string, unknown>) =>
	({
		getNodeParameter: (name: string, _index: number, fallback: unknown) =>
			name in parameters ? parameters[name] : fallback,
	}) as unknown as IExecuteFunctions;
const given = (value: unknown) => contextWith({ field: value });
const none = contextWith({});

test('texts and numbers are texts; what is neither is empty', () => {
	expect(['a', 7, 0, true, null, undefined, {}, ['a']].map(textOf)).toEqual([
		'a',
		'7',
		'0',
		'',
		'',
		'',
		'',
		'',
	]);
});

test('a text is read without blanks around it, also from a list of the editor', () => {
	expect(readText(given(' a b '), 'field', 0)).toBe('a b');
	expect(readText(given({ __rl: true, mode: 'list', value: ' id ' }), 'field', 0)).toBe('id');
	expect(readText(none, 'field', 0)).toBe('');
	expect(readOptional(given(' '), 'field', 0)).toBeUndefined();
	expect(readOptional(given(' a'), 'field', 0)).toBe('a');
});

test('what is to be sent is read as it stands', () => {
	expect(readWords(given(' Hello \n'), 'field', 'Text', 0)).toBe(' Hello \n');
});

test.each(['', ' \n', null, undefined, {}])(
	'a field that must not be empty is refused by its name: %j',
	(value) => {
		expect(() => readRequired(given(value), 'field', 'Recipient', 0)).toThrow(
			/^"Recipient" is empty\. Enter a value, or map one from the input\.$/,
		);
		expect(() => readWords(given(value), 'field', 'Text', 0)).toThrow(
			/^"Text" is empty\. Enter a text, or map one from the input\.$/,
		);
		expect(() => readId(given(value), 'field', 'Channel', 0)).toThrow(
			/^"Channel" is empty\. Choose one from the list, or enter its ID\.$/,
		);
	},
);

test('a field that n8n does not know is empty', () => {
	expect(() => readWords(none, 'field', 'Text', 0)).toThrow('"Text" is empty');
	expect(readJson(none, 'field', 'Content', 0)).toBeUndefined();
	expect(readList(none, 'field', 'Approvers', 0)).toEqual([]);
	expect(readRows(none, 'field', 0)).toEqual([]);
});

test('an ID has its form, and of another text no more than its beginning is quoted', () => {
	const id = '019e4c54-b1b3-75a2-8970-b605ca9b03c3';
	expect(readId(given(` ${id} `), 'field', 'Channel', 0)).toBe(id);
	expect(() => readId(given('x'.repeat(65)), 'field', 'Channel', 0)).toThrow(
		`"Channel" is not an ID of the service: "${'x'.repeat(64)}". An ID has 32 hexadecimal characters, with or without hyphens.`,
	);
});

test.each(['http://example.com/a', 'https://example.com'])('%s is an address', (url) => {
	expect(parseHttpUrl(url, 'Media URL')).toBe(url);
});

test.each(['example.com/a', 'ftp://example.com', 'data:text/plain,a', ''])(
	'%j is no address',
	(url) => {
		expect(() => parseHttpUrl(url, 'Media URL')).toThrow(
			/^"Media URL" is not a URL that the service can open\. Enter one that begins with https:\/\/ or http:\/\/\.$/,
		);
	},
);

test.each<[unknown, string[]]>([
	[
		['a', 7],
		['a', '7'],
	],
	[[' a '], [' a ']],
	['a', ['a']],
	[7, ['7']],
	['', []],
	[[], []],
])('the list %j is %j', (value, list) => {
	expect(readList(given(value), 'field', 'Body Parameters', 0)).toEqual(list);
});

test.each([
	[['a', ' '], 2],
	[[null], 1],
	[' ', 1],
])('the list %j has an empty value in place %d', (value, place) => {
	expect(() => readList(given(value), 'field', 'Body Parameters', 0)).toThrow(
		`Value ${place} of "Body Parameters" is empty. Enter a text, or remove it.`,
	);
});

test('rows are objects, also when an expression gives a single one', () => {
	expect(readRows(given([{ a: 1 }, 'b']), 'field', 0)).toEqual([{ a: 1 }, {}]);
	expect(readRows(given({ a: 1 }), 'field', 0)).toEqual([{ a: 1 }]);
});

test('JSON is read from a text, or taken as it is', () => {
	expect(readJson(given('{"a": [1]}'), 'field', 'Content', 0)).toEqual({ a: [1] });
	expect(readJson(given({ a: 1 }), 'field', 'Content', 0)).toEqual({ a: 1 });
	for (const empty of [' ', '', null])
		expect(readJson(given(empty), 'field', 'Content', 0)).toBeUndefined();
	expect(() => readJson(given('{'), 'field', 'Content', 0)).toThrow(
		/^"Content" is not valid JSON\. Check its quotes, commas and brackets/,
	);
});

test('a whole number may come as a text, and is not too small', () => {
	const about = { label: 'Max Concurrency', fallback: 10, least: 2 };
	const read = (options: Record<string, unknown>) => readWholeNumber(options, 'most', about);
	expect([read({}), read({ most: '3' }), read({ most: 2 })]).toEqual([10, 3, 2]);
	for (const most of [1, 2.5, 'many', Number.NaN])
		expect(() => read({ most })).toThrow(
			/^"Max Concurrency" must be a whole number of 2 or more\.$/,
		);
});

test('a limit is the one of the field, 50 without one, and none where all are asked for', () => {
	expect(readLimit(none, 0)).toBe(50);
	expect(readLimit(contextWith({ limit: 1 }), 0)).toBe(1);
	expect(readLimit(contextWith({ limit: 7, returnAll: true }), 0)).toBe(Number.POSITIVE_INFINITY);
	expect(readLimit(contextWith({ limit: 7, returnAll: 'true' }), 0)).toBe(7);
	for (const limit of [0, -1, 1.5, '7', null])
		expect(() => readLimit(contextWith({ limit }), 0)).toThrow(
			/^"Limit" must be a whole number of 1 or more\.$/,
		);
});
