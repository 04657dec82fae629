import type { ApprovalQuestion } from '#nodes/resources/message/sendAndWait/kinds/approval.ts';
import type { FormQuestion } from '#nodes/resources/message/sendAndWait/kinds/form.ts';
import { hashOfLink } from '#nodes/resources/message/sendAndWait/links.ts';
import { URL_SIGNATURE } from '../support/constants.mts';
import { receive, type ReplyRequest } from './harness/replies.mts';

let asked = 0;

const approval = (changes: Partial<ApprovalQuestion> = {}): ApprovalQuestion => ({
	kind: 'approval',
	id: `approval-${++asked}`,
	links: [],
	message: 'Ship <it>?',
	answeredText: 'Thank you & goodbye',
	approveLabel: 'Ship "now"',
	disapproveLabel: 'Keep',
	...changes,
});

const field = (
	changes: Partial<FormQuestion['fields'][number]> = {},
): FormQuestion['fields'][number] => ({
	label: 'Name',
	type: 'text',
	placeholder: '',
	options: [],
	multiple: false,
	required: false,
	...changes,
});

const form = (
	fields: FormQuestion['fields'],
	changes: Partial<FormQuestion> = {},
): FormQuestion => ({
	kind: 'customForm',
	id: `form-${++asked}`,
	links: [],
	message: 'Tell us',
	answeredText: 'Thank you',
	title: 'Order',
	buttonLabel: 'Send',
	fields,
	...changes,
});

/** The stored form of the links that it sent. */
const withLinks = (question: ApprovalQuestion | FormQuestion) => ({
	...question,
	links: [hashOfLink(question.id, URL_SIGNATURE)],
});

const visit = async (question: ApprovalQuestion | FormQuestion, request: ReplyRequest = {}) =>
	await receive(withLinks(question), 'http://127.0.0.1:9', request);
const enter = async (question: FormQuestion, data: object) =>
	await visit(question, { method: 'POST', body: { data } });

