/** What the fields of a template become, and what is refused before anything is sent. */
import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../support/constants.mts';
import { run, type Sent, type Setting } from './actionNode.mts';

const business = byId('b1');
const at = '/chatapp/businesses/b1';
const answer = ({ method, path }: Sent) => ({
	body: path.endsWith('/media')
		? { h: '4:handle' }
		: method === 'POST'
			? { id: '7', status: 'PENDING' }
			: { success: true },
});
const perform = async (operation: string, fields: object, setting: Setting = {}) =>
	await run(
		{ resource: 'template', operation, businessId: business, ...fields },
		{ answer, ...setting },
	);

const NEW = { name: 'order', language: 'en_US', category: 'UTILITY', definition: 'fields' };
const examples = (...values: Array<[name: string, example: string]>) => ({
	variableExamples: { values: values.map(([name, example]) => ({ name, example })) },
});
const buttons = (...values: object[]) => ({ templateButtons: { values } });
const HELLO = { body: 'Hello' };
const BODY = { type: 'BODY', text: 'Hello' };
const two = 'Hi {{1}}, order {{2}} is here.';
const link = { type: 'url', text: 'Open', url: 'https://a.example/{{1}}' };
const linked = (value: string) => [
	BODY,
	{
		type: 'BUTTONS',
		buttons: [
			{
				...{ type: 'URL', text: 'Open', url: 'https://a.example/{{1}}' },
				example: [`https://a.example/${value}`],
			},
		],
	},
];
const one = (button: object) => [BODY, { type: 'BUTTONS', buttons: [button] }];

test.each<[string, IDataObject, object[], string?]>([
	['a body alone', HELLO, [BODY]],
	[
		'examples by number, with braces, in any order',
		{ body: two, ...examples(['{{ 2 }}', '1042'], ['1', ' Ana ']) },
		[{ type: 'BODY', text: two, example: { body_text: [['Ana', '1042']] } }],
		'POSITIONAL',
	],
	[
		'examples without a number, of which the second is for variable 2, but not in place of one with',
		{ body: two, ...examples(['', 'Ana'], ['', '1042'], ['1', 'Bo']) },
		[{ type: 'BODY', text: two, example: { body_text: [['Bo', '1042']] } }],
		'POSITIONAL',
	],
	[
		'examples by name, in the order of the text',
		{ body: 'Hi {{who}}, on {{day}}.', ...examples(['day', 'Monday'], ['{{who}}', 'Ana']) },
		[
			{
				type: 'BODY',
				text: 'Hi {{who}}, on {{day}}.',
				example: {
					body_text_named_params: [
						{ param_name: 'who', example: 'Ana' },
						{ param_name: 'day', example: 'Monday' },
					],
				},
			},
		],
		'NAMED',
	],
	[
		'a header of text',
		{ ...HELLO, headerType: 'text', headerText: 'Order {{1}}', ...examples(['1', '7']) },
		[
			{ type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['7'] } },
			BODY,
		],
		'POSITIONAL',
	],
	[
		'a header with a name',
		{ ...HELLO, headerType: 'text', headerText: 'Order {{id}}', ...examples(['id', '7']) },
		[
			{
				...{ type: 'HEADER', format: 'TEXT', text: 'Order {{id}}' },
				example: { header_text_named_params: [{ param_name: 'id', example: '7' }] },
			},
			BODY,
		],
		'NAMED',
	],
	[
		'a number to call',
		{ ...HELLO, ...buttons({ type: 'phone', text: 'Call', phone: '5500000000001' }) },
		one({ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+5500000000001' }),
	],
	['a language whose signs are mended', { ...HELLO, language: 'EN-us' }, [BODY]],
	['a place', { ...HELLO, headerType: 'location' }, [{ type: 'HEADER', format: 'LOCATION' }, BODY]],
	['an empty kind of header', { ...HELLO, headerType: '' }, [BODY]],
	[
		'a header by a public link',
		{ ...HELLO, headerType: 'image', headerSource: 'url', headerUrl: 'https://a.example/b.png' },
		[
			{
				...{ type: 'HEADER', format: 'IMAGE' },
				example: { header_handle: ['https://a.example/b.png'] },
			},
			BODY,
		],
	],
	[
		"a header's own example beside the body's",
		{
			...{ headerType: 'text', headerText: 'Order {{1}}', headerExample: '1042' },
			...{ body: 'Hi {{1}}, hello.', ...examples(['1', 'Ana']) },
		},
		[
			{ type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['1042'] } },
			{ type: 'BODY', text: 'Hi {{1}}, hello.', example: { body_text: [['Ana']] } },
		],
		'POSITIONAL',
	],
	[
		"a link's own example",
		{ ...HELLO, ...buttons({ ...link, example: '42' }), ...examples(['1', '7']) },
		linked('42'),
		'POSITIONAL',
	],
	[
		"a link's example that is the whole address",
		{ ...HELLO, ...buttons({ ...link, example: 'https://a.example/42' }) },
		linked('42'),
		'POSITIONAL',
	],
])(
	'%s is created exactly as published',
	async (_what, fields, components, parameter_format = '') => {
		const { items, sent } = await perform('create', { ...NEW, ...fields });
		expect(sent).toEqual([
			{
				method: 'POST',
				path: `${at}/templates`,
				body: {
					...{ name: 'order', language: 'en_US', category: 'UTILITY' },
					...{ components, ...(parameter_format ? { parameter_format } : {}) },
				},
			},
		]);
		expect(items[0]?.json).toMatchObject({ id: '7', status: 'PENDING', businessId: 'b1' });
	},
);

