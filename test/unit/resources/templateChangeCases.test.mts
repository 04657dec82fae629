/** Templates that exist are changed, deleted and synced with exactly what is published. */
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { deleteOperation } from '#nodes/resources/template/delete.operation.ts';
import { byId } from '../../support/constants.mts';
import { run } from './actionNode.mts';

const at = '/chatapp/businesses/b1/templates';
const HELLO = { definition: 'fields', body: 'Hello' };
const BODY = { type: 'BODY', text: 'Hello' };
const others = Array.from({ length: 3 }, (_, at) => ({ id: `1${at}`, name: 'x', language: 'de' }));
const ORDER = { id: '7', name: 'order', language: 'en_US', category: 'UTILITY', status: 'PAUSED' };

/** A service with two pages of templates, of which the second has ours. */
const serviceWith = (listed: object, refusal?: { statusCode: number; body: unknown }) => {
	const sent: IDataObject[] = [];
	const httpRequestWithAuthentication = async (
		_type: string,
		{ method, url, qs, body }: IHttpRequestOptions,
	) => {
		const path = url.slice(url.indexOf('/chatapp'));
		const wanted = { method, path, ...(qs ? { qs } : {}), ...(body ? { body } : {}) };
		sent.push(wanted);
		const second = { data: [listed], paging: {} };
		const first = { data: others, paging: { cursors: { after: 'second' } } };
		if (method === 'GET') return { statusCode: 200, headers: {}, body: qs?.after ? second : first };
		return { headers: {}, ...(refusal ?? { statusCode: 200, body: { success: true } }) };
	};
	return { helpers: { httpRequestWithAuthentication }, sent };
};

const perform = async (
	operation: string,
	fields: object,
	{ helpers }: ReturnType<typeof serviceWith>,
) =>
	await run(
		{ resource: 'template', operation, businessId: byId('b1'), templateId: byId('7'), ...fields },
		{ helpers },
	);
/** Message and description of the error that it fails with. */
const failed = async (...given: Parameters<typeof perform>): Promise<string> => {
	const { message, description } = await perform(...given).then(
		() => ({ message: 'It was done', description: '' }),
		(error: Error & { description?: string }) => error,
	);
	return `${message} ${description ?? ''}`;
};
const changesIn = (sent: IDataObject[]) => sent.filter(({ method }) => method !== 'GET');

