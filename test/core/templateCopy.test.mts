/** A template that was listed is created again, with the file that the chat application keeps. */
import { startTemplateLife } from './harness/templateLife.mts';

let life: Awaited<ReturnType<typeof startTemplateLife>>;
beforeAll(async () => {
	life = await startTemplateLife();
});
afterAll(() => life.sandbox.close());

const create = async (name: string, components: unknown) =>
	await life.perform(
		await life.perTemplate('create', {
			...{ name, language: 'en_US', definition: 'json' },
			components: JSON.stringify(components),
		}),
	);
const imageOf = (handle: string) => [
	{ type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } },
	{ type: 'BODY', text: 'Hello' },
];
const creations = async () => {
	const path = '/requests?method=POST&path=/chatapp';
	const { requests } = await life.sandbox.control<{ requests: object[] }>(path);
	return requests.length;
};

test('a link of the chat application is refused before it is sent, a public one is taken', async () => {
	await create('first', imageOf(await life.upload()));
	const listed = (await life.listed('first'))!;
	const before = await creations();
	await expect(create('again', listed)).rejects.toThrow(
		/link of the chat application.*public link/,
	);
	expect(await creations()).toBe(before);
	// A list of components alone may have been changed, so the service judges it.
	await expect(create('again', listed.components)).rejects.toThrow(/2388215.*public link/s);
	const copied = await create('again', imageOf('https://shop.example/a.png'));
	expect(copied).toMatchObject({ status: 'PENDING' });
});