/** A header with a file. */
const withFile = (binary: IDataObject, data = Buffer.from('a file')): [IDataObject, Setting] => [
	{ ...NEW, ...HELLO, headerType: 'image', headerBinaryField: 'file' },
	{
		input: [{ json: {}, binary: { file: { data: '', mimeType: 'a/b', ...binary } } }],
		helpers: { getBinaryDataBuffer: async () => data },
	},
];

test.each<[IDataObject, string, string?]>([
	[{ mimeType: 'image/png\r\nX-Own: 1', fileName: 'a"\r\nX-Own: 1' }, 'application/octet-stream'],
	[{ mimeType: '' }, 'application/octet-stream'],
	[{ mimeType: 'image/png; charset=x' }, 'image/png'],
	[{ mimeType: 'image/webp' }, 'image/png', '\x89PNG\r\n'],
])(
	'a file of %j is uploaded as %s, without headers of its own',
	async (binary, type, head = '') => {
		const [fields, setting] = withFile(binary, Buffer.from(`${head}a file`, 'latin1'));
		let form = '';
		const httpRequestWithAuthentication = async (_type: string, { body }: { body: unknown }) => {
			if (Buffer.isBuffer(body)) form = body.toString('latin1');
			return { statusCode: 200, headers: {}, body: { h: '4:handle', id: '7' } };
		};
		const helpers = { ...setting.helpers, httpRequestWithAuthentication };
		await perform('create', fields, { ...setting, helpers });
		expect(form).toContain(`\r\nContent-Type: ${type}\r\n\r\n${head}a file\r\n`);
		expect(form).not.toMatch(/\nX-Own/);
		const [wrong, given] = withFile({ mimeType: 'image/png' }, Buffer.from('%PDF-1.7'));
		await expect(perform('create', wrong, given)).rejects.toThrow(/application\/pdf.* IMAGE takes/);
	},
);

test('a try again creates the template whose file alone may have arrived', async () => {
	const [fields, setting] = withFile({});
	const store = {};
	let isDown = true;
	const failing = (request: Sent) => (isDown ? { statusCode: 504, body: '' } : answer(request));
	const again = async () => await perform('create', fields, { ...setting, store, answer: failing });
	await expect(again()).rejects.toThrow(/upload the file/);
	isDown = false;
	expect((await again()).items[0]?.json).toMatchObject({ id: '7' });
});

