/** Lists whose service names more and more pages. */
import { listChannels } from '#nodes/service/channels.ts';
import type { ServiceClient, ServiceRequest } from '#nodes/service/client.ts';
import { templatePages } from '#nodes/service/template/lists.ts';

/** Reads lists of a service that answers so, by the number of the request. */
function listsOf(answer: (asked: number) => object) {
	let asked = 0;
	const request = async (_wanted: ServiceRequest<unknown>) => answer(asked++);
	const client = { request, templatesPath: () => ['t'] } as unknown as ServiceClient;
	const all = async <Entry,>(list: AsyncIterable<Entry>): Promise<Entry[]> => {
		const entries: Entry[] = [];
		for await (const entry of list) entries.push(entry);
		return entries;
	};
	return {
		asked: () => asked,
		channels: async () => await all(listChannels(client)),
		templates: async () => (await all(templatePages(client, 'b'))).flat(),
	};
}
const channelPage = (asked: number, id = asked) => ({
	...{ total: asked + 9, totalPage: asked + 9, page: asked },
	content: [{ id: `${id}` }],
});
const templatePage = (asked: number, id = asked) => ({
	data: [{ id: `${id}`, name: 'a', language: 'en' }],
	paging: { cursors: { after: `${asked}` } },
});

test.each([
	['channels', channelPage],
	['templates', templatePage],
] as const)(
	'a list of %s with always new entries fails after 2,000 pages',
	async (what, answer) => {
		const lists = listsOf(answer);
		await expect(lists[what]()).rejects.toMatchObject({
			message: `Could not list the ${what}: the list does not end after 2000 pages`,
			failure: { reason: 'unexpected_response', effect: 'none' },
		});
		expect(lists.asked()).toBe(2000);
	},
);

test('ends once pages bring nothing new, whatever comes behind them', async () => {
	const channels = listsOf((asked) => channelPage(asked, Math.min(asked, 2)));
	expect(await channels.channels()).toHaveLength(3);
	expect(channels.asked()).toBe(5);
	const templates = listsOf((asked) => templatePage(asked, Math.min(asked, 2)));
	expect(await templates.templates()).toHaveLength(3);
	expect(templates.asked()).toBe(4);
});

test('templates without an ID are told apart by name and language', async () => {
	const names = ['a/en', 'a/es', 'b/en', 'a/en'].map((it) => it.split('/'));
	const lists = listsOf((asked) => {
		const [name, language] = names[asked] ?? [];
		return { data: [{ name, language }], paging: { cursors: { after: `${asked}` } } };
	});
	expect(await lists.templates()).toHaveLength(3);
});
