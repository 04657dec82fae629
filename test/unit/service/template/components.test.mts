/** What the values of a template become when it is sent. */
import type { SendContent } from '#nodes/service/contract/index.ts';
import { withPayloads } from '#nodes/service/template/components.ts';
import { mismatchOf, textsIn } from '#nodes/service/template/check.ts';
import { componentsOf, withNames } from '#nodes/service/template/components.ts';
import { isNeeded, variablesOf } from '#nodes/service/template/variables.ts';
import { listed, NAMED } from './samples.mts';

const LINK = 'https://files.example/invoice.pdf';
const text = (value: string, name?: string) => ({
	type: 'text',
	...(name === undefined ? {} : { parameter_name: name }),
	text: value,
});

const header = (...parameters: object[]) => ({ type: 'header', parameters });
const body = (...parameters: object[]) => ({ type: 'body', parameters });
const document = (more: object = {}) => ({ type: 'document', document: { link: LINK, ...more } });
const FILE = 'Invoice.pdf';

/** Of the values by their variables, with the name of the header's variable, if that is known. */
it.each<[string, Record<string, string>, string | undefined, object[]]>([
	[
		'numbered variables without names',
		{ 'header.text': '7', 'body.1': 'Ana' },
		undefined,
		[header(text('7')), body(text('Ana'))],
	],
	[
		'named variables with their names',
		{ 'header.text': '7', 'body.customer_name': 'Ana', 'body.time2': '10:00' },
		'order',
		[header(text('7', 'order')), body(text('Ana', 'customer_name'), text('10:00', 'time2'))],
	],
	[
		'a header whose name nobody knows without one',
		{ 'header.text': '7', 'body.customer_name': 'Ana' },
		undefined,
		[header(text('7')), body(text('Ana', 'customer_name'))],
	],
	['a numbered header without one', { 'header.text': '7' }, '1', [header(text('7')), body()]],
	[
		'a document with its file name',
		{ 'header.document': LINK, 'header.filename': FILE },
		undefined,
		[header(document({ filename: FILE })), body()],
	],
	[
		'a document without a file name by the end of its link',
		{ 'header.document': LINK, 'header.filename': '' },
		undefined,
		[header(document({ filename: 'invoice.pdf' })), body()],
	],
])('are %s', (_what, values, headerName, components) => {
	expect(componentsOf(Object.entries(values), headerName)).toEqual(components);
});

it('get the names of the template that was read, if they are texts by position', () => {
	expect(withNames([body(text('Ana'), text('10:00'))], NAMED)).toEqual([
		body(text('Ana', 'customer_name'), text('10:00', 'time')),
	]);
	const own = [body(text('10:00', 'time'), text('Ana', 'customer_name'))];
	expect(withNames(own, NAMED)).toEqual(own);
	const numbered = listed([{ type: 'BODY', text: 'Hello {{1}}' }]);
	expect(withNames([body(text('Ana'))], numbered)).toEqual([body(text('Ana'))]);
});

it('that have names go to their variables, whatever their order', () => {
	const parameters = [text('10:00', 'time'), text('Ana', 'customer_name')];
	expect([...textsIn(NAMED, [{ type: 'body', parameters }])]).toEqual([
		['body.customer_name', 'Ana'],
		['body.time', '10:00'],
	]);
});

it('of a body variable named payload are needed', () => {
	expect(isNeeded('body.payload')).toBe(true);
	expect(isNeeded('button.0.payload')).toBe(false);
});

it("of a header's document are its address and, if wanted, its file name", () => {
	const template = listed([{ type: 'HEADER', format: 'DOCUMENT' }]);
	expect(variablesOf(template)).toEqual([
		{ id: 'header.document', label: 'Header · URL of the document', isNeeded: true },
		{ id: 'header.filename', label: 'Header · File name (optional)', isNeeded: false },
	]);
	const without = componentsOf([['header.document', LINK]]);
	expect(mismatchOf(template, without)).toEqual({ missing: [], needless: [] });
});

it.each([
	['SPM', [{ type: 'HEADER', format: 'PRODUCT' }], [{ type: 'header', parameters: [{}] }]],
	['CATALOG', [], []],
])('of a template with the button %s lack nothing', (type, parts, given) => {
	const template = listed([
		...parts,
		{ type: 'BODY', text: 'Look' },
		{ type: 'BUTTONS', buttons: [{ type, text: 'View' }] },
	]);
	const components = [...given, { type: 'body', parameters: [] }];
	expect(mismatchOf(template, components)).toEqual({ missing: [], needless: [] });
	// The service takes one, too.
	const button = { type: 'button', sub_type: type.toLowerCase(), index: 0, parameters: [] };
	expect(mismatchOf(template, [...components, button])).toEqual({ missing: [], needless: [] });
});

test('a payload goes where its button is among the others', () => {
	const button = (index: string) => ({ type: 'button', sub_type: 'url', index, parameters: [] });
	const template = { name: 'a', language: { code: 'en' }, components: [button('0'), button('2')] };
	const content = { type: 'TEMPLATE', attachments: [{ template }] } as unknown as SendContent;
	const components = ['0', 1, '2'].map((index) => ({ index }));
	expect(withPayloads(content, [{ index: 1, payload: 'p' }])).toMatchObject({
		attachments: [{ template: { components } }],
	});
});
