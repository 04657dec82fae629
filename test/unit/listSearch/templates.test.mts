import { setImmediate } from 'node:timers/promises';

import type { IHttpRequestOptions, ILoadOptionsFunctions } from 'n8n-workflow';

import {
	searchAllTemplates,
	searchBusinesses,
	searchLibraryTemplates,
} from '#nodes/listSearch/businessLists.ts';
import { searchTemplates } from '#nodes/listSearch/searchTemplates.ts';
import { templateVariables } from '#nodes/listSearch/searchTemplates.ts';
import { listed, ORDER } from '../service/template/samples.mts';
import { byId, CHANNEL } from '../../support/constants.mts';
import { nodeContext } from '../../support/context.mts';

let accounts = 0;

interface Service {
	businesses?: Record<string, object[]>;
	businessId?: string;
	templatesPath?: string;
	library?: object[];
	parameters?: Record<string, unknown>;
}

/** n8n's context of a list, with a service that has templates. Each has an account of its own. */
function contextWith({ businesses, businessId, templatesPath, library, parameters = {} }: Service) {
	const urls: string[] = [];
	let [atOnce, most] = [0, 0];
	const secretKey = `key-${++accounts}`;
	const bodyOf = (url: string, qs: { after?: string; limit: number }): [number, unknown] => {
		if (url.includes('/v1/channels/'))
			return businessId
				? [200, { id: CHANNEL, businessId }]
				: [422, { error: 'This action requires ENTERPRISE role' }];
		if (!businesses) return [404, { error: 404, message: 'Not found' }];
		if (url.endsWith('/template-library')) return [200, { data: library }];
		if (url.endsWith('/businesses'))
			return [200, Object.keys(businesses).map((id) => ({ businessId: id, name: `Shop ${id}` }))];
		const all = businesses[url.split('/').at(-2) ?? ''] ?? [];
		const from = Number(qs.after ?? 0);
		const data = all.slice(from, from + qs.limit);
		return [200, { data, paging: { cursors: { before: 'x', after: String(from + data.length) } } }];
	};
	const respond = async ({ url, qs }: IHttpRequestOptions) => {
		urls.push(url);
		most = Math.max(most, ++atOnce);
		await setImmediate();
		atOnce -= 1;
		const [statusCode, body] = bodyOf(url, qs as { after?: string; limit: number });
		return { statusCode, body };
	};
	const context = nodeContext<ILoadOptionsFunctions>(respond, {
		credential: { secretKey, ...(templatesPath === undefined ? {} : { templatesPath }) },
		getCurrentNodeParameter: (name: string) => ({ channelId: CHANNEL, ...parameters })[name],
	});
	return { context, urls, mostAtOnce: () => most };
}

const named = (name: string, language = 'en_US') => ({ ...ORDER, name, language });
const namesOf = async (context: ILoadOptionsFunctions, filter?: string) =>
	(await searchTemplates.call(context, filter)).results.map(({ name }) => name);