test('what the service adds to its answer is not kept with the execution', async () => {
	const store = {};
	const two = [{ json: {} }, { json: {} }];
	let count = 0;
	const once = () =>
		(count += 1) === 1
			? { body: { id: '7', echo: 'Bearer sk_1' } }
			: { statusCode: 400, body: { error: 'no' } };
	await expect(
		perform('create', { ...NEW, ...HELLO }, { input: two, store, answer: once }),
	).rejects.toThrow();
	expect(JSON.stringify(store)).toMatch(/7/);
	expect(JSON.stringify(store)).not.toMatch(/sk_1/);
});

const json = (components: unknown, more: object = {}) => ({
	...{ definition: 'json', components: JSON.stringify(components), ...more },
});

test('of a whole template, the components and the form of its variables count', async () => {
	const whole = { id: '1', name: 'x', language: 'de', status: 'REJECTED', category: 'MARKETING' };
	const components = [
		{ type: 'FOOTER', text: 'Hi' },
		{ ...BODY, text: 'Hi {{1}}, hello.', example: { body_text: [['Ana']] } },
	];
	const given = json({ ...whole, parameter_format: 'NAMED', components });
	const { sent } = await perform('create', { ...NEW, ...given });
	const { name, language, category } = NEW;
	const parameter_format = 'NAMED';
	expect(sent[0]?.body).toEqual({ name, language, category, components, parameter_format });
});

const listedImage = (...header_handle: string[]) => ({
	...{ type: 'HEADER', format: 'IMAGE', example: { header_handle } },
});

test('a copy has the lifetime of the template, unless a field says another', async () => {
	const given = json({ id: '1', message_send_ttl_seconds: 600, components: [BODY] });
	const lifetimeOf = async (fields: object) =>
		(await perform('create', { ...NEW, ...given, ...fields })).sent[0]?.body
			.message_send_ttl_seconds;
	expect(await lifetimeOf({})).toBe(600);
	for (const seconds of [30, 43_200, -1])
		expect(await lifetimeOf({ additionalFields: { messageSendTtlSeconds: seconds } })).toBe(
			seconds,
		);
});

test('a handle of a listed template, and a link in a list of components, are sent', async () => {
	const link = [listedImage('https://a.example/b.png'), BODY];
	for (const given of [link, { id: '1', components: [listedImage('4:handle'), BODY] }])
		expect((await perform('create', { ...NEW, ...json(given) })).sent).toHaveLength(1);
});

test('numbers of a list leave as the service takes them', async () => {
	const phone = { type: 'PHONE_NUMBER', text: 'Call', phone_number: '5500000000001' };
	const { sent } = await perform('create', { ...NEW, ...json(one(phone)) });
	expect(sent[0]?.body.components).toEqual(one({ ...phone, phone_number: '+5500000000001' }));
});

const BY_LINK = { ...HELLO, headerType: 'image', headerSource: 'url' };
const AT_HOME = 'http://127.0.0.1/shop.png';
test.each<[IDataObject, ...RegExp[]]>([
	[{ body: '{{1}}, hello.', ...examples(['1', 'Ana']) }, /^Item 0: "Body" begins/, /^Item 1: /],
	[{ ...BY_LINK, headerUrl: AT_HOME }, /cannot reach http.* public address\.$/, /cannot reach/],
	[json([{ type: 'CAROUSEL', cards: [{ components: [listedImage(AT_HOME)] }] }]), /not r/, /not r/],
	[{ ...HELLO, ...buttons({ ...link, url: 'http://localhost/' }) }],
])('what may be refused, as of %j, is sent with a hint', async (fields, ...words) => {
	const input = [{ json: {} }, { json: {} }];
	const { sent, hints } = await perform('create', { ...NEW, ...fields }, { answer, input });
	expect(sent).toHaveLength(2);
	expect(hints).toEqual(words.map((each): unknown => expect.stringMatching(each)));
});

