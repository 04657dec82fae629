import type { IWebhookFunctions } from 'n8n-workflow';

import { readFormFields } from '#nodes/resources/message/sendAndWait/kinds/formElements.ts';
import {
	choicePage,
	escapeHtml,
	formPage,
	showPage,
} from '#nodes/resources/message/sendAndWait/kinds/pages.ts';
import { readSubmission } from '#nodes/resources/message/sendAndWait/kinds/formElements.ts';
import { FakeResponse } from '../../support/fakeResponse.mts';

const options = (...values: string[]) => ({ values: values.map((option) => ({ option })) });
const choosing = (fieldType: string, ...values: string[]) => ({
	...{ fieldType, fieldOptions: options(...values) },
});

const fields = readFormFields([
	{ fieldLabel: 'Name', requiredField: true },
	{ fieldLabel: 'Age', fieldType: 'number' },
	{ fieldLabel: 'E-mail', fieldType: 'email' },
	{ fieldLabel: 'Day', fieldType: 'date' },
	{ fieldLabel: 'Size', ...choosing('radio', 'S', 'L') },
	{ fieldLabel: 'Extras', ...choosing('checkbox', 'Coffee', 'Cake') },
	{ fieldLabel: 'Rooms', multiselect: true, ...choosing('dropdown', '1', '2') },
]);
const FILL_IN = 'Please fill in this field.';

/** What was entered into the fields, in their order. */
const entered = (...values: unknown[]) =>
	Object.fromEntries(values.map((value, index) => [`field-${index}`, value]));

test.each([
	[
		entered('Ana', '41', 'ana@example.com', '2026-07-15', 'L', 'Cake', ['1', '2']),
		['Ana', 41, 'ana@example.com', '2026-07-15', 'L', ['Cake'], ['1', '2']],
	],
	[entered('Ana', '9007199254740991'), ['Ana', 9007199254740991, null, null, null, [], []]],
	[entered('Ana'), ['Ana', null, null, null, null, [], []]],
	// As a browser sends what was left out.
	[entered('Ana', '', '', '', ''), ['Ana', null, null, null, null, [], []]],
])('names replies by their labels, in the types of their fields: %j', (body, values) => {
	const named = fields.map(({ label }, index) => [label, values[index]]);
	expect(readSubmission(fields, body)).toEqual({ values: Object.fromEntries(named) });
});

test("loses no label's value, and lets no label change the object", () => {
	const labels = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
	const submission = readSubmission(
		labels.map((label) => ({ ...fields[0]!, label })),
		entered(...labels.map((label) => `the ${label}`)),
	);
	const values = 'values' in submission ? submission.values : {};
	expect(Object.entries(values)).toEqual(labels.map((label) => [label, `the ${label}`]));
	expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
});

test('reports what is missing or wrong for each field', () => {
	const body = entered(' ', 'x', 'ana', '15.7.', 'M', ['Cake', 'Tea'], { not: 'a text' });
	const submission = readSubmission(fields, body);
	expect('problems' in submission && [...submission.problems.keys()]).toEqual([0, 1, 2, 3, 4, 5]);
	expect(readSubmission(fields, undefined)).toEqual({
		problems: new Map([[0, FILL_IN]]),
		entered: fields.map(() => []),
	});
	expect(readSubmission(fields, entered(['Ana', 'Ben']))).toMatchObject({
		problems: new Map([[0, 'Please give one answer only.']]),
	});
});

const EMAIL = 'Please enter an e-mail address.';
const DATE = 'Please enter a date as YYYY-MM-DD.';
const NUMBER = 'Please enter a number.';
const DIGITS = 'Please enter a number of at most 15 digits.';

test.each<[string, string, string | undefined]>([
	['number', 'many', NUMBER],
	...['17841400000000101', '-0.12345678901234567', '1234567890123456e3'].map(
		(digits): [string, string, string] => ['number', digits, DIGITS],
	),
	['email', ' ana@example.com ', undefined],
	['email', 'ana@', EMAIL],
	['email', 'ana@example.com, please', EMAIL],
	['email', 'mine is ana@example.com', EMAIL],
	['email', 'ana@ben@example.com', EMAIL],
	['date', ' 2026-07-15 ', undefined],
	['date', '2026-07-15 10:00', DATE],
	['date', 'on 2026-07-15', DATE],
	...['2026-13-45', '2026-02-30', '2026-00-10'].map((day): [string, string, string] => [
		'date',
		day,
		DATE,
	]),
	['date', '2028-02-29', undefined],
])('a field of the type %s with %j: %s', (fieldType, given, problem) => {
	const only = readFormFields([{ fieldLabel: 'A', fieldType }]);
	expect(readSubmission(only, entered(given))).toEqual(
		problem === undefined
			? { values: { A: given } }
			: { problems: new Map([[0, problem]]), entered: [[given]] },
	);
});

test.each<[unknown, string]>([
	['[', 'is not valid JSON'],
	['[]', 'is empty'],
	[[{ fieldType: 'text' }], 'element 1, fieldLabel'],
	[[7], 'cannot be used: element 1 is missing'],
	[[{ fieldLabel: 'A' }, null], 'cannot be used: element 2 is missing'],
	[
		[{ fieldLabel: 'A', ...choosing('radio', ' ') }],
		'cannot be used: element 1, fieldOptions.values.0.option is missing',
	],
	[[{ fieldLabel: 'Photo', fieldType: 'file' }], 'The types are text, textarea'],
	[[{ fieldLabel: 'A', fieldType: 'radio' }], 'element 1, "A", has no options to choose from.'],
	[[{ fieldLabel: 'Day' }, { fieldLabel: 'Day' }], 'has the label "Day" twice'],
	[[{ fieldLabel: 'Day' }, { fieldLabel: ' __proto__ ' }], 'has the label "__proto__"'],
])('refuses the definition %j', (defined, says) => {
	expect(() => readFormFields(defined)).toThrow(says);
});

describe('a page', () => {
	test('shows nothing that people write as markup', () => {
		expect(escapeHtml(`<a href="b">it's & that</a>`)).toBe(
			'&lt;a href=&quot;b&quot;&gt;it&#39;s &amp; that&lt;/a&gt;',
		);
		const evil = '"><script>alert(1)</script>';
		const [field] = readFormFields([
			{ fieldLabel: evil, placeholder: evil, ...choosing('dropdown', evil) },
		]);
		const pages = [
			choicePage(evil, [{ value: evil, label: evil }]),
			formPage({
				...{ title: evil, message: evil, buttonLabel: evil },
				fields: field ? [field, { ...field, type: 'radio' }, { ...field, type: 'text' }] : [],
				problems: new Map([[0, evil]]),
				entered: [[], [], [evil]],
			}),
		];
		for (const page of pages) {
			expect(page).toContain('&lt;script&gt;');
			expect(page).not.toContain('<script>');
		}
	});

	test('is shown unless the request already has a response', () => {
		const response = new FakeResponse();
		const context = { getResponseObject: () => response } as unknown as IWebhookFunctions;
		showPage(context, 401, 'first');
		showPage(context, 200, 'second');
		expect([response.statusCode, response.body]).toEqual([401, 'first']);
	});
});
