/** Every published model of a template is created, listed, copied, approved and sent. */
import type { IDataObject } from 'n8n-workflow';

import { PUBLISHED_MODELS } from '../sandbox/publishedModels.mts';
import { startTemplateLife } from './harness/templateLife.mts';

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

/** A listed template can be created as it is for another business. */
async function expectCopy(listed: IDataObject, category: string): Promise<void> {
	const other = { name: 'theirs', business: 'Other', body: 'Hello' };
	await life.sandbox.control('/message-templates', { body: other });
	await create(listed, { businessId: await life.business('Other'), category });
	const copied = named(await getAll('Other'));
	expect(copied).toEqual({ ...listed, id: copied?.id });
	expect(copied?.id).not.toBe(listed.id);
}

test.each(Object.entries(PUBLISHED_MODELS))('%s', async (what, model) => {
	const template = await withFile(model.template);
	const { category = 'UTILITY' } = model;
	const { id, status } = await create(template, { category });
	expect(status).toBe('PENDING');
	const listed = named(await getAll())!;
	expect(listed).toEqual({
		...{ id, name: 'sample', language: 'en_US', status: 'PENDING', category },
		parameter_format: JSON.stringify(template).includes('{{customer_name}}')
			? 'NAMED'
			: 'POSITIONAL',
		components: asListed(CREATED[what] ?? template),
	});
	// A listed file has the chat application's own link, which it refuses as an example.
	if (!JSON.stringify(listed).includes('files.chatapp.example')) await expectCopy(listed, category);
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