describe('the list of templates', () => {
	it('has name, language, category and what needs more than fields', async () => {
		const cards = listed([{ type: 'CAROUSEL' }], { name: 'cards' });
		const { context } = contextWith({ businesses: { b1: [ORDER, cards] }, businessId: 'b1' });
		expect(await searchTemplates.call(context)).toEqual({
			results: [
				{
					name: 'cards · en_US · utility · needs Additional Components: the cards',
					value: 'cards/en_US',
				},
				{ name: 'order_update · en_US · utility', value: 'order_update/en_US' },
			],
		});
	});

	it('has the templates of all businesses, with their names, if the channel cannot be read', async () => {
		const { context } = contextWith({ businesses: { b1: [named('a')], b2: [named('b')] } });
		expect(await namesOf(context)).toEqual([
			'a · en_US · utility · Shop b1',
			'b · en_US · utility · Shop b2',
		]);
	});

	it('finds one of 300 by its name while somebody types, without reading anew', async () => {
		const languages = ['en_US', 'pt_BR', 'es'];
		const many = Array.from({ length: 300 }, (_, at) => named(`t_${at}`, languages[at % 3]));
		const { context, urls } = contextWith({ businesses: { b1: many }, businessId: 'b1' });
		await searchTemplates.call(context);
		const read = urls.length;
		expect(await namesOf(context, 'T_29')).toHaveLength(11);
		expect(await namesOf(context, 't_299 · es')).toEqual(['t_299 · es · utility']);
		await expect(namesOf(context, 'new')).rejects.toThrow(/approved just now, close the node/);
		expect(urls).toHaveLength(read);
		await searchTemplates.call(context);
		expect(urls.length).toBeGreaterThan(read);
	});

	it('reads twenty pages, and says that there are more', async () => {
		const many = Array.from({ length: 2001 }, (_, at) => named(`t_${at}`));
		const { context, urls } = contextWith({ businesses: { b1: many }, businessId: 'b1' });
		const { results } = await searchTemplates.call(context);
		expect(urls.filter((url) => url.endsWith('/templates'))).toHaveLength(20);
		expect(results[0]).toMatchObject({
			name: expect.stringMatching(/^Only the first 2000/),
			value: '',
		});
	});

	it.each([
		[200, 0],
		[201, 1],
	])('reads %d business accounts five at a time, at most 200', async (count, notes) => {
		const all = Array.from(
			{ length: count },
			(_, at) => [`b${at}`, [named(`t_${at}`)]] as [string, object[]],
		);
		const service = contextWith({ businesses: Object.fromEntries(all) });
		const { results } = await searchTemplates.call(service.context);
		const told = results.filter(({ name }) => name.startsWith('Only the first 200 templates'));
		expect([results.length, told.length]).toEqual([200 + notes, notes]);
		expect(service.mostAtOnce()).toBe(5);
		const read = service.urls.length;
		await searchTemplates.call(service.context, 't_1');
		expect(service.urls).toHaveLength(read);
	});

	it('is not whole if a template cannot be read', async () => {
		const { context } = contextWith({
			businesses: { b1: [named('a'), { name: 'b' }] },
			businessId: 'b1',
		});
		expect(await namesOf(context)).toEqual([
			'Only the first 1 templates are listed. For another one, choose "By Name".',
			'a · en_US · utility',
		]);
	});

	const elsewhere = { templatesPath: 'https://other.example' };
	it.each<[string, Service, RegExp]>([
		['no templates path', {}, /no templates at the Templates Path of the credential\. Correct it/],
		['a path of another host', elsewhere, /Templates Path in the credential is not a path/],
		['no template', { businesses: { b1: [] } }, /no approved template\. Choose "By Name"/],
		['no business', { businesses: {} }, /a known fault of its own.*Choose "By Name"/],
	])('says what to do if there is %s', async (_what, service, words) => {
		await expect(searchTemplates.call(contextWith(service).context)).rejects.toThrow(words);
	});
});

describe('the fields of a template', () => {
	const chosen = { template: 'order_update/en_US' };
	const saved = { 'templateVariables.schema': [{ id: 'body.1' }] };

	it('are its variables, none of them required', async () => {
		const { context } = contextWith({ businesses: { b1: [ORDER] }, parameters: chosen });
		const { fields } = await templateVariables.call(context);
		expect(fields.map(({ id, required }) => [id, required])).toEqual(
			['header.text', 'body.1', 'body.2', 'button.0.payload', 'button.1.url', 'button.3.code'].map(
				(id) => [id, false],
			),
		);
	});

	it.each<[Service, RegExp]>([
		[{}, /lists no templates.*"By Name"/],
		[{ businesses: {} }, /lists no business account.*"By Name"/],
		[
			{ businesses: { b1: [{ ...ORDER, components: [{ type: 'BODY', text: 'A <b>\nsale' }] }] } },
			/^This template has no variables\. Its text:<br>A &lt;b&gt;<br>sale$/,
		],
	])('are none, with the reason or the text, if nothing is saved: %j', async (service, words) => {
		const { context } = contextWith({ ...service, parameters: chosen });
		expect(await templateVariables.call(context)).toEqual({
			...{ fields: [], emptyFieldsNotice: expect.stringMatching(words) },
		});
	});

	it('stay as they are if they cannot be read and some are saved', async () => {
		const { context } = contextWith({ parameters: { ...chosen, ...saved } });
		await expect(templateVariables.call(context)).rejects.toThrow(/lists no templates/);
	});
});

