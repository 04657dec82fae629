/** What the values of a template become when it is sent. */
import { mismatchOf, textsIn } from '../../../../nodes/BusinessMessaging/service/template/check.ts';
import {
	componentsOf,
	withNames,
} from '../../../../nodes/BusinessMessaging/service/template/components.ts';
import {
	isNeeded,
	variablesOf,
} from '../../../../nodes/BusinessMessaging/service/template/variables.ts';
import { listed, NAMED } from './samples.mts';

const LINK = 'https://files.example/invoice.pdf';
const text = (value: string, name?: string) => ({
	type: 'text',
	...(name === undefined ? {} : { parameter_name: name }),
	text: value,
});

it.each<[string, Parameters<typeof componentsOf>, object[]]>([
	[
		'numbered variables without names',
		[
			[
				['header.text', '7'],
				['body.1', 'Ana'],
			],
		],
		[
			{ type: 'header', parameters: [text('7')] },
			{ type: 'body', parameters: [text('Ana')] },
		],
	],
	[
		'named variables with their names',
		[
			[
				['header.text', '7'],
				['body.customer_name', 'Ana'],
				['body.time2', '10:00'],
			],
			'order',
		],
		[
			{ type: 'header', parameters: [text('7', 'order')] },
			{ type: 'body', parameters: [text('Ana', 'customer_name'), text('10:00', 'time2')] },
		],
	],
	[
		'a header whose name nobody knows without one',
		[
			[
				['header.text', '7'],
				['body.customer_name', 'Ana'],
			],
		],
		[
			{ type: 'header', parameters: [text('7')] },
			{ type: 'body', parameters: [text('Ana', 'customer_name')] },
		],
	],
	[
		'a numbered header without one',
		[[['header.text', '7']], '1'],
		[
			{ type: 'header', parameters: [text('7')] },
			{ type: 'body', parameters: [] },
		],
	],
	[
		'a document with its file name',
		[
			[
				['header.document', LINK],
				['header.filename', 'Invoice.pdf'],
			],
		],
		[
			{
				type: 'header',
				parameters: [{ type: 'document', document: { link: LINK, filename: 'Invoice.pdf' } }],
			},
			{ type: 'body', parameters: [] },
		],
	],
	[
		'a document without a file name by its link',
		[
			[
				['header.document', LINK],
				['header.filename', ''],
			],
		],
		[
			{ type: 'header', parameters: [{ type: 'document', document: { link: LINK } }] },
			{ type: 'body', parameters: [] },
		],
	],
])('are %s', (_what, given, components) => {
	expect(componentsOf(...given)).toEqual(components);
});

it('get the names of the template that was read, if they are texts by position', () => {
	const body = (...parameters: object[]) => [{ type: 'body', parameters }];
	expect(withNames(body(text('Ana'), text('10:00')), NAMED)).toEqual(
		body(text('Ana', 'customer_name'), text('10:00', 'time')),
	);
	const own = body(text('10:00', 'time'), text('Ana', 'customer_name'));
	expect(withNames(own, NAMED)).toEqual(own);
	const numbered = listed([{ type: 'BODY', text: 'Hello {{1}}' }]);
	expect(withNames(body(text('Ana')), numbered)).toEqual(body(text('Ana')));
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
	const document = listed([{ type: 'HEADER', format: 'DOCUMENT' }]);
	expect(variablesOf(document)).toEqual([
		{ id: 'header.document', label: 'Header · URL of the document', isNeeded: true },
		{ id: 'header.filename', label: 'Header · File name (optional)', isNeeded: false },
	]);
	const without = componentsOf([['header.document', LINK]]);
	expect(mismatchOf(document, without)).toEqual({ missing: [], needless: [] });
});

it.each([
	['SPM', [{ type: 'HEADER', format: 'PRODUCT' }], [{ type: 'header', parameters: [{}] }]],
	['CATALOG', [], []],
])('of a template with the button %s lack nothing', (type, header, given) => {
	const template = listed([
		...header,
		{ type: 'BODY', text: 'Look' },
		{ type: 'BUTTONS', buttons: [{ type, text: 'View' }] },
	]);
	const components = [...given, { type: 'body', parameters: [] }];
	expect(mismatchOf(template, components)).toEqual({ missing: [], needless: [] });
	// The service takes one, too.
	const button = { type: 'button', sub_type: type.toLowerCase(), index: 0, parameters: [] };
	expect(mismatchOf(template, [...components, button])).toEqual({ missing: [], needless: [] });
});
