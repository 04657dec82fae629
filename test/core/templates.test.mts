/** Send Template with templates that can be read: from the list, by name, and what is refused. */
import type { IDataObject } from 'n8n-workflow';

import { listed, NAMED, ORDER } from '../unit/service/template/samples.mts';
import { byId, CHANNEL } from '../support/constants.mts';
import { runInEngine } from './harness/engine.mts';
import { startTemplateService, type Templates } from './harness/templateService.mts';

const RECIPIENT = '5500000000101';
const VALUES: Record<string, string> = {
	'header.text': '1042',
	'body.1': 'Ana',
	'body.2': 'No. 1042',
	'button.0.payload': '',
	'button.1.url': '1042',
	'button.3.code': 'HELLO10',
};

const fromList = (value = 'order_update/en_US', values: IDataObject = VALUES, removed = '') => ({
	template: { __rl: true, mode: 'list', value },
	templateVariables: {
		mappingMode: 'defineBelow',
		value: values,
		schema: Object.keys(values).map((id) => ({
			id,
			displayName: `Label of ${id}`,
			type: 'string',
			required: false,
			display: true,
			defaultMatch: false,
			...(id === removed ? { removed: true } : {}),
		})),
	},
});
const byName = (value: string, ...bodyParameters: string[]) => ({
	template: { __rl: true, mode: 'name', value },
	bodyParameters,
});

let service: Awaited<ReturnType<typeof startTemplateService>>;
const withTemplates = async (...templates: object[]) => {
	service = await startTemplateService({ businesses: { b1: templates }, businessId: 'b1' });
};
const start = async (templates: Templates) => {
	service = await startTemplateService(templates);
};
afterEach(async () => await service.close());

async function send(entered: IDataObject, items: object[] = [{}], credential: IDataObject = {}) {
	const { items: output, error } = await runInEngine({
		baseUrl: service.url,
		credential,
		parameters: {
			resource: 'message',
			operation: 'sendTemplate',
			channelId: byId(CHANNEL),
			recipient: RECIPIENT,
			...entered,
		},
		input: items.map((json) => ({ json: json as IDataObject })),
	});
	const hint = error?.description;
	return { output: output.map(({ json }) => json), error: error?.message, hint };
}

interface Sent {
	components: object[];
}
const template = () =>
	service
		.sent()
		.map((content) => (content as { attachments: [{ template: Sent }] }).attachments[0].template);
const text = (value: string, name?: string) => ({
	type: 'text',
	...(name === undefined ? {} : { parameter_name: name }),
	text: value,
});