test('the list of business accounts', async () => {
	const { context } = contextWith({ businesses: { b1: [], b2: [] } });
	expect(await searchBusinesses.call(context, 'SHOP B2')).toEqual({
		results: [{ name: 'Shop b2', value: 'b2' }],
	});
	await expect(searchBusinesses.call(contextWith({}).context)).rejects.toThrow(/choose "By ID"/);
	await expect(searchBusinesses.call(contextWith({ businesses: {} }).context)).rejects.toThrow(
		/lists no business account, a known fault of its own.*Choose "By ID"/,
	);
});

describe('the list of all templates of a business', () => {
	const businessId = { __rl: true, mode: 'list', value: 'b1' };
	const withChosen = (businesses: Service['businesses'], chosen: unknown = businessId) =>
		contextWith({ ...(businesses ? { businesses } : {}), parameters: { businessId: chosen } });
	const of = (name: string, id: string | null, status?: string) => ({
		...{ ...named(name), id, status },
	});

	it('has those of every status, sorted, and finds one by the words of its choice', async () => {
		const all = [of('b', '2', 'PAUSED'), of('a', '1', 'APPROVED'), of('c', '3'), of('d', null)];
		const { context } = withChosen({ b1: all, b2: [of('e', '5')] });
		const paused = { name: 'b · en_US · Paused', value: '2' };
		expect(await searchAllTemplates.call(context)).toEqual({
			results: [
				{ name: 'a · en_US · Approved', value: '1' },
				paused,
				{ name: 'c · en_US', value: '3' },
			],
		});
		expect(await searchAllTemplates.call(context, ' pAUSed ')).toEqual({ results: [paused] });
	});

	it.each<[string, Service['businesses'], unknown, RegExp]>([
		['no business is chosen', { b1: [] }, { ...businessId, value: '' }, /^Choose a business acc/],
		['the business is an expression', { b1: [] }, { ...businessId, value: '={{ 1 }}' }, /^Choose/],
		['its business is a text', { b1: [] }, 'b1', /^Choose a business account first/],
		['there are none', { b1: [] }, businessId, /no such template\. Choose "By ID"/],
		['the path is wrong', undefined, businessId, /no templates at the Templates Path.*"By ID"/],
	])('says what to do if %s', async (_what, businesses, chosen, words) => {
		const { context } = withChosen(businesses, chosen);
		await expect(searchAllTemplates.call(context)).rejects.toThrow(words);
	});
});

describe("the list of the library's templates", () => {
	const businessId = byId('b1');
	const delivery = { name: 'delivery_1', category: 'UTILITY', languages: ['en_US', 'es'] };
	const languages = ['en_US', 'de', 'es', 'fr', 'it', 'pl', 'pt_BR'];
	const withLibrary = (...listed: object[]) =>
		contextWith({ businesses: { b1: [] }, library: listed, parameters: { businessId } });

	it('has name, category and languages, the text as description, and finds by all of them', async () => {
		const code = { name: 'code_1', category: 'AUTHENTICATION', languages, body: 'Your code' };
		const { context, urls } = withLibrary({ ...delivery, body: 'x'.repeat(500) }, code);
		const chosen = {
			name: 'code_1 · Authentication · en_US, de, es, fr, it and 2 more',
			value: 'code_1',
			description: 'Your code',
		};
		const { results } = await searchLibraryTemplates.call(context);
		expect(results).toEqual([
			chosen,
			expect.objectContaining({ name: 'delivery_1 · Utility · en_US, es', value: 'delivery_1' }),
		]);
		expect(results[1]?.description?.length).toBeLessThanOrEqual(301);
		for (const filter of ['pt_br', 'YOUR code', 'authent', 'code_1'])
			expect(await searchLibraryTemplates.call(context, filter)).toEqual({ results: [chosen] });
		expect(urls[0]).toMatch(/\/businesses\/b1\/template-library$/);
	});

	it('says what to do without business, templates or path', async () => {
		const { context } = withLibrary();
		await expect(searchLibraryTemplates.call(context)).rejects.toThrow(/no such.*"By Name"/);
		const lost = contextWith({ parameters: { businessId } }).context;
		await expect(searchLibraryTemplates.call(lost)).rejects.toThrow(/Templates Path.*"By Name"/);
		const unchosen = contextWith({ businesses: {} }).context;
		await expect(searchLibraryTemplates.call(unchosen)).rejects.toThrow(/^Choose a business/);
	});
});