describe('an update', () => {
	test.each([
		['', 'UTILITY'],
		['MARKETING', 'MARKETING'],
	])('with the category "%s" sends name and language of the list, and %s', async (category, is) => {
		const service = serviceWith(ORDER);
		const { items } = await perform('update', { category, ...HELLO }, service);
		expect(changesIn(service.sent)).toEqual([
			{
				...{ method: 'PUT', path: `${at}/7` },
				body: { name: 'order', language: 'en_US', category: is, components: [BODY] },
			},
		]);
		// Of all statuses, to the end of the list.
		expect(service.sent.slice(0, 2)).toEqual([
			{ method: 'GET', path: at, qs: { limit: 100 } },
			{ method: 'GET', path: at, qs: { limit: 100, after: 'second' } },
		]);
		expect(items[0]?.json).toEqual({ updated: true, id: '7' });
	});

	test.each<[string, IDataObject, RegExp]>([
		['is not in the list', { ...ORDER, id: '8' }, /no template with the ID 7.*Sync/],
		['has no category there', { ...ORDER, category: null }, /has no category.*"Category"/],
		['has another category there', { ...ORDER, category: 'OTHER' }, /"OTHER".*"Category"/],
	])('is not sent if the template %s', async (_what, listed, words) => {
		const service = serviceWith(listed);
		expect(await failed('update', HELLO, service)).toMatch(words);
		expect(changesIn(service.sent)).toEqual([]);
	});

	test('whose fields are wrong reads nothing, as far as they tell without the list', async () => {
		const service = serviceWith(ORDER);
		expect(await failed('update', { ...HELLO, body: '' }, service)).toMatch(/"Body" is empty/);
		const chosen = { ...HELLO, category: 'UTILITY', footer: 'By {{1}}' };
		expect(await failed('update', chosen, service)).toMatch(/"Footer" has a variable/);
		expect(service.sent).toEqual([]);
	});

	test('refuses what Get Many shows in place of a secret, in any of its texts', async () => {
		const service = serviceWith(ORDER);
		const components = JSON.stringify([{ type: 'BODY', text: 'Hi', more: ['[hidden]'] }]);
		for (const given of [
			{ ...HELLO, body: 'A [hidden] word' },
			{ definition: 'json', components },
		])
			expect(await failed('update', { ...given, category: 'UTILITY' }, service)).toMatch(
				/^"Components", or another text of the template, has "\[hidden\]"/,
			);
		expect(changesIn(service.sent)).toEqual([]);
	});

	test('of a listed access code sends its creating form', async () => {
		const code = { ...ORDER, category: 'AUTHENTICATION' };
		const service = serviceWith(code);
		const components = [
			{ type: 'BODY', text: '{{1}} is your code.' },
			{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy', url: 'https://a.example/{{1}}' }] },
		];
		const json = JSON.stringify({ ...code, parameter_format: 'POSITIONAL', components });
		await perform('update', { definition: 'json', components: json }, service);
		expect(changesIn(service.sent)[0]?.body).toEqual({
			...{ name: 'order', language: 'en_US', category: 'AUTHENTICATION' },
			components: [
				{ type: 'BODY', add_security_recommendation: true },
				{ type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy' }] },
			],
		});
		await expect(perform('update', HELLO, service)).rejects.toThrow(/Authentication.*"As JSON"/);
	});
});

test('an update that is refused for its time says how many changes there are', async () => {
	const errors = [{ message: 'Once in a rolling 24-hour period' }];
	const service = serviceWith(ORDER, { statusCode: 422, body: { error: { errors } } });
	const words = await failed('update', HELLO, service);
	expect(words).toMatch(/once in 24 hours and ten times in 30 days/);
	expect(words).not.toMatch(/Template Instead|Retry On Fail/);
});

test.each([
	['update', 2388215, /public link.*file/],
	['create', 2388023, /Choose another name, .*30 days/],
	['create', 2388024, /Choose another name, .*Update/],
])('%s, refused by %i, says what to do instead', async (operation, subCode, words) => {
	const errors = [{ message: 'Invalid parameter', subCode }];
	const service = serviceWith(ORDER, { statusCode: 502, body: { error: { errors } } });
	const fields = { ...HELLO, name: 'order', language: 'en_US' };
	expect(await failed(operation, fields, service)).toMatch(words);
});

describe('a deletion', () => {
	const ALL = { options: { deleteAllTranslations: true } };

	test('sends the ID alone, and reads nothing', async () => {
		for (const options of [{}, { deleteAllTranslations: false }]) {
			const service = serviceWith(ORDER);
			const { items } = await perform('delete', { options }, service);
			expect(service.sent).toEqual([{ method: 'DELETE', path: `${at}/7` }]);
			expect(items[0]?.json).toEqual({ deleted: true, id: '7' });
		}
	});

	test('of all translations sends the name that the list has', async () => {
		const service = serviceWith(ORDER);
		const { items } = await perform('delete', ALL, service);
		expect(changesIn(service.sent)).toEqual([
			{ method: 'DELETE', path: `${at}/7`, qs: { name: 'order' } },
		]);
		expect(items[0]?.json).toEqual({ deleted: true, id: '7', name: 'order' });
	});

	test('of all translations is not done without a name', async () => {
		const service = serviceWith({ ...ORDER, id: '8' });
		await expect(perform('delete', ALL, service)).rejects.toThrow(/no template with the ID 7/);
		expect(changesIn(service.sent)).toEqual([]);
	});

	test('that is refused warns before it names the option', async () => {
		const refusal = { statusCode: 422, body: { error: { errors: [{ message: 'no name' }] } } };
		expect(await failed('delete', {}, serviceWith(ORDER, refusal))).toMatch(
			/every language.*"Delete All Translations"/,
		);
		expect(await failed('delete', ALL, serviceWith(ORDER, refusal))).not.toMatch(
			/Delete All Translations/,
		);
	});

	test('is no tool of agents', () => {
		expect(deleteOperation.notForAgents).toMatch(/30 days/);
	});
});

test('a sync has a path of its own', async () => {
	const service = serviceWith(ORDER, { statusCode: 200, body: { synced: true, syncedCount: 2 } });
	const { items } = await perform('sync', {}, service);
	expect(service.sent).toEqual([{ method: 'POST', path: `${at}/sync` }]);
	expect(items[0]?.json).toEqual({ synced: true, syncedCount: 2, businessId: 'b1' });
});

test.each([
	['the limit counts over all pages', 4, '3:b 3:c', 4],
	['a cursor that came before ends the list', 99, '3:b 3:c 3:b', 9],
	['an empty page ends the list, whatever its cursor', 99, '3:b 0:c', 3],
])('of many templates, %s', async (_what, limit, pages, count) => {
	const given = pages.split(' ').map((page) => page.split(':'));
	const asked: unknown[] = [];
	let made = 0;
	const httpRequestWithAuthentication = async (_type: string, { qs }: IHttpRequestOptions) => {
		const [size, after] = given[asked.push(qs?.after ?? 'a') - 1] ?? [];
		const template = () => ({ id: `${++made}`, name: 'x', language: 'de' });
		const data = Array.from({ length: Number(size ?? 0) }, template);
		return { statusCode: 200, headers: {}, body: { data, paging: { cursors: { after } } } };
	};
	const fields = { resource: 'template', operation: 'getAll', businessId: byId('b1'), limit };
	const { items } = await run(fields, { helpers: { httpRequestWithAuthentication } });
	expect(items).toHaveLength(count);
	expect(asked).toEqual(['a', 'b', 'c'].slice(0, given.length));
});
