/** Templates from submission to deletion: the service's rules and limits, and the reviewers. */
import type { TemplateView } from '#sandbox/http/control/templates.mts';
import { testSandbox } from './deliveryHarness.mts';
import { until } from './helpers.mts';

const DAY = 86_400;

const sandbox = testSandbox();
let root: string;
beforeEach(async () => {
	const { body } = await sandbox.call<Array<{ businessId: string }>>('/chatapp/businesses');
	root = `/chatapp/businesses/${body[0]!.businessId}`;
});

interface Answer {
	id: string;
	status: string;
	error: { errors: Array<{ description: string; subCode?: string }> };
}

const BODY = { type: 'BODY', text: 'Hello {{1}}, welcome.', example: { body_text: [['Ana']] } };
const ORDER = { name: 'order', language: 'en_US', category: 'UTILITY', components: [BODY] };
const create = async (more: object = {}) =>
	await sandbox.call<Answer>(`${root}/templates`, { body: { ...ORDER, ...more } });
const update = async (id: string, more: object = {}) =>
	await sandbox.call<Answer>(`${root}/templates/${id}`, {
		...{ method: 'PUT', body: { ...ORDER, ...more } },
	});
const remove = async (id: string, name?: string) =>
	await sandbox.call<Answer>(
		`${root}/templates/${id}${name === undefined ? '' : `?name=${name}`}`,
		{ method: 'DELETE' },
	);
/** @returns the ID of a template that was decided on */
const made = async (status: string, more: object = {}) => {
	const { id } = (await create(more)).body;
	await decide(id, { status });
	return id;
};
const listed = async () =>
	(await sandbox.call<{ data: Array<Record<string, unknown>> }>(`${root}/templates?limit=100`)).body
		.data;
const decide = async (id: string, body: object) =>
	await sandbox.control(`/message-templates/${id}`, { method: 'PATCH', body });
const review = async (templateReview: object) =>
	await sandbox.control<{ templateReview: object }>('/settings', {
		...{ method: 'PATCH', body: { templateReview } },
	});
const template = async (name = 'order') =>
	(await sandbox.control<{ templates: TemplateView[] }>('/message-templates')).templates.find(
		(known) => known.name === name,
	);
const upload = async (file: Blob | null, name = 'a.png') => {
	const form = new FormData();
	form.set('type', file?.type ?? 'image/png');
	if (file) form.set('file', file, name);
	const response = await fetch(`${sandbox.url}${root}/templates/media`, {
		...{ method: 'POST', body: form, headers: { authorization: `Bearer ${sandbox.secretKey}` } },
	});
	return { status: response.status, body: (await response.json()) as { h: string } };
};
const PNG = new Blob([new Uint8Array([1, 2, 3])], { type: 'image/png' });
const picture = (handle: string) => ({
	...{ type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } },
});

test('a form of many parts is not read', async () => {
	const statusOf = async (more: number) => {
		const form = new FormData();
		form.set('type', 'image/png');
		form.set('file', PNG, 'a.png');
		for (let part = 0; part < more; part++) form.append('more', '');
		const headers = { authorization: `Bearer ${sandbox.secretKey}` };
		const sent = { method: 'POST', body: form, headers };
		return (await fetch(`${sandbox.url}${root}/templates/media`, sent)).status;
	};
	expect([await statusOf(3), await statusOf(500)]).toEqual([200, 400]);
});

