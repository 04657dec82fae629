/** Every request and answer of a template that the service's pages show, with made-up values. */
import {
	businessesSchema,
	sendRequestSchema,
	templatePageSchema,
} from '../../nodes/BusinessMessaging/service/contract';
import { CUSTOMER, testSandbox } from './deliveryHarness.mts';

const sandbox = testSandbox();

const LINK = 'https://files.example/order.png';

const text = (value: string, name?: string) => ({
	type: 'text',
	...(name === undefined ? {} : { parameter_name: name }),
	text: value,
});
const body = (...parameters: object[]) => ({ type: 'body', parameters });
const header = (...parameters: object[]) => ({ type: 'header', parameters });
const button = (subType: string, index: number, ...parameters: object[]) => ({
	...{ type: 'button', sub_type: subType, index, parameters },
});
const action = (given: object) => ({ type: 'action', action: given });
const file = (media: string, given: object) => header({ type: media, [media]: given });
const product = { catalog_id: '7', product_retailer_id: 'sku-1' };

const BODY = { type: 'BODY', text: 'Hello' };
const NAMED = [{ type: 'BODY', text: 'Hello {{customer_name}}, order {{order_id}}' }];
const withButton = (type: string, more: object = {}, ...parts: object[]) => [
	...parts,
	BODY,
	{ type: 'BUTTONS', buttons: [{ type, text: 'Open', ...more }] },
];
const withHeader = (format: string) => [{ type: 'HEADER', format }, BODY];
const mpm = (sections: number, items: number) =>
	action({
		thumbnail_product_retailer_id: 'sku-1',
		sections: Array.from({ length: sections }, (_, at) => ({
			title: `Section ${at}`,
			product_items: Array.from({ length: items }, () => ({ product_retailer_id: 'sku-1' })),
		})),
	});
const ORDER = {
	...{ reference_id: 'r1', type: 'digital-goods', payment_type: 'br' },
	...{ payment_settings: [], currency: 'BRL', total_amount: { value: 1000, offset: 100 } },
	order: { status: 'pending', items: [], subtotal: { value: 1000, offset: 100 }, tax: {} },
};
const CODE = [
	{ type: 'BODY', add_security_recommendation: true },
	{ type: 'FOOTER', code_expiration_minutes: 10 },
	{ type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] },
];
const CODE_AS_LISTED = [
	{ type: 'BODY', text: '*{{1}}* is your code.' },
	{
		type: 'BUTTONS',
		buttons: [{ type: 'URL', text: 'Copy code', url: 'https://code.example/?code={{1}}' }],
	},
];

const PRODUCT_CARD = [header({ type: 'product', product }), button('spm', 0)];