describe('from the list', () => {
	it("sends the variables in the template's order, however they were saved", async () => {
		await withTemplates(ORDER);
		const saved = Object.fromEntries(Object.entries(VALUES).reverse());
		const { output, error } = await send(fromList(undefined, saved));
		expect(error).toBeUndefined();
		expect(template()).toEqual([
			{
				name: 'order_update',
				language: { policy: 'deterministic', code: 'en_US' },
				components: [
					{ type: 'header', parameters: [text('1042')] },
					{ type: 'body', parameters: [text('Ana'), text('No. 1042')] },
					{ type: 'button', sub_type: 'url', index: 1, parameters: [text('1042')] },
					{
						type: 'button',
						sub_type: 'copy_code',
						index: 3,
						parameters: [{ type: 'coupon_code', coupon_code: 'HELLO10' }],
					},
				],
			},
		]);
		expect(output[0]?.text).toBe(
			'Order 1042\n\nHello Ana, your order No. 1042 leaves today.\nThanks, Ana!\n\nThe shop',
		);
	});

	const named = [text('Ana', 'customer_name'), text('10:00', 'time')];

	it("sends a header's name as the template has it, or else as its field was labelled", async () => {
		const header = { type: 'HEADER', format: 'TEXT', text: 'Order {{order_id}}' };
		const values = { 'header.text': '7', 'body.customer_name': 'Ana', 'body.time': '10:00' };
		const entered = fromList(undefined, values);
		const sent = (name?: string) => [
			{ components: [{ type: 'header', parameters: [text('7', name)] }, { parameters: named }] },
		];
		await withTemplates({ ...NAMED, components: [header, ...(NAMED.components ?? [])] });
		await send(entered);
		expect(template()).toMatchObject(sent('order_id'));
		await service.close();
		await start({ businesses: {} });
		await send(entered);
		expect(template()).toMatchObject(sent());
		expect(JSON.stringify(template()[0])).not.toContain('"parameter_name":"order_id"');
		entered.templateVariables.schema[0]!.displayName = 'Header order_id · e.g. 7 · Order …';
		await send(entered);
		expect(template().slice(1)).toMatchObject(sent('order_id'));
	});

	const { 'body.2': _body, ...tooFew } = VALUES;
	it.each<[string, IDataObject, RegExp]>([
		[
			'an empty variable',
			fromList(undefined, { ...VALUES, 'body.2': ' ' }),
			/"Label of body.2" is empty/,
		],
		[
			'an empty file of the header',
			fromList(undefined, { ...VALUES, 'header.image': '' }),
			/enter the public address of a file.* only an example/,
		],
		['a removed field', fromList(undefined, VALUES, 'body.1'), /"Label of body.1" is empty/],
		['a value without a language', fromList('order_update'), /choose "By Name"/],
		['an expression', fromList('={{ "order_update/en_US" }}'), /choose "By Name"/],
		['a new variable', fromList(undefined, tooFew), /needs Body 2 · .*choose it again/],
		[
			'a variable too many',
			fromList(undefined, { ...VALUES, 'body.3': 'x' }),
			/does not take Body 3\. .*choose it again/,
		],
		[
			'an unknown template',
			fromList('order_updates/en_US'),
			/has no template "order_updates".*It may have been deleted: choose another one/,
		],
		['another language', fromList('order_update/pt_BR'), /no language "pt_BR", only en_US/],
	])('refuses %s before anything is sent', async (_what, entered, words) => {
		await withTemplates(ORDER);
		const { error } = await send(entered);
		expect(error).toMatch(words);
		expect(service.sent()).toEqual([]);
	});

	it.each([
		['PENDING', /is PENDING, and only an APPROVED one can be sent\. .*wait until it is approved/],
		['REJECTED', /is REJECTED, .*Change it with Template → Update, which submits it again/],
		['PAUSED', /is PAUSED, .*customers reported it: change it with Template → Update/],
	])('refuses one that is %s, and says what to do', async (status, words) => {
		await withTemplates({ ...ORDER, status });
		const { error } = await send(fromList());
		expect(error).toContain('"order_update" (en_US)');
		expect(error).toMatch(words);
		expect(service.sent()).toEqual([]);
	});

	it('names one that was paused after it was read, and refused by the service', async () => {
		const description = 'order_update is PAUSED';
		const errors = [{ code: 132015, message: 'Template is not approved', description }];
		const onMessage = (): [number, object] => [400, { error: { errors } }];
		await start({ businesses: { b1: [ORDER] }, businessId: 'b1', onMessage });
		const { error, hint } = await send(fromList());
		expect(error).toContain('order_update is PAUSED');
		expect(hint).toMatch(/"order_update" \(en_US\): It may have been paused.*Template → Update/);
		expect(service.sent()).toHaveLength(1);
	});

	it('names the parts that only Additional Components can give, and takes them', async () => {
		const cards = listed([{ type: 'BODY', text: 'Look' }, { type: 'CAROUSEL' }]);
		await withTemplates(cards);
		expect((await send(fromList(undefined, {}))).error).toMatch(
			/needs the cards in "Additional Components"/,
		);
		const given = [{ type: 'carousel', cards: [] }];
		await send({ ...fromList(undefined, {}), additionalComponents: JSON.stringify(given) });
		expect(template()).toMatchObject([{ components: [{ type: 'body' }, given[0]] }]);
	});

	it('outputs the text of now, or says when the template was read', async () => {
		const hello = (words: string) => listed([{ type: 'BODY', text: `${words} {{1}}` }]);
		const businesses = { b1: [hello('Hello')] as object[] };
		await start({ businesses, businessId: 'b1' });
		const toAna = fromList(undefined, { 'body.1': 'Ana' });
		const before = new Date().toISOString();
		const first = await send(toAna, [{}, {}]);
		const after = new Date().toISOString();
		for (const item of first.output) {
			expect(item.text).toBe('Hello Ana');
			expect(item).not.toHaveProperty('textReadAt');
		}
		businesses.b1 = [hello('Goodbye')];
		const [remembered] = (await send(toAna)).output;
		expect(remembered?.text).toBe('Hello Ana');
		const readAt = String(remembered?.textReadAt);
		expect([before <= readAt, readAt <= after]).toEqual([true, true]);
		// By a reading of its own, because the remembered one has no such field.
		businesses.b1 = [listed([{ type: 'BODY', text: '{{1}} and {{2}}' }])];
		const [fresh] = (await send(fromList(undefined, { 'body.1': 'Ana', 'body.2': 'Ben' }))).output;
		expect(fresh?.text).toBe('Ana and Ben');
		expect(fresh).not.toHaveProperty('textReadAt');
	});

	it('reads the templates once for many items', async () => {
		await withTemplates(ORDER);
		await send(
			fromList(),
			Array.from({ length: 20 }, () => ({})),
		);
		expect(service.sent()).toHaveLength(20);
		expect(service.reads()).toHaveLength(2);
	});

	it('goes by no template if two businesses have different ones of this name', async () => {
		await start({ businesses: { b1: [NAMED], b2: [ORDER] } });
		const { error, output } = await send(fromList(undefined, { 'body.1': 'Ana' }));
		expect(error).toBeUndefined();
		expect(output[0]).not.toHaveProperty('text');
	});
});

