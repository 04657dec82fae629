import type {
	ApprovalQuestion,
	FormQuestion,
} from '../../nodes/BusinessMessaging/resources/message/sendAndWait/question.ts';
import { hashOfLink } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/links.ts';
import { receive, type ReplyRequest, URL_SIGNATURE } from './harness/replies.mts';

const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0';
let asked = 0;

const approval = (changes: Partial<ApprovalQuestion> = {}): ApprovalQuestion => ({
	kind: 'approval',
	id: `approval-${++asked}`,
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
	message: 'Tell us',
	answeredText: 'Thank you',
	title: 'Order',
	buttonLabel: 'Send',
	fields,
	...changes,
});

/** As the node keeps the links that it sent. */
const withLinks = (question: ApprovalQuestion | FormQuestion) => ({
	...question,
	links: (question.kind === 'approval' ? ['true', 'false'] : [undefined]).map((approved) =>
		hashOfLink(question.id, approved === undefined ? {} : { approved }, URL_SIGNATURE),
	),
});

const visit = async (question: ApprovalQuestion | FormQuestion, request: ReplyRequest = {}) =>
	await receive(withLinks(question), 'http://127.0.0.1:9', {
		...request,
		headers: { 'user-agent': PERSON, ...request.headers },
	});
const enter = async (question: FormQuestion, data: object) =>
	await visit(question, { method: 'POST', body: { data } });

