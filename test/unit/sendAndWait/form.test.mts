import { readFormFields } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/kinds/formElements.ts';
import {
	choicePage,
	formPage,
} from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/byLink/pages.ts';
import { readSubmission } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/byLink/submission.ts';

const options = (...values: string[]) => ({ values: values.map((option) => ({ option })) });

const fields = readFormFields([
	{ fieldLabel: 'Name', requiredField: true },
	{ fieldLabel: 'Age', fieldType: 'number' },
	{ fieldLabel: 'E-mail', fieldType: 'email' },
	{ fieldLabel: 'Day', fieldType: 'date' },
	{ fieldLabel: 'Size', fieldType: 'radio', fieldOptions: options('S', 'L') },
	{ fieldLabel: 'Extras', fieldType: 'checkbox', fieldOptions: options('Coffee', 'Cake') },
	{
		fieldLabel: 'Rooms',
		fieldType: 'dropdown',
		multiselect: true,
		fieldOptions: options('1', '2'),
	},
]);

test('names replies by their labels, in the types of their fields', () => {
	const body = {
		'field-0': 'Ana',
		'field-1': '41',
		'field-2': 'ana@example.com',
		'field-3': '2026-07-15',
		'field-4': 'L',
		'field-5': 'Cake',
		'field-6': ['1', '2'],
	};
	expect(readSubmission(fields, body)).toEqual({
		values: {
			Name: 'Ana',
			Age: 41,
			'E-mail': 'ana@example.com',
			Day: '2026-07-15',
			Size: 'L',
			Extras: ['Cake'],
			Rooms: ['1', '2'],
		},
	});
	expect(readSubmission(fields, { 'field-0': 'Ana' })).toEqual({
		values: {
			Name: 'Ana',
			Age: null,
			'E-mail': null,
			Day: null,
			Size: null,
			Extras: [],
			Rooms: [],
		},
	});
});

test("loses no label's value, and lets no label change the object", () => {
	const labels = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
	const submission = readSubmission(
		labels.map((label) => ({
			label,
			type: 'text',
			placeholder: '',
			options: [],
			multiple: false,
			required: false,
		})),
		Object.fromEntries(labels.map((label, index) => [`field-${index}`, `the ${label}`])),
	);
	const values = 'values' in submission ? submission.values : {};
	expect(Object.entries(values)).toEqual(labels.map((label) => [label, `the ${label}`]));
	expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
});

test('reports what is missing or wrong for each field', () => {
	const body = {
		'field-0': ' ',
		'field-1': 'x',
		'field-2': 'ana',
		'field-3': '15.7.',
		'field-4': 'M',
		'field-5': ['Cake', 'Tea'],
		'field-6': { not: 'a text' },
	};
	const submission = readSubmission(fields, body);
	expect('problems' in submission && [...submission.problems.keys()]).toEqual([0, 1, 2, 3, 4, 5]);
	expect(readSubmission(fields, undefined)).toEqual({
		problems: new Map([[0, 'Please fill in this field.']]),
		entered: fields.map(() => []),
	});
	expect(readSubmission(fields, { 'field-0': ['Ana', 'Ben'] })).toMatchObject({
		problems: new Map([[0, 'Please give one answer only.']]),
	});
});

test.each([
	['[', 'is not valid JSON'],
	['[]', 'is empty'],
	[[{ fieldType: 'text' }], 'element 1, fieldLabel'],
	[[{ fieldLabel: 'Photo', fieldType: 'file' }], 'The types are text, textarea'],
	[[{ fieldLabel: 'Day', fieldType: 'dropdown' }], '"Day", has no options'],
	[[{ fieldLabel: 'Day' }, { fieldLabel: 'Day' }], 'has the label "Day" twice'],
	[[{ fieldLabel: 'Day' }, { fieldLabel: ' __proto__ ' }], 'has the label "__proto__"'],
])('refuses the definition %j', (defined, says) => {
	expect(() => readFormFields(defined)).toThrow(says);
});

test('shows nothing that people write as markup', () => {
	const evil = '"><script>alert(1)</script>';
	const [field] = readFormFields([
		{ fieldLabel: evil, placeholder: evil, fieldType: 'dropdown', fieldOptions: options(evil) },
	]);
	const pages = [
		choicePage(evil, [{ value: evil, label: evil }]),
		formPage({
			title: evil,
			message: evil,
			buttonLabel: evil,
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
