/** Forms and pages, case by case. */
import type { IWebhookFunctions } from 'n8n-workflow';

import { readFormFields } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/kinds/formElements.ts';
import {
	choicePage,
	escapeHtml,
	formPage,
	noticePage,
	showPage,
} from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/byLink/pages.ts';
import { readSubmission } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/byLink/submission.ts';
import { PageResponse } from './fakes.mts';

const options = { values: [{ option: 'S' }, { option: 'L' }] };

it.each([
	['text', true, false],
	['textarea', true, false],
	['radio', true, false],
	['dropdown', false, false],
	['dropdown', true, true],
	['checkbox', false, true],
])('a field of the type %s, with multiselect %s, takes several: %s', (type, multiselect, takes) => {
	const defined = { fieldLabel: ' Size ', fieldType: type, multiselect, fieldOptions: options };
	expect(readFormFields([defined])).toEqual([
		{
			label: 'Size',
			type,
			placeholder: '',
			options: type.startsWith('text') ? [] : ['S', 'L'],
			multiple: takes,
			required: false,
		},
	]);
});

it.each<[unknown[], string]>([
	[[7], 'cannot be used: element 1 is missing'],
	[[{ fieldLabel: 'A' }, null], 'cannot be used: element 2 is missing'],
	[
		[{ fieldLabel: 'A', fieldType: 'radio', fieldOptions: { values: [{ option: ' ' }] } }],
		'cannot be used: element 1, fieldOptions.values.0.option is missing',
	],
	[[{ fieldLabel: 'A', fieldType: 'radio' }], 'element 1, "A", has no options to choose from.'],
])('names the element that cannot be used: %j', (defined, sentence) => {
	expect(() => readFormFields(defined)).toThrow(sentence);
});

const EMAIL = 'Please enter an e-mail address.';
const DATE = 'Please enter a date as YYYY-MM-DD.';

it.each([
	['email', ' ana@example.com ', undefined],
	['email', 'ana@example.com, please', EMAIL],
	['email', 'mine is ana@example.com', EMAIL],
	['email', 'ana@ben@example.com', EMAIL],
	['date', ' 2026-07-15 ', undefined],
	['date', '2026-07-15 10:00', DATE],
	['date', 'on 2026-07-15', DATE],
])('a field of the type %s with %j: %s', (fieldType, given, problem) => {
	const fields = readFormFields([{ fieldLabel: 'A', fieldType }]);
	expect(readSubmission(fields, { 'field-0': given })).toEqual(
		problem === undefined
			? { values: { A: given } }
			: { problems: new Map([[0, problem]]), entered: [[given]] },
	);
});

const page = () =>
	formPage({
		title: '',
		message: 'Tell us',
		buttonLabel: 'Send',
		fields: readFormFields([{ fieldLabel: 'Name' }]),
	});

it.each<[string, string, () => string]>([
	['a notice', 'Answer', () => noticePage('Thanks')],
	['a choice', 'Your answer', () => choicePage('Ship it?', [])],
	['a form without one', 'Your answer', () => page()],
])('the page of %s has the title "%s"', (_what, title, html) => {
	expect(html()).toContain(`<title>${title}</title>`);
});

it('a page with one field holds nothing else', () => {
	expect(page()).toContain(
		'<main><p>Tell us</p><form method="post" enctype="multipart/form-data">' +
			'<label for="field-0">Name</label><input type="text" name="field-0" id="field-0" maxlength="10000" value="">' +
			'<button type="submit">Send</button></form></main>',
	);
});

it.each([{ a: 1 }, 7, null, [{ a: 1 }]])('ignores an entry that is no text: %j', (entered) => {
	const fields = readFormFields([{ fieldLabel: 'Name', requiredField: true }]);
	expect(readSubmission(fields, { 'field-0': entered })).toEqual({
		problems: new Map([[0, 'Please fill in this field.']]),
		entered: [[]],
	});
});

it('escapes every character that could be markup', () => {
	expect(escapeHtml(`<a href="b">it's & that</a>`)).toBe(
		'&lt;a href=&quot;b&quot;&gt;it&#39;s &amp; that&lt;/a&gt;',
	);
});

it('shows a page unless the request already has a response', () => {
	const response = new PageResponse();
	const context = { getResponseObject: () => response } as unknown as IWebhookFunctions;
	showPage(context, 401, 'first');
	showPage(context, 200, 'second');
	expect([response.statusCode, response.body]).toEqual([401, 'first']);
});