describe('by name', () => {
	it('takes the language behind the name, as the list leaves it', async () => {
		await withTemplates({ ...NAMED, language: 'pt_BR' });
		const { output } = await send(byName('order_update/pt_BR', 'Ana', '10:00'));
		expect(template()).toMatchObject([
			{
				...{ name: 'order_update', language: { code: 'pt_BR' } },
				components: [{ parameters: [text('Ana', 'customer_name'), text('10:00', 'time')] }],
			},
		]);
		expect(output[0]?.text).toBe('Hello Ana, see you at 10:00.');
	});

	const media = { headerMediaUrl: 'https://files.example/a.png' };

	it.each([
		['https://files.example/a/Rechnung%20M%C3%A4rz.pdf?x=1.doc', '', 'Rechnung März.pdf'],
		['https://files.example/a.pdf', 'Invoice 4711.pdf', 'Invoice 4711.pdf'],
		['https://files.example/invoices/4711', '', undefined],
		['https://files.example/', '', undefined],
	])("names the header's document: %s %j", async (link, headerMediaFilename, filename) => {
		await start({ businesses: {} });
		const file = { headerMediaUrl: link, headerMediaType: 'document', headerMediaFilename };
		await send({ ...byName('photo', 'Ana'), ...file });
		const document = { link, ...(filename === undefined ? {} : { filename }) };
		const header = { type: 'header', parameters: [{ type: 'document', document }] };
		expect(template()).toEqual([
			expect.objectContaining({ components: [header, expect.anything()] }),
		]);
	});

	it('names the first ten of what is missing', async () => {
		const thousands = Array.from({ length: 4000 }, (_, at) => `{{${at + 1}}}`).join(' ');
		await withTemplates(listed([{ type: 'BODY', text: thousands }]));
		const { error } = await send(byName('order_update', 'Ana'));
		expect(error).toMatch(/needs Body 2 · … … ….*, Body 11 · [… ]+ and 3989 more\. Check/);
		expect(error?.length).toBeLessThan(1000);
		expect(service.sent()).toEqual([]);
	});

	it.each<[string, IDataObject, RegExp]>([
		[
			'too few texts',
			byName('order_update', 'Ana'),
			/needs Body 2 · time · .*Check "Body Parameters"/,
		],
		['too many texts', byName('order_update', '1', '2', '3'), /does not take text 3 of the body/],
		['a header', { ...byName('order_update', '1', '2'), ...media }, /does not take a header/],
		['an unknown template', byName('none', 'Ana'), /has no template "none"/],
		['no name', byName(' '), /"Template" is empty/],
	])('refuses %s before anything is sent', async (_what, entered, words) => {
		await withTemplates(NAMED);
		const { error } = await send(entered);
		expect(error).toMatch(words);
		expect(service.sent()).toEqual([]);
	});

	it('leaves to the service what a list that was not read to its end does not hold', async () => {
		const many = Array.from({ length: 100 }, (_, at) => ({ ...NAMED, name: `other_${at}` }));
		await start({ businesses: { b1: many }, businessId: 'b1', pageSize: 1 });
		expect((await send(byName('order_update', 'Ana'))).error).toBeUndefined();
		expect(service.sent()).toHaveLength(1);
	});
});
