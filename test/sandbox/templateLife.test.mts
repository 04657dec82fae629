/** Templates from submission to deletion: the service's rules and limits, and the reviewers. */
import type { TemplateView } from '../../sandbox/http/control/templates.mts';
import type { StateFile } from '../../sandbox/stateFile.mts';
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
const update = async (id: string) =>
	await sandbox.call<Answer>(`${root}/templates/${id}`, {
		...{ method: 'PUT', body: { components: [BODY] } },
	});
const remove = async (id: string, name = 'order') =>
	await sandbox.call<Answer>(`${root}/templates/${id}?name=${name}`, { method: 'DELETE' });
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
			const { id } = (await create()).body;
			// Not approved yet.
			for (let count = 0; count < 2; count += 1) expect((await update(id)).status).toBe(200);
			await decide(id, { status: 'APPROVED' });
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
			expect((await remove(id)).body).toEqual({ success: true });
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
	'a template of the library': [
		/the library has no template lost/,
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
};
test.each(Object.entries(LIMITS))('%s: what is against it is refused (D)', async (_name, limit) => {
	const [description, reach] = limit;
	expect(await reach()).toMatchObject({
		status: 422,
		body: { error: { errors: [{ description: expect.stringMatching(description) }] } },
	});
});

test.each([
	['without a file', () => upload(null)],
	['with an empty file', () => upload(new Blob([], { type: 'image/png' }))],
	[
		'that is none',
		() =>
			sandbox.call(`${root}/templates/media`, {
				...{ body: 'x', headers: { 'content-type': 'multipart/form-data; boundary=y' } },
			}),
	],
])('a form %s is refused (B)', async (_what, send) => {
	expect(await send()).toMatchObject({
		status: 400,
		body: { value: { errors: [{ description: expect.stringMatching(/form/) }] } },
	});
});

test('the library lists its templates, and a template from it is approved at once', async () => {
	const { body } = await sandbox.call<{ data: object[] }>(`${root}/template-library`);
	expect(body.data[0]).toEqual({
		...{ name: 'delivery_update_1', category: 'UTILITY', languages: ['en_US'] },
		body: expect.stringContaining('{{1}}'),
	});
	await create({ components: undefined, library_template_name: 'delivery_update_1' });
	expect(await template()).toMatchObject({
		status: 'APPROVED',
		shown: { body: expect.stringContaining('Hello Ana, your order 1042') },
	});
});

const BROKEN: Array<[string, object, RegExp]> = [
	['without an example', { body: 'Hello {{1}}, welcome.' }, /no example for \{\{1\}\}/],
	['that begins with a variable', { body: '{{1}} is here' }, /begins or ends/],
	[
		'whose button is too long',
		{
			components: [
				BODY,
				{ type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'x'.repeat(26) }] },
			],
		},
		/26 characters/,
	],
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

test('the preview is what the customer gets, with the examples for values', async () => {
	await sandbox.control('/message-templates', {
		body: {
			...{ name: 'code', status: 'APPROVED', category: 'AUTHENTICATION' },
			components: [
				{ type: 'BODY', add_security_recommendation: true },
				{ type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
			],
		},
	});
	expect((await template('code'))?.shown).toMatchObject({
		body: expect.stringMatching(/^\*123456\* is your/),
		buttons: [{ name: 'CODE', code: '123456' }],
	});
	const bare = { name: 'bare', status: 'APPROVED', body: 'Hello {{1}}' };
	await sandbox.control('/message-templates', { body: bare });
	expect((await template('bare'))?.shown.body).toBe('Hello {{1}}');
	const url = 'https://shop.example/o/{{1}}';
	const buttons = [
		{ type: 'QUICK_REPLY', text: 'Thanks' },
		{ type: 'URL', text: 'Track it', url, example: ['https://shop.example/o/1042'] },
		{ type: 'COPY_CODE', example: 'HELLO10' },
	];
	const header = { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' };
	const example = { header_text: ['1042'] };
	await create({ components: [{ ...header, example }, BODY, { type: 'BUTTONS', buttons }] });
	expect((await template())?.shown).toMatchObject({
		header: { text: 'Order 1042' },
		buttons: [
			{ name: 'REPLY', title: 'Thanks' },
			{ name: 'URL', url: 'https://shop.example/o/1042' },
			{ name: 'CODE', code: 'HELLO10' },
		],
	});
});

test('reviewers decide after a delay, as set, and webhooks are told', async () => {
	const sink = await sandbox.receiver();
	await sandbox.call('/v1/webhooks', {
		body: { url: sink.url, events: ['UPDATE_TEMPLATE_STATUS', 'UPDATE_TEMPLATE_CATEGORY'] },
	});
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

test('a review that is due, taken names, changes and files continue from an exported state', async () => {
	await review({ verdict: 'APPROVED', afterMs: 3_600_000 });
	const { id: deleted } = (await create({ name: 'gone' })).body;
	await remove(deleted, 'gone');
	const { h } = (await upload(PNG)).body;
	await create({ components: [picture(h), BODY] });
	const state = await sandbox.control<StateFile>('/export');
	const before = await template();
	await sandbox.control('/reset', { body: {} });
	await sandbox.control('/import', { body: state });
	expect(await template()).toEqual(before);
	expect((await create({ name: 'gone' })).status).toBe(422);
	expect((await create({ name: 'again', components: [picture(h), BODY] })).status).toBe(200);
	await sandbox.advance(3601);
	await until('it is approved', async () => (await template())?.status === 'APPROVED');
	expect(await template('again')).toMatchObject({ status: 'APPROVED' });
});