/** Each ends with a refused call. */
const LIMITS: Record<string, [RegExp, () => Promise<unknown>]> = {
	'100 creations in an hour': [
		/at most 100 templates an hour/,
		async () => {
			for (let number = 0; number < 100; number += 1) await create({ name: `t${number}` });
			const refused = await create();
			await sandbox.advance(3601);
			expect(await create()).toMatchObject({ status: 200 });
			return refused;
		},
	],
	'a change of an approved template in 24 hours': [
		/once in 24 hours/,
		async () => {
			const id = await made('APPROVED');
			expect((await update(id)).status).toBe(200);
			await decide(id, { status: 'APPROVED' });
			const refused = await update(id);
			await sandbox.advance(DAY + 1);
			expect((await update(id)).status).toBe(200);
			return refused;
		},
	],
	'ten changes of an approved template in 30 days': [
		/ten times in 30 days/,
		async () => {
			const { id } = (await create()).body;
			for (let count = 0; count < 10; count += 1) {
				await decide(id, { status: 'APPROVED' });
				expect((await update(id)).status).toBe(200);
				await sandbox.advance(DAY + 1);
			}
			await decide(id, { status: 'APPROVED' });
			const refused = await update(id);
			await sandbox.advance(21 * DAY);
			expect((await update(id)).status).toBe(200);
			return refused;
		},
	],
	'a name that is taken for 30 days': [
		/still taken/,
		async () => {
			const { id } = (await create()).body;
			const other = (await create({ language: 'pt_BR' })).body.id;
			await decide(id, { status: 'APPROVED' });
			for (const gone of [id, other]) expect((await remove(gone)).body).toEqual({ success: true });
			// That one was not approved.
			expect((await create({ language: 'pt_BR' })).status).toBe(200);
			await sandbox.advance(30 * DAY - 60);
			const refused = await create();
			await sandbox.advance(60);
			expect((await create()).status).toBe(200);
			return refused;
		},
	],
	'one template of a name and language': [
		/there is a template order in en_US already/,
		async () => {
			await create();
			expect((await create({ language: 'pt_BR' })).status).toBe(200);
			return await create();
		},
	],
	'the name of a template to delete': [
		/has another name/,
		async () => await remove((await create()).body.id, 'other'),
	],
	'a template in review': [
		/is in review/,
		async () => {
			for (const status of ['REJECTED', 'PAUSED']) {
				const more = { name: status.toLowerCase() };
				expect((await update(await made(status, more), more)).status).toBe(200);
			}
			return await update((await create()).body.id);
		},
	],
	'the name of a template to change': [
		/name and language/,
		async () => await update(await made('REJECTED'), { name: 'other' }),
	],
	'the category of an approved template': [
		/the category/,
		async () => await update(await made('APPROVED'), { category: 'MARKETING' }),
	],
	'a template of the library': [
		/the library has no template lost in en_US/,
		async () => await create({ library_template_name: 'lost' }),
	],
	'an uploaded file': [
		/upload a file/,
		async () => {
			const { body } = await upload(PNG);
			const { status } = await create({ name: 'known', components: [picture(body.h), BODY] });
			expect(status).toBe(200);
			return await create({ components: [picture('4:made-up'), BODY] });
		},
	],
	"the type of a header's file, by its bytes": [
		/IMAGE takes image\/jpeg, image\/png, not application\/pdf/,
		async () => {
			const { body } = await upload(new Blob(['%PDF-1.7'], { type: 'image/png' }));
			return await create({ components: [picture(body.h), BODY] });
		},
	],
};
test.each(Object.entries(LIMITS))('%s: what is against it is refused (D)', async (_name, limit) => {
	const [description, reach] = limit;
	expect(await reach()).toMatchObject({
		status: 422,
		body: {
			error: {
				errors: [
					{
						...{ code: '100', name: 'InvalidParameter' },
						description: expect.stringMatching(description),
					},
				],
			},
		},
	});
});

const only = (type: string, more: object = {}, count = 1) => [
	BODY,
	{ type: 'BUTTONS', buttons: Array.from({ length: count }, () => ({ type, text: 'x', ...more })) },
];
const buttons = (...types: string[]) => [
	BODY,
	{
		type: 'BUTTONS',
		buttons: types.map((type) => ({ type, text: type, url: 'https://a.example' })),
	},
];
const card = (text: string, ...types: string[]) => ({
	components: [{ type: 'BODY', text }, ...buttons(...types).slice(1)],
});
const cards = (...given: object[]) => [BODY, { type: 'CAROUSEL', cards: given }];
const twice = <T,>(value: T): [T, T] => [value, value];
const REPLIES = ['QUICK_REPLY', 'QUICK_REPLY', 'QUICK_REPLY'];
const call = { phone_number: '+5500000000001' };
const OWN_LINK = 'https://files.chatapp.example/4%3Aa';
const long = (type: string) => [BODY, { type, format: 'TEXT', text: 'x'.repeat(61) }];
const withFile = (handle: string) => [picture(handle), BODY];