describe('the link of an approval', () => {
	/** The page's request, as n8n gives it. */
	const press = (approved: unknown): ReplyRequest => ({
		method: 'POST',
		body: { data: { approved } },
	});

	it('shows a button for each decision when opened, as text and not as markup, and decides nothing', async () => {
		const { item, status, body, headers } = await visit(approval(), {
			body: { data: { approved: 'true' } },
		});
		expect([item, status]).toEqual([undefined, 200]);
		expect(body).toContain(
			'<p>Ship &lt;it&gt;?</p><form method="post" enctype="multipart/form-data">' +
				'<button type="submit" name="approved" value="true">Ship &quot;now&quot;</button>' +
				'<button type="submit" name="approved" value="false">Keep</button></form>',
		);
		expect(headers).toMatchObject({
			'content-type': 'text/html; charset=utf-8',
			'cache-control': 'no-store',
			'referrer-policy': 'no-referrer',
			'x-content-type-options': 'nosniff',
			'content-security-policy': expect.stringContaining("default-src 'none'"),
		});
	});

	it.each([
		['true', true],
		['false', false],
	])('takes the decision of a pressed button: %s', async (pressed, approved) => {
		const { item, body, headers } = await visit(approval(), press(pressed));
		expect(item).toEqual({
			data: { approved, outcome: 'answered', respondedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
		});
		expect(body).toContain('<p role="status">Thank you &amp; goodbye</p>');
		expect(headers['content-type']).toBe('text/html; charset=utf-8');
	});

	it.each([
		...[undefined, '', 'yes', 'TRUE', true, ['true', 'false'], { true: 'true' }].map(press),
		// As n8n passes a request without a body on.
		{ method: 'POST', body: null },
	])('refuses any other value, and shows the page again: %j', async (pressed) => {
		const { item, status, body } = await visit(approval(), pressed);
		expect([item, status]).toEqual([undefined, 422]);
		expect(body).toContain('>Keep</button>');
	});

	it('refuses the link of an earlier question', async () => {
		const { item, status, body } = await visit(approval(), {
			...press('true'),
			query: { question: 'another' },
		});
		expect([item, status]).toEqual([undefined, 200]);
		expect(body).toContain('This question is closed. There is nothing to do.');
	});

	it('takes one reply, and thanks for no other', async () => {
		const question = approval();
		expect((await visit(question, press('false'))).item).toBeDefined();
		for (const [pressed, words] of [
			['false', 'Thank you &amp; goodbye'],
			['true', 'This question is closed. There is nothing to do.'],
		]) {
			const { item, status, body } = await visit(question, press(pressed));
			expect([item, status]).toEqual([undefined, 200]);
			expect(body).toContain(words);
		}
	});
});

describe('a free text that expects something', () => {
	const expecting = (type: 'number' | 'tel', expected: FormQuestion['expect']) =>
		form([field({ type, required: true })], { kind: 'freeText', expect: expected });

	it.each<['number' | 'tel', FormQuestion['expect'], string, object | string]>([
		['number', { kind: 'number', most: 8 }, '1.234', { text: '1.234', value: 1.234 }],
		['number', { kind: 'number', most: 8 }, '9', 'Please reply with a number, in digits, up to 8.'],
		['tel', { kind: 'phone' }, '+55 11 98765-4321', { value: '5511987654321' }],
		['tel', { kind: 'phone' }, '98765', 'that begins with + and its country code'],
	])(
		'has a field of its type, %s, and is read again: %j, %s',
		async (type, expected, text, given) => {
			const question = expecting(type, expected);
			expect((await visit(question)).body).toContain(`<input type="${type}"`);
			const { item, body } = await enter(question, { 'field-0': text });
			if (typeof given === 'string') expect(body).toContain(given);
			else expect(item).toMatchObject({ data: { ...given, outcome: 'answered' } });
		},
	);
});

describe('a form', () => {
	it('shows each kind of field with its label, and marks required ones', async () => {
		const { body, item } = await visit(
			form([
				field({ placeholder: 'e.g. "Ana"', required: true }),
				field({ label: 'Notes', type: 'textarea' }),
				field({ label: 'Age', type: 'number' }),
				field({ label: 'Size', type: 'dropdown', options: ['S', 'L & XL'] }),
				field({ label: 'Sizes', type: 'dropdown', options: ['S', 'L'], multiple: true }),
				field({ label: 'Way', type: 'radio', options: ['Post', 'Bike'], required: true }),
				field({
					label: 'Extras',
					type: 'checkbox',
					options: ['A', 'B'],
					multiple: true,
					required: true,
				}),
			]),
		);
		expect(item).toBeUndefined();
		for (const markup of [
			'<h1>Order</h1><p>Tell us</p><form method="post" enctype="multipart/form-data">',
			'<label for="field-0">Name *</label><input type="text" name="field-0" id="field-0" placeholder="e.g. &quot;Ana&quot;" maxlength="10000" required value="">',
			'<label for="field-1">Notes</label><textarea name="field-1" id="field-1" maxlength="10000" rows="5"></textarea>',
			'<input type="number" step="any" name="field-2" id="field-2" value="">',
			'<select name="field-3" id="field-3"><option value=""></option><option value="S">S</option><option value="L &amp; XL">L &amp; XL</option></select>',
			'<select name="field-4" id="field-4" multiple><option value="S">S</option>',
			'<fieldset><legend>Way *</legend><label><input type="radio" name="field-5" value="Post" required> Post</label>',
			'<fieldset><legend>Extras *</legend><label><input type="checkbox" name="field-6" value="A"> A</label>',
			'<button type="submit">Send</button></form>',
		])
			expect(body).toContain(markup);
	});

	it('goes on with the input; no field can overwrite what the node adds', async () => {
		const fields = [field(), field({ label: 'outcome' })];
		const { item, body } = await enter(form(fields), { 'field-0': 'Ana', 'field-1': 'mine' });
		expect(item).toEqual({
			data: { Name: 'Ana', outcome: 'answered', respondedAt: expect.any(String) },
		});
		expect(body).toContain('Thank you');
	});

	it('takes fields that n8n did not gather, too', async () => {
		const { item } = await visit(form([field()]), { method: 'POST', body: { 'field-0': 'Ana' } });
		expect(item).toMatchObject({ data: { Name: 'Ana' } });
	});

	it('sent without a body lacks its required fields', async () => {
		const sent = { method: 'POST', body: null };
		expect(await visit(form([field({ required: true })]), sent)).toMatchObject({
			item: undefined,
			status: 422,
		});
	});

	it('of one free text gives it as text', async () => {
		const { item } = await enter(form([field({ label: 'Answer' })], { kind: 'freeText' }), {
			'field-0': 'Blue',
		});
		expect(item).toEqual({
			data: { text: 'Blue', outcome: 'answered', respondedAt: expect.any(String) },
		});
	});

	it.each<[string, Parameters<typeof field>[0], unknown, string]>([
		['nothing where something is required', { required: true }, '', 'Please fill in this field.'],
		['no number', { type: 'number' }, 'many', 'Please enter a number.'],
	])(
		'with %s is shown again with what to correct, keeps the input, and does not go on',
		async (_what, changes, entered, problem) => {
			const { item, status, body } = await enter(
				form([field(changes), field({ label: 'Notes', type: 'textarea' })]),
				{ 'field-0': entered, 'field-1': 'left at <the> door' },
			);
			expect([item, status]).toEqual([undefined, 422]);
			expect(body).toContain(`<p class="problem" id="field-0-problem" role="alert">${problem}</p>`);
			expect(body).toContain('>left at &lt;the&gt; door</textarea>');
			expect(body).not.toContain('field-1-problem');
		},
	);

	it.each(['text', 'textarea', 'email', 'number', 'date'] as const)(
		'says that 1 MB in a %s field is too much, and does not show it again',
		async (type) => {
			const { item, status, body } = await enter(form([field({ type })]), {
				'field-0': '<'.repeat(1_000_000),
			});
			expect([item, status]).toEqual([undefined, 422]);
			expect(body).toContain('>Please enter at most 10,000 characters.</p>');
			expect(body).not.toContain('&lt;');
			expect(String(body).length).toBeLessThan(5000);
		},
	);

	it('takes 10,000 characters, whatever line endings the browser sends', async () => {
		const text = `${'\r\n'.repeat(100)}${'x'.repeat(9_900)}`;
		const { item } = await enter(form([field({ type: 'textarea' })]), { 'field-0': text });
		expect(item).toMatchObject({ data: { Name: text } });
		const { status } = await enter(form([field({ type: 'textarea' })]), { 'field-0': `${text}x` });
		expect(status).toBe(422);
	});

	it('takes 50,000 characters in all fields together, and does not show more again', async () => {
		const fields = Array.from({ length: 50 }, (_, index) => field({ label: `Field ${index}` }));
		const entered = Object.fromEntries(
			fields.map((_, index) => [`field-${index}`, '"'.repeat(10_000)]),
		);
		const { item, status, body } = await enter(form(fields), entered);
		expect([item, status]).toEqual([undefined, 422]);
		expect(body).toContain(
			'id="field-5-problem" role="alert">Please shorten your answers: the form takes 50,000 characters in all.</p>',
		);
		expect(body).not.toContain('field-4-problem');
		expect(String(body).length).toBeLessThan(6 * 50_000 + 50 * 500);
	});

	it.each([
		['a single answer', field(), 'Please give one answer only.'],
		[
			'choices',
			field({ type: 'checkbox', options: ['S', 'L'], multiple: true }),
			'Please choose from the list.',
		],
	])('takes no more values than a field can have: %s', async (_what, one, problem) => {
		const { status, body } = await enter(form([one]), { 'field-0': Array(100_000).fill('S') });
		expect(status).toBe(422);
		expect(body).toContain(problem);
		expect(String(body).length).toBeLessThan(5000);
	});

	it('shows the chosen values again', async () => {
		const fields = [
			field({ required: true }),
			field({ label: 'Size', type: 'dropdown', options: ['S', 'L'] }),
			field({ label: 'Way', type: 'radio', options: ['Post', 'Bike'] }),
		];
		const { body } = await enter(form(fields), { 'field-1': 'L', 'field-2': 'Bike' });
		expect(body).toContain('<option value="S">S</option><option value="L" selected>L</option>');
		expect(body).toContain(
			'value="Post"> Post</label><label><input type="radio" name="field-2" value="Bike" checked> Bike</label>',
		);
		expect(body).toContain('aria-invalid="true" aria-describedby="field-0-problem"');
	});
});