interface Published {
	template: object[];
	sent: object[];
	category?: string;
}
const REQUESTS: Record<string, Published> = {
	'a body without parameters': { template: [BODY], sent: [body()] },
	'a template of the library': { template: [BODY], sent: [] },
	'named variables by position': { template: NAMED, sent: [body(text('Ana'), text('7'))] },
	'named variables by their names': {
		template: NAMED,
		sent: [body(text('Ana', 'customer_name'), text('7', 'order_id'))],
	},
	'a text in the header': {
		template: [{ type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' }, BODY],
		sent: [header(text('7')), body()],
	},
	'an image': { template: withHeader('IMAGE'), sent: [file('image', { link: LINK }), body()] },
	'a file by its id': { template: withHeader('VIDEO'), sent: [file('video', { id: '9' }), body()] },
	'a document with its name': {
		template: withHeader('DOCUMENT'),
		sent: [file('document', { link: LINK, filename: 'Order 7.pdf' }), body()],
	},
	'a quick reply': {
		template: withButton('QUICK_REPLY'),
		sent: [body(), button('quick_reply', 0, { type: 'payload', payload: 'yes' })],
	},
	'a URL': {
		template: withButton('URL', { url: 'https://shop.example/{{1}}' }),
		sent: [body(), button('url', 0, text('7'))],
	},
	'a number to call': {
		template: withButton('PHONE_NUMBER', { phone_number: '+5500000000001' }),
		sent: [body(), button('phone_number', 0)],
	},
	'a call': { template: withButton('VOICE_CALL'), sent: [body(), button('voice_call', 0)] },
	'a coupon code': {
		template: withButton('COPY_CODE', { example: 'HELLO10' }),
		sent: [body(), button('copy_code', 0, { type: 'coupon_code', coupon_code: 'HELLO10' })],
	},
	'a coupon code without parameters': {
		template: withButton('COPY_CODE', { example: 'HELLO10' }),
		sent: [body(), button('copy_code', 0)],
	},
	'an access code': {
		...{ template: CODE, category: 'AUTHENTICATION' },
		sent: [body(text('123456')), button('url', 0, text('123456'))],
	},
	'an access code, as it is listed': {
		...{ template: CODE_AS_LISTED, category: 'AUTHENTICATION' },
		sent: [body(text('123456')), button('url', 0, text('123456'))],
	},
	"an offer's end": {
		template: [BODY, { type: 'LIMITED_TIME_OFFER' }],
		sent: [
			body(),
			{
				type: 'limited_time_offer',
				parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 1 } }],
			},
		],
	},
	cards: {
		template: [BODY, { type: 'CAROUSEL', cards: [] }],
		sent: [body(), { type: 'carousel', cards: [{ card_index: 0, components: [body()] }] }],
	},
	'cards of products': {
		template: [BODY, { type: 'CAROUSEL', cards: [] }],
		sent: [body(), { type: 'carousel', cards: [{ card_index: 0, components: PRODUCT_CARD }] }],
	},
	'a flow': {
		template: withButton('FLOW'),
		sent: [body(), button('flow', 0, action({ flow_token: 't', flow_action_data: {} }))],
	},
	'a product': {
		template: withButton('SPM', {}, { type: 'HEADER', format: 'PRODUCT' }),
		sent: [header({ type: 'product', product }), body()],
	},
	'a product, with its button': {
		template: withButton('SPM', {}, { type: 'HEADER', format: 'PRODUCT' }),
		sent: [header({ type: 'product', product }), body(), button('spm', 0)],
	},
	'a catalogue': { template: withButton('CATALOG'), sent: [body()] },
	'a catalogue with its picture': {
		template: withButton('CATALOG'),
		sent: [body(), button('catalog', 0, action({ thumbnail_product_retailer_id: 'sku-1' }))],
	},
	'several products': {
		template: withButton('MPM'),
		sent: [body(), button('mpm', 0, mpm(10, 3))],
	},
	'a payment': {
		template: withButton('PAYMENT_REQUEST'),
		sent: [body(), button('checkout', 0, action({ reference_id: 'r1', type: 'digital-goods' }))],
	},
	'an order': {
		template: withButton('ORDER_DETAILS'),
		sent: [body(), button('order_details', 0, action({ order_details: ORDER }))],
	},
};

const language = { policy: 'deterministic', code: 'en_US' };
const requestOf = (components: object[]) => ({
	recipient: { identifier: CUSTOMER },
	content: {
		type: 'TEMPLATE',
		attachments: [{ template: { name: 'sample', language, components } }],
	},
});
const make = async (components: object[], category = 'UTILITY') =>
	await sandbox.control('/message-templates', {
		body: { name: 'sample', status: 'APPROVED', category, components },
	});
const send = async (components: object[]) =>
	await sandbox.sendContent<{ error: { errors: Array<{ code: number; description: string }> } }>(
		CUSTOMER,
		requestOf(components).content,
	);

it.each(Object.entries(REQUESTS))(
	'a request with %s passes the schema and the sandbox',
	async (_what, { template, sent, category }) => {
		expect(sendRequestSchema.safeParse(requestOf(sent))).toMatchObject({ success: true });
		await make(template, category);
		expect(await send(sent)).toMatchObject({
			status: 200,
			body: { messageId: expect.any(String) },
		});
	},
);