/** What is submitted, and what is answered. */
const RULES: Array<[string, object, 200 | 400 | 422, RegExp]> = [
	['a variable in front', { components: [{ ...BODY, text: '{{1}} is here' }] }, 200, /PENDING/],
	['variables side by side', { components: [{ ...BODY, text: 'a {{1}}{{2}}' }] }, 422, /between/],
	['a long button', { components: only('QUICK_REPLY', { text: 'x'.repeat(26) }) }, 400, /25/],
	['a long header', { components: long('HEADER') }, 422, /60/],
	['a long footer', { components: long('FOOTER') }, 422, /60/],
	['eleven buttons', { components: only('QUICK_REPLY', {}, 11) }, 400, /10/],
	['two links', { components: only('URL', { url: 'https://a.example' }, 2) }, 200, /PENDING/],
	['three links', { components: only('URL', { url: 'https://a.example' }, 3) }, 422, /2 of the/],
	['two numbers', { components: only('PHONE_NUMBER', call, 2) }, 422, /at most 1 of the/],
	['a number without +', { components: only('PHONE_NUMBER', { phone_number: '55' }) }, 400, /\+/],
	['two codes', { components: only('COPY_CODE', { example: 'a' }, 2) }, 422, /at most 1 of/],
	['a code of blanks', { components: only('COPY_CODE', { example: 'a b' }) }, 422, /20 letters/],
	['replies apart', { components: buttons('QUICK_REPLY', 'URL', 'QUICK_REPLY') }, 422, /tog/],
	['replies behind links', { components: buttons('URL', 'QUICK_REPLY') }, 200, /PENDING/],
	['a button OTP', { components: only('OTP', { otp_type: 'COPY_CODE' }) }, 422, /AUTHENTICATION/],
	['a flow without its id', { components: only('FLOW') }, 422, /one of flow_id/],
	['one card', { components: cards(card('a', 'URL')) }, 400, /cards/],
	['two cards', { components: cards(card('a', 'URL'), card('b', 'URL')) }, 200, /PENDING/],
	['cards of two builds', { components: cards(card('a', 'URL'), card('b')) }, 422, /the same/],
	['a long card', { components: cards(card('a'), card('b'.repeat(161))) }, 422, /160/],
	['three on a card', { components: cards(...twice(card('a', ...REPLIES))) }, 422, /than 2/],
	['a short time', { message_send_ttl_seconds: 29 }, 422, /30 to 43200/],
	['its time', { category: 'MARKETING', message_send_ttl_seconds: 43_200 }, 200, /PENDING/],
	['no limit of time', { message_send_ttl_seconds: -1 }, 200, /PENDING/],
	['a language with a hyphen', { language: 'en-US' }, 422, /en-US is no language/],
	['an unknown category', { category: 'OTHER' }, 400, /category/],
	['a public link', { components: withFile('https://a.example/a.png') }, 200, /PENDING/],
	["the chat application's link", { components: withFile(OWN_LINK) }, 422, /own cannot/],
];
test.each(RULES)(
	'a template with %s is taken or refused as published',
	async (_what, more, status, why) => {
		const answer = await create(more);
		expect(answer.status).toBe(status);
		expect(JSON.stringify(answer.body)).toMatch(why);
	},
);

test('a file is listed under a link that no example takes, in cards neither', async () => {
	const { body } = await upload(PNG);
	const withCards = (handle: string) =>
		cards(...twice({ components: [picture(handle), ...only('QUICK_REPLY')] }));
	await create({ name: 'header', components: withFile(body.h) });
	await create({ name: 'cards', components: withCards(body.h) });
	const own = [`https://files.chatapp.example/${encodeURIComponent(body.h)}`];
	const known = (await listed()).filter(({ name }) => name === 'header' || name === 'cards');
	const shown = { type: 'HEADER', format: 'IMAGE', example: { header_handle: own } };
	expect(known).toMatchObject([
		{ components: [shown, BODY] },
		{ components: [BODY, { cards: twice({ components: [shown, ...only('QUICK_REPLY')] }) }] },
	]);
	for (const components of [withFile(own[0]!), withCards(own[0]!)])
		expect(await create({ components })).toMatchObject({
			body: { error: { errors: [{ subCode: '2388215' }] } },
		});
});

test('a name removes all translations, an ID one', async () => {
	const languages = ['en_US', 'pt_BR', 'es'];
	const ids: string[] = [];
	for (const language of languages) ids.push((await create({ language })).body.id);
	const left = async () =>
		(await listed()).filter(({ name }) => name === 'order').map(({ language }) => language);
	await remove(ids[1]!);
	expect(await left()).toEqual(['en_US', 'es']);
	await remove(ids[0]!, 'order');
	expect(await left()).toEqual([]);
});

test('a change needs name, category and language, and brings its time to deliver', async () => {
	const id = await made('REJECTED', { message_send_ttl_seconds: 60 });
	expect((await listed()).at(-1)).toMatchObject({ message_send_ttl_seconds: 60 });
	for (const field of ['name', 'category', 'language'])
		expect(await update(id, { [field]: undefined })).toMatchObject({
			status: 400,
			body: { value: { errors: [{ description: `${field} is required` }] } },
		});
	await update(id);
	expect((await listed()).at(-1)).not.toHaveProperty('message_send_ttl_seconds');
});

