import {
	freshTemplate,
	rememberedTemplate,
} from '#nodes/resources/message/template/approvedTemplate.ts';
import type { ServiceClient, ServiceRequest } from '#nodes/service/client.ts';

test('what lies behind the first pages is read on for, and what is not there is looked for once', async () => {
	let requests = 0;
	let fails = false;
	const request = async ({ path, query }: ServiceRequest<unknown>) => {
		if (path.includes('channels')) return { id: 'C', businessId: 'b' };
		requests += 1;
		if (fails) throw new Error('a page that cannot be read');
		const from = Number(query?.after ?? 0);
		const data = Array.from({ length: 100 }, (_, at) => ({
			name: `t_${from + at}`,
			language: 'en',
		}));
		return { data, paging: from < 2400 ? { cursors: { after: `${from + 100}` } } : {} };
	};
	/** As an execution looks. Each has a client of its own. */
	const look = async (name: string, account = 'many') => {
		const own = {
			account,
			templatesPath: () => ['t'],
			request,
		} as unknown as ServiceClient;
		const before = requests;
		const known = await rememberedTemplate(own, 'C', { name, language: 'en' });
		const fresh = known.template ?? (await freshTemplate(own, 'C', { name, language: 'en' }));
		return [fresh?.name, requests - before];
	};
	expect(await look('t_2000')).toEqual(['t_2000', 25]);
	expect(await look('t_2000')).toEqual(['t_2000', 0]);
	expect(await look('t_2300')).toEqual(['t_2300', 0]);
	await expect(look('none')).rejects.toThrow('The account has no template "none".');
	expect(await look('none')).toEqual([undefined, 0]);
	expect(await look('t_5')).toEqual(['t_5', 0]);
	// What fails is not asked for by each execution, and read on for a little later.
	expect(await look('t_5', 'failing')).toEqual(['t_5', 20]);
	fails = true;
	expect(await look('t_2000', 'failing')).toEqual([undefined, 2]);
	fails = false;
	// By a reading of its own.
	expect(await look('t_2000', 'failing')).toEqual(['t_2000', 25]);
	const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 16_000);
	expect(await look('t_2000', 'failing')).toEqual(['t_2000', 5]);
	now.mockRestore();
});

test('an item looks at the templates of its name alone, however many there are', async () => {
	let looked = 0;
	const template = (at: number) => ({
		id: `${at}`,
		get name() {
			looked += 1;
			return `t_${at}`;
		},
		...{ language: 'en', status: 'APPROVED', components: [] },
	});
	const request = async ({ path, query }: ServiceRequest<unknown>) => {
		if (path.includes('channels')) throw new Error('no role');
		if (!path.includes('templates')) return [{ businessId: 'b' }];
		const from = Number(query?.after ?? 0);
		const data = Array.from({ length: 100 }, (_, at) => template(from + at));
		return { data, paging: from < 1800 ? { cursors: { after: `${from + 100}` } } : {} };
	};
	const client = { account: 'a', templatesPath: () => ['t'], request } as unknown as ServiceClient;
	const find = async (name: string) =>
		await rememberedTemplate(client, 'C', { name, language: 'en' });
	expect((await find('t_1899')).template?.id).toBe('1899');
	await freshTemplate(client, 'C', { name: 't_7', language: 'en' });
	looked = 0;
	expect((await find('t_0')).template?.id).toBe('0');
	const other = freshTemplate(client, 'C', { name: 't_7', language: 'es' });
	await expect(other).rejects.toThrow('"t_7" has no language "es", only en.');
	const none = freshTemplate(client, 'C', { name: 'none', language: 'es' });
	await expect(none).rejects.toThrow('The account has no template "none".');
	expect(looked).toBe(0);
});