const ONE = [{ type: 'BODY', text: 'Hello {{1}}' }];
it.each<[string, object[], object[], RegExp]>([
	[
		'a name that the template has not',
		NAMED,
		[body(text('Ana', 'customer_name'), text('7', 'order'))],
		/body of sample: parameter_name "order" is not a variable/,
	],
	[
		'a name twice',
		NAMED,
		[body(text('Ana', 'order_id'), text('7', 'order_id'))],
		/body of sample: parameter_name "order_id" is given twice/,
	],
	['a name for a number', ONE, [body(text('Ana', 'name'))], /"name" is not a variable/],
	[
		'a button of another type',
		withButton('MPM'),
		[body(), button('catalog', 0, mpm(1, 1))],
		/button 1 \(Open\) of sample takes the sub_type mpm/,
	],
	[
		'more than 30 products',
		withButton('MPM'),
		[body(), button('mpm', 0, mpm(10, 4))],
		/button 1 \(Open\) of sample takes at most 30 products in 10 sections/,
	],
])('the sandbox refuses %s', async (_what, template, sent, words) => {
	await make(template);
	const description = expect.stringMatching(words);
	expect((await send(sent)).body.error.errors[0]).toMatchObject({ code: 132012, description });
});

it('the sandbox refuses no body, where it takes a value', async () => {
	await make(ONE);
	expect(await send([])).toMatchObject({
		status: 400,
		body: { message: expect.stringContaining('must hold the body') },
	});
});

it('values with names go to their variables, whatever their order', async () => {
	await make(NAMED);
	await send([body(text('7', 'order_id'), text('Ana', 'customer_name'))]);
	const { messages } = await sandbox.control<{ messages: Array<{ content: { text: string } }> }>(
		'/messages',
	);
	expect(messages.at(-1)!.content.text).toBe('Hello Ana, order 7');
});

const listedAs = (components: object[], more: object = {}) => ({
	...{ id: '1', name: 'sample', status: 'APPROVED', category: 'UTILITY', language: 'pt_BR' },
	...{ parameter_format: 'POSITIONAL', components, ...more },
});

const SAMPLES = { body_text_named_params: [{ param_name: 'order_id', example: '7' }] };
it.each([
	['without a template', { data: [] }],
	['without cursors', { data: [listedAs([BODY])], paging: {} }],
	['with cursors', { data: [], paging: { cursors: { before: 'a', after: 'b' } } }],
	[
		'with sample values',
		{
			data: [
				listedAs([{ ...BODY, example: { body_text: [['Marina', '1042']] } }]),
				listedAs([{ ...NAMED[0], example: SAMPLES }], { parameter_format: 'NAMED' }),
			],
		},
	],
	['with every part', { data: Object.values(REQUESTS).map(({ template }) => listedAs(template)) }],
])('an answer of the list %s passes the schema', (_what, page) => {
	expect(templatePageSchema.parse(page)).toEqual(page);
});

it('an answer of the business accounts passes the schema, also an empty one', () => {
	const business = {
		...{ businessId: '1', name: 'Shop', channelsCount: 2 },
		...{ connectedCount: 1, disconnectedCount: 1 },
	};
	for (const answer of [[], [business]]) expect(businessesSchema.parse(answer)).toEqual(answer);
});

it("the sandbox's list holds what was made of every kind", async () => {
	const [business] = businessesSchema.parse((await sandbox.call('/chatapp/businesses')).body);
	for (const [index, { template, category }] of Object.values(REQUESTS).entries())
		await sandbox.control('/message-templates', {
			body: { name: `t${index}`, category: category ?? 'UTILITY', components: template },
		});
	const path = `/chatapp/businesses/${business!.businessId}/templates?limit=100`;
	const { data } = templatePageSchema.parse((await sandbox.call(path)).body);
	expect(data.filter(({ name }) => /^t\d+$/.test(name))).toMatchObject(
		Object.values(REQUESTS).map(({ template }) => ({ components: template })),
	);
});