test('the library lists its templates, and a template from it is approved at once', async () => {
	const { body } = await sandbox.call<{ data: object[] }>(`${root}/template-library`);
	expect(body.data[0]).toEqual({
		...{ name: 'delivery_update_1', category: 'UTILITY', languages: ['en_US'] },
		body: expect.stringContaining('{{1}}'),
	});
	const url = { base_url: 'https://a.example/{{1}}', url_suffix_example: 'https://a.example/7' };
	await create({
		...{ components: undefined, library_template_name: 'delivery_update_1' },
		library_template_button_inputs: [
			{ type: 'URL', url },
			{ type: 'PHONE_NUMBER', ...call },
		],
	});
	expect(await template()).toMatchObject({
		status: 'APPROVED',
		shown: {
			body: expect.stringContaining('Hello Ana, your order 1042'),
			buttons: [{ url: 'https://a.example/7' }, { phone: call.phone_number }],
		},
	});
});

const BROKEN: Array<[string, object, RegExp]> = [
	['without an example', { body: 'Hello {{1}}, welcome.' }, /no example for body\.1/],
	['whose file is unknown', { components: [picture('4:made-up'), BODY] }, /upload a file/],
];
test.each(BROKEN)(
	'a template %s is refused when submitted, and taken as set-up',
	async (_what, given, why) => {
		const make = async (status: string) =>
			await sandbox.attempt('/message-templates', { name: 'set_up', status, ...given });
		expect(await make('PENDING')).toMatchObject({
			...{ status: 400, body: { error: expect.stringMatching(why) } },
		});
		expect(await make('APPROVED')).toMatchObject({ status: 201 });
	},
);

test('a file of a header is kept, and the preview shows it', async () => {
	const service = (await upload(PNG)).body.h;
	await create({ components: [picture(service), BODY] });
	const shown = (await template())?.shown;
	expect(shown).toMatchObject({
		header: { format: 'IMAGE', title: 'a.png', url: expect.stringMatching(/^\/media\/\w+\.png$/) },
		body: 'Hello Ana, welcome.',
	});
	const { header } = shown as { header: { url: string } };
	const file = await fetch(sandbox.url + header.url);
	expect([...new Uint8Array(await file.arrayBuffer())]).toEqual([1, 2, 3]);
	// One that the page does not draw is named.
	const document = (await upload(new Blob(['x'], { type: 'application/pdf' }), 'menu.pdf')).body.h;
	const menu = { ...picture(document), format: 'DOCUMENT' };
	await create({ name: 'menu', components: [menu, BODY] });
	expect((await template('menu'))?.shown.header).toEqual({ format: 'DOCUMENT', title: 'menu.pdf' });
});

test('reviewers decide after a delay, as set, and webhooks are told', async () => {
	const events = ['UPDATE_TEMPLATE_STATUS', 'UPDATE_TEMPLATE_CATEGORY'];
	const sink = await sandbox.listener(events, '/v1/webhooks');
	const told = async (count: number) =>
		(await until('it arrived', () => sink.received[count - 1])).json;
	// The fields that are left out stay.
	const { templateReview } = await review({ verdict: 'REJECTED', reason: 'TOO_PUSHY' });
	expect(templateReview).toEqual({ verdict: 'REJECTED', afterMs: 5000, reason: 'TOO_PUSHY' });
	const { id, status } = (await create()).body;
	expect(status).toBe('PENDING');
	await sandbox.advance(6);
	expect(await told(1)).toMatchObject([{ value: { event: 'REJECTED', reason: 'TOO_PUSHY' } }]);
	expect(await template()).toMatchObject({ status: 'REJECTED', reason: 'TOO_PUSHY' });
	await review({ verdict: 'APPROVED', afterMs: 0 });
	await update(id);
	expect(await told(2)).toMatchObject([{ value: { event: 'APPROVED', reason: 'NONE' } }]);
	// One that is written on the page goes to the same reviewers.
	await sandbox.control('/message-templates', { body: { name: 'page', body: 'Hello' } });
	expect(await told(3)).toMatchObject([{ value: { message_template_name: 'page' } }]);
	await decide(id, { status: 'REJECTED', reason: 'SPAM' });
	await decide(id, { category: 'MARKETING' });
	expect(await told(5)).toMatchObject([{ value: { new_category: 'MARKETING' } }]);
	expect(await template()).toMatchObject({ status: 'REJECTED', reason: 'SPAM' });
	await decide(id, { status: 'APPROVED', category: 'UTILITY' });
	await told(7);
	const fields = sink.received.slice(5).map(({ json }) => (json as [{ field: string }])[0].field);
	expect(fields.sort()).toEqual(['message_template_status_update', 'template_category_update']);
});
