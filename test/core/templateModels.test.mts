/** Every published model of a template is created, listed, approved and sent. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { PUBLISHED_MODELS } from '../sandbox/publishedModels.mts';
import { startTemplateLife } from './harness/templateLife.mts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 25);

let life: Awaited<ReturnType<typeof startTemplateLife>>;
beforeAll(async () => {
	life = await startTemplateLife();
});
beforeEach(() => life.sandbox.control('/reset', { body: {} }));
afterAll(() => life.sandbox.close());

interface Part extends IDataObject {
	type: string;
}
const isMedia = ({ type, format }: Part) =>
	type === 'HEADER' && ['IMAGE', 'VIDEO', 'DOCUMENT'].includes(String(format));

const FILES: Record<string, string> = { VIDEO: 'video/mp4', DOCUMENT: 'application/pdf' };
/** The template, with the handle of an uploaded file where it shows one, in its cards, too. */
async function withFile(template: object[]): Promise<Part[]> {
	const [, format = 'IMAGE'] = /"format":"(VIDEO|DOCUMENT)"/.exec(JSON.stringify(template)) ?? [];
	const handle = await life.upload(FILES[format]);
	const parts = (template as Part[]).map((part) =>
		isMedia(part) ? { ...part, example: { header_handle: [handle] } } : part,
	);
	return JSON.parse(JSON.stringify(parts).replaceAll('"4:a"', JSON.stringify(handle))) as Part[];
}
/** As it is listed: files have links there. */
const asListed = (parts: object[]) =>
	JSON.parse(
		JSON.stringify(parts).replaceAll(
			/"(4:[\w:-]+)"/g,
			(_all, handle: string) => `"https://files.chatapp.example/${encodeURIComponent(handle)}"`,
		),
	) as object[];

const create = async (components: unknown, more: IDataObject = {}) =>
	await life.perform(
		await life.perTemplate('create', {
			...{ name: 'sample', language: 'en_US', definition: 'json' },
			components: JSON.stringify(components),
			...more,
		}),
	);
const getAll = async (business?: string) =>
	await life.performAll(
		await life.perTemplate('getAll', {
			businessId: await life.business(business),
			...{ returnAll: true, simplify: false },
		}),
	);
const named = (templates: IDataObject[], wanted = 'sample') =>
	templates.find(({ name }) => name === wanted);

/** An access code is listed in two forms, and created in one. */
const CREATED: Record<string, object[]> = {
	'an access code, as it is listed': [
		{ type: 'BODY', add_security_recommendation: true },
		{ type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] },
	],
};
const isNamed = (part: IDataObject) => JSON.stringify(part).includes('parameter_name');

test.each(Object.entries(PUBLISHED_MODELS))('%s', async (what, model) => {
	const template = await withFile(model.template);
	const { category = 'UTILITY' } = model;
	const { id, status } = await create(template, { category });
	expect(status).toBe('PENDING');
	expect(named(await getAll())).toEqual({
		...{ id, name: 'sample', language: 'en_US', status: 'PENDING', category },
		parameter_format: JSON.stringify(template).includes('{{customer_name}}')
			? 'NAMED'
			: 'POSITIONAL',
		components: asListed(CREATED[what] ?? template),
	});
	await life.approve(id);
	const parts = model.sent as Array<IDataObject & { parameters: Array<{ text: string }> }>;
	const isText = (part: IDataObject) => part.type === 'body' && !isNamed(part);
	const sent = await life.perform(
		life.sending('sample', {
			bodyParameters: parts.find(isText)?.parameters.map(({ text }) => text) ?? [],
			additionalComponents: JSON.stringify(parts.filter((part) => !isText(part))),
		}),
	);
	expect(sent).toMatchObject({ messageId: expect.any(String) });
	expect(JSON.stringify(sent)).not.toContain('{{');
});

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }).map((text) => {
	const kept = text.replace(/[{}\s\p{C}]/gu, '');
	return kept === '' ? 'a' : kept;
});
const words = (most: number) =>
	fc.array(word, { minLength: 1, maxLength: 4 }).map((all) => all.join(' ').slice(0, most).trim());

/** A part with up to this many variables between words, all with names or all with numbers. */
const textWith = (field: 'header_text' | 'body_text', most: number, isNamed: boolean) =>
	fc
		.tuple(fc.array(words(9), { maxLength: most }), fc.array(words(9), { minLength: 5 }))
		.map(([examples, between]) => {
			const names = examples.map((_, at) => (isNamed ? `name_${at}` : String(at + 1)));
			const text = names.reduce(
				(all, name, at) => `${all} {{${name}}} ${between[at + 1]!}`,
				between[0]!,
			);
			if (names.length === 0) return { text };
			if (!isNamed)
				return { text, example: { [field]: field === 'body_text' ? [examples] : examples } };
			const given = names.map((param_name, at) => ({ param_name, example: examples[at] }));
			return { text, example: { [`${field}_named_params`]: given } };
		});
const link = fc.tuple(words(25), fc.constantFrom('', '{{1}}'), word).map(([text, end, value]) => {
	const url = `https://shop.example/o/${end}`;
	const example = [url.replace('{{1}}', encodeURIComponent(value))];
	return { type: 'URL', text, url, ...(end ? { example } : {}) };
});
/** In two groups, and as many as there can be. */
const buttons = fc
	.tuple(
		fc.array(
			words(25).map((text) => ({ type: 'QUICK_REPLY', text })),
			{ maxLength: 4 },
		),
		fc.array(link, { maxLength: 2 }),
		fc.subarray<object>([
			{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+5500000000001' },
			{ type: 'COPY_CODE', example: 'HELLO10' },
			{ type: 'FLOW', text: 'Open', flow_id: '9' },
			...['VOICE_CALL', 'CATALOG', 'SPM'].map((type) => ({ type, text: 'Open' })),
		]),
	)
	.map((groups) => groups.flat().slice(0, 10));
const components = fc.boolean().chain((isNamed) =>
	fc
		.tuple(
			fc.option(
				// A listed file has the chat application's own link, which it refuses as an example.
				textWith('header_text', 1, isNamed).map((text) => ({ format: 'TEXT', ...text })),
			),
			textWith('body_text', 4, isNamed),
			fc.option(words(60)),
			buttons,
		)
		.map(([header, body, footer, made]) => [
			...(header ? [{ type: 'HEADER', ...header }] : []),
			{ type: 'BODY', ...body },
			...(footer === null ? [] : [{ type: 'FOOTER', text: footer }]),
			...(made.length === 0 ? [] : [{ type: 'BUTTONS', buttons: made }]),
		]),
);

test('a template that is listed can be created as it is for another business', async () => {
	await fc.assert(
		fc.asyncProperty(
			components,
			fc.constantFrom('UTILITY', 'MARKETING'),
			async (given, category) => {
				await life.sandbox.control('/reset', { body: {} });
				await life.sandbox.control('/message-templates', {
					body: { name: 'theirs', business: 'Other', body: 'Hello' },
				});
				await create(given, { category });
				const listed = named(await getAll());
				expect(listed).toMatchObject({ category, components: given });
				await life.perform(
					await life.perTemplate('create', {
						businessId: await life.business('Other'),
						...{ name: '={{ $json.name }}', language: '={{ $json.language }}' },
						...{ category: '={{ $json.category }}', definition: 'json' },
						components: '={{ $json }}',
					}),
					{ items: [listed!] },
				);
				const copied = named(await getAll('Other'));
				expect(copied).toEqual({ ...listed, id: copied?.id });
				expect(copied?.id).not.toBe(listed?.id);
			},
		),
		{ numRuns: RUNS },
	);
});