const listedCode = (footer: object[]) => [
	{ type: 'BODY', text: '{{1}} is your code.' },
	...footer,
	{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy', url: 'https://a.example/{{1}}' }] },
];
const ADVICE = { type: 'BODY', add_security_recommendation: true };
const COPY = [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy' }];
const PLAIN = [
	{ type: 'BODY', add_security_recommendation: false },
	{ type: 'FOOTER', code_expiration_minutes: 5 },
];
test.each<[object[], object[]]>([
	[listedCode([]), [ADVICE, { type: 'BUTTONS', buttons: COPY }]],
	[
		listedCode([{ type: 'FOOTER', text: 'It ends in 10 minutes.' }]),
		[ADVICE, { type: 'FOOTER', code_expiration_minutes: 10 }, { type: 'BUTTONS', buttons: COPY }],
	],
	[listedCode([{ type: 'FOOTER', text: 'Soon' }]), [ADVICE, { type: 'BUTTONS', buttons: COPY }]],
	[PLAIN, PLAIN],
])('an access code that is listed as %j is created as %j', async (components, created) => {
	const category = 'AUTHENTICATION';
	const { sent } = await perform('create', { ...NEW, category, ...json(components) });
	expect(sent[0]?.body).toMatchObject({ category, components: created });
	expect((sent[0]?.body.components as object[]).length).toBe(created.length);
});

test.each<[IDataObject, RegExp]>([
	[{ name: 'Order' }, /^"Name" is "Order"\. .*lower case letters/],
	[{ language: '' }, /"Language"/],
	[{ language: 'Portuguese (BR)' }, /"Language" is "Portuguese \(BR\)".*nearest is pt_BR/],
	[{ language: 'x1' }, /such as en_US/],
	[
		{ name: 'A', language: 'b1', body: '', footer: 'x'.repeat(61), ...buttons({ text: '' }) },
		/^There are 5 mistakes\. \(1\) "Name" .*\(2\) "Lang.*\(3\) "Body".*\(4\) "Text".*\(5\) "Footer"/,
	],
	[{ ...buttons(...Array.from({ length: 7 }, () => ({ text: '' }))) }, /\(5\) .* And 2 more\.$/],
	[{ category: 'OTHER' }, /"Category" is "OTHER"/],
	[{ category: 'AUTHENTICATION' }, /"Category" is Authentication.*"As JSON"/],
	[{ body: '' }, /"Body"/],
	[{ body: two, ...examples(['1', 'Ana']) }, /^"Body" has no example for \{\{2\}\}.*"Variable Ex/],
	[{ body: 'x'.repeat(1025) }, /^"Body" has 1025/],
	[{ headerType: 'text', headerText: ' ' }, /"Header Text"/],
	[{ headerType: 'text', headerText: 'a {{1}}' }, /^"Header Text" has no ex.*"Header Example"/],
	[{ headerType: 'map' }, /"Header" is "map"/],
	[{ headerType: 'image', headerSource: 'url', headerUrl: 'a.example' }, /"Header URL" is not/],
	[
		buttons({ type: 'phone', text: 'a', phone: '11 98888-0000' }),
		/^Button 1 of "Buttons" has the phone number "11 98888-0000", whose country code/,
	],
	[
		{ additionalFields: { messageSendTtlSeconds: 29 } },
		/"Message Lifetime \(Seconds\)" is 29.* 30 to 43200/,
	],
	[
		json({
			id: '1',
			status: 'APPROVED',
			components: [listedImage('https://chat.example/x'), BODY],
		}),
		/^The HEADER of "Components" has a link of the chat application.* public link.* file/,
	],
	[{ headerType: 'image', headerBinaryField: 'x' }, /no file in the.* URL in "Header Source"/],
	[{ footer: 'By {{1}}' }, /^"Footer" has a variable/],
	[{ variableExamples: { values: [{ name: {}, example: '' }] } }, /Variable 1 of "Variable Ex/],
	[buttons({ text: ' ' }), /^"Text" of Button 1 of "Buttons" is empty/],
	[buttons({ text: 'a' }, { type: 'phone', text: 'a' }), /^"Phone Number" of Button 2/],
	[buttons({ type: 'copyCode' }), /^"Example" of Button 1/],
	[buttons({ type: 'url', text: 'a' }), /^"URL" of Button 1/],
	[buttons({ ...link, url: 'a.example' }), /^"URL" of Button 1 of "Buttons" is not a URL/],
	[buttons({ ...link, example: '' }), /^Button 1 of "Buttons" has no example/],
	[buttons({ type: 'sms', text: 'a' }), /^"Type" of Button 1 of "Buttons" is "sms"/],
	[buttons(...Array.from({ length: 11 }, () => ({ text: 'a' }))), /^"Buttons" has 11/],
	[json([]), /"Components" is no list/],
	[{ definition: 'json', components: '[' }, /"Components" is not valid JSON/],
	[json([{ type: 'BODY', text: two }]), /2 mis.*The BODY of "Components" .* \{\{1\}\}.*\{\{2\}\}/],
	[{ additionalFields: { messageSendTtlSeconds: 1.5 } }, /"Message Lifetime \(Seconds\)"/],
])('%j is refused before anything is sent, by its name', async (fields, words) => {
	let requests = 0;
	const count = (request: Sent) => {
		requests += 1;
		return answer(request);
	};
	const given = { ...NEW, ...HELLO, ...fields };
	await expect(perform('create', given, { answer: count })).rejects.toThrow(words);
	expect(requests).toBe(0);
});

test.each<[IDataObject]>([
	[{ category: 'x'.repeat(1e5) }],
	[buttons({ ...link, url: `https://a.example/${'{{1}}a'.repeat(1e5)}`, example: '1' })],
	[buttons({ type: 'x'.repeat(1e5), text: 'a' })],
])('an error quotes the beginning alone', async (fields) => {
	const error: unknown = await perform('create', { ...NEW, ...HELLO, ...fields }).catch(
		(thrown: unknown) => thrown,
	);
	expect((error as Error).message.length).toBeLessThan(300);
});

test.each([
	['en_US', 1],
	['de', 2],
])(
	'after a try that created the first of two in en_US, one in %s is created: %i',
	async (language, count) => {
		const common = { store: {}, input: [{ json: {} }, { json: {} }] };
		let tries = 0;
		const failing = () => (++tries > 1 ? { statusCode: 422, body: {} } : { body: { id: '7' } });
		await expect(
			perform('create', { ...NEW, ...HELLO }, { ...common, answer: failing }),
		).rejects.toThrow();
		expect((await perform('create', { ...NEW, ...HELLO, language }, common)).sent).toHaveLength(
			count,
		);
	},
);

test('a file that is too large is refused before it is read, and one of 100 MB is not', async () => {
	const getBinaryDataBuffer = jest.fn(async () => Buffer.from('a'));
	let fileSize = 100 * 1024 ** 2;
	const getBinaryMetadata = async () => ({ fileSize });
	const create = async () =>
		await perform(
			'create',
			{ ...NEW, ...HELLO, headerType: 'video', headerBinaryField: 'file' },
			{
				input: [{ json: {}, binary: { file: { id: 'x', data: '', mimeType: 'video/mp4' } } }],
				helpers: { getBinaryDataBuffer, getBinaryMetadata },
			},
		);
	await create();
	fileSize += 1;
	await expect(create()).rejects.toThrow(
		/The file in the field "file" is too large.*at most 100 MB/,
	);
	expect(getBinaryDataBuffer).toHaveBeenCalledTimes(1);
});