describe('a link to approve', () => {
	it('shows the question and the button when it is opened, as text and not as markup, and gives no reply', async () => {
		const { item, status, body, headers } = await visit(approval(), {
			query: { approved: 'true' },
		});
		expect(item).toBeUndefined();
		expect(status).toBe(200);
		expect(body).toContain(
			'<p>Ship &lt;it&gt;?</p><form method="post"><button type="submit">Ship &quot;now&quot;</button></form>',
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
	])('replies when its button is pressed: approved=%s', async (approved, value) => {
		const { item, body, headers } = await visit(approval(), {
			method: 'POST',
			query: { approved },
		});
		expect(item).toEqual({
			data: {
				approved: value,
				outcome: 'answered',
				respondedAt: expect.stringMatching(/^\d{4}-.*Z$/),
			},
		});
		expect(body).toContain('<p role="status">Thank you &amp; goodbye</p>');
		expect(headers['content-type']).toBe('text/html; charset=utf-8');
	});

	it('shows the label of the reply that it stands for', async () => {
		expect((await visit(approval(), { query: { approved: 'false' } })).body).toContain(
			'>Keep</button>',
		);
	});

	it.each([undefined, '', 'yes'])(
		'that says neither yes nor no was not sent with the question: %j',
		async (approved) => {
			const query: Record<string, string> = approved === undefined ? {} : { approved };
			const { item, status, body } = await visit(approval(), { method: 'POST', query });
			expect([item, status]).toEqual([undefined, 401]);
			expect(body).toContain('This link is not valid.');
		},
	);

	it('to say no is none where no such reply was offered', async () => {
		const { disapproveLabel: _label, ...yesOnly } = approval();
		expect(await visit(yesOnly, { method: 'POST', query: { approved: 'false' } })).toMatchObject({
			item: undefined,
			status: 404,
		});
		expect(
			(await visit(yesOnly, { method: 'POST', query: { approved: 'true' } })).item,
		).toBeDefined();
	});

	it('replies once: a second press thanks again, and starts nothing', async () => {
		const question = approval();
		expect(
			(await visit(question, { method: 'POST', query: { approved: 'true' } })).item,
		).toBeDefined();
		const second = await visit(question, { method: 'POST', query: { approved: 'false' } });
		expect(second).toMatchObject({
			item: undefined,
			status: 200,
			body: expect.stringContaining('Thank you &amp; goodbye'),
		});
	});

	it('of an earlier question gives no reply', async () => {
		const { item, status, body } = await visit(approval(), {
			method: 'POST',
			query: { approved: 'true', question: 'another' },
		});
		expect([item, status]).toEqual([undefined, 200]);
		expect(body).toContain('This question is closed. There is nothing to do.');
	});

	it('shows a program that opens links nothing, and takes no reply from it', async () => {
		const { item, body } = await visit(approval(), {
			method: 'POST',
			query: { approved: 'true' },
			headers: { 'user-agent': 'ChatPreview/2.0' },
		});
		expect(item).toBeUndefined();
		expect(body).not.toContain('Ship');
	});
});

describe('the one link of an approval, as version 1.1 sends it', () => {
	/** What its page sends, and how n8n gives it. */
	const press = (approved: unknown): ReplyRequest => ({
		method: 'POST',
		body: { data: { approved } },
	});
	const visitPage = async (question: ApprovalQuestion, request: ReplyRequest = {}) =>
		await receive(
			{ ...question, links: [hashOfLink(question.id, {}, URL_SIGNATURE)] },
			'http://127.0.0.1:9',
			{ ...request, headers: { 'user-agent': PERSON, ...request.headers } },
		);

	it('shows a button for each reply when it is opened, as text and not as markup, and gives none', async () => {
		const { item, status, body, headers } = await visitPage(approval(), {
			body: { data: { approved: 'true' } },
		});
		expect([item, status]).toEqual([undefined, 200]);
		expect(body).toContain(
			'<p>Ship &lt;it&gt;?</p><form method="post" enctype="multipart/form-data">' +
				'<button type="submit" name="approved" value="true">Ship &quot;now&quot;</button>' +
				'<button type="submit" name="approved" value="false">Keep</button></form>',
		);
		expect(headers['content-security-policy']).toContain("default-src 'none'");
	});

	it.each([
		['true', true],
		['false', false],
	])('replies when a button is pressed: %s', async (pressed, approved) => {
		const { item, body } = await visitPage(approval(), press(pressed));
		expect(item).toMatchObject({ data: { approved, outcome: 'answered' } });
		expect(body).toContain('Thank you &amp; goodbye');
	});

	it.each([undefined, '', 'yes', 'TRUE', true, ['true', 'false'], { true: 'true' }])(
		'takes nothing that is no choice, and shows the page again: %j',
		async (pressed) => {
			const { item, status, body } = await visitPage(approval(), press(pressed));
			expect([item, status]).toEqual([undefined, 422]);
			expect(body).toContain('>Keep</button>');
		},
	);

	it('takes a request without a body, as n8n passes it on, for no choice', async () => {
		const { item, status } = await visitPage(approval(), { method: 'POST', body: null });
		expect([item, status]).toEqual([undefined, 422]);
	});

	it('offers no, and takes it, only where that was offered', async () => {
		const { disapproveLabel: _label, ...yesOnly } = approval();
		expect((await visitPage(yesOnly)).body).not.toContain('value="false"');
		expect(await visitPage(yesOnly, press('false'))).toMatchObject({
			item: undefined,
			status: 422,
		});
		expect((await visitPage(yesOnly, press('true'))).item).toBeDefined();
	});

	it.each(['true', 'false', ''])(
		'with a reply added to its address is another link: %j',
		async (approved) => {
			const { item, status } = await visitPage(approval(), {
				...press('true'),
				query: { approved },
			});
			expect([item, status]).toEqual([undefined, 401]);
		},
	);

	it('replies once, and a program neither sees nor answers it', async () => {
		const question = approval();
		const preview = { headers: { 'user-agent': 'ChatPreview/2.0' } };
		const seen = await visitPage(question, { ...press('true'), ...preview });
		expect(seen.item).toBeUndefined();
		expect(seen.body).not.toContain('Ship');
		expect((await visitPage(question, press('false'))).item).toBeDefined();
		expect(await visitPage(question, press('true'))).toMatchObject({
			item: undefined,
			status: 200,
		});
	});
});

describe('a form', () => {
	it('shows each kind of field with its label, and what is required', async () => {
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
			'<label for="field-0">Name *</label><input type="text" name="field-0" id="field-0" placeholder="e.g. &quot;Ana&quot;" required value="">',
			'<label for="field-1">Notes</label><textarea name="field-1" id="field-1" rows="5"></textarea>',
			'<input type="number" step="any" name="field-2" id="field-2" value="">',
			'<select name="field-3" id="field-3"><option value=""></option><option value="S">S</option><option value="L &amp; XL">L &amp; XL</option></select>',
			'<select name="field-4" id="field-4" multiple><option value="S">S</option>',
			'<fieldset><legend>Way *</legend><label><input type="radio" name="field-5" value="Post" required> Post</label>',
			'<fieldset><legend>Extras *</legend><label><input type="checkbox" name="field-6" value="A"> A</label>',
			'<button type="submit">Send</button></form>',
		])
			expect(body).toContain(markup);
	});

	it('without a title has none', async () => {
		const { body } = await visit(form([field()], { title: '' }));
		expect(body).not.toContain('<h1>');
		expect(body).toContain('<title>Your answer</title>');
	});

	it('goes on with what was entered, by the labels; what the node says of the reply cannot be entered', async () => {
		const fields = [
			field(),
			field({ label: 'Age', type: 'number' }),
			field({ label: 'Sizes', type: 'checkbox', options: ['S', 'L'], multiple: true }),
			field({ label: 'outcome' }),
		];
		const { item, body } = await enter(form(fields), {
			'field-0': 'Ana',
			'field-1': '41.5',
			'field-2': ['S', 'L'],
			'field-3': 'mine',
		});
		expect(item).toEqual({
			data: {
				Name: 'Ana',
				Age: 41.5,
				Sizes: ['S', 'L'],
				outcome: 'answered',
				respondedAt: expect.any(String),
			},
		});
		expect(body).toContain('Thank you');
	});

	it('may leave out what is not required', async () => {
		const { item } = await enter(
			form([field(), field({ label: 'Sizes', type: 'checkbox', options: ['S'], multiple: true })]),
			{ 'field-0': '  ' },
		);
		expect(item).toMatchObject({ data: { Name: null, Sizes: [] } });
	});

	it('takes fields that n8n did not gather, too', async () => {
		const { item } = await visit(form([field()]), { method: 'POST', body: { 'field-0': 'Ana' } });
		expect(item).toMatchObject({ data: { Name: 'Ana' } });
	});

	it('that is sent without a body lacks what is required', async () => {
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
		['several replies where one is asked for', {}, ['a', 'b'], 'Please give one answer only.'],
		[
			'what is not on the list',
			{ type: 'radio', options: ['S'] },
			'XXL',
			'Please choose from the list.',
		],
		['no number', { type: 'number' }, 'many', 'Please enter a number.'],
		['no address', { type: 'email' }, 'ana at example', 'Please enter an e-mail address.'],
		['half an address', { type: 'email' }, 'ana@', 'Please enter an e-mail address.'],
		['no date', { type: 'date' }, '15.7.2026', 'Please enter a date as YYYY-MM-DD.'],
	])(
		'with %s is shown again with what to mend, keeps what was entered, and does not go on',
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

	it('that is shown again has the choices that were made', async () => {
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
