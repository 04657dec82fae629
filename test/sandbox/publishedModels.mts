/** Every model of a template that the service's pages show, and what is sent of it. */
const LINK = 'https://files.example/order.png';

export const text = (value: string, name?: string) => ({
	type: 'text',
	...(name === undefined ? {} : { parameter_name: name }),
	text: value,
});
export const body = (...parameters: object[]) => ({ type: 'body', parameters });
const header = (...parameters: object[]) => ({ type: 'header', parameters });
export const button = (subType: string, index: number, ...parameters: object[]) => ({
	...{ type: 'button', sub_type: subType, index, parameters },
});
const action = (given: object) => ({ type: 'action', action: given });
const file = (media: string, given: object) => header({ type: media, [media]: given });
const product = { catalog_id: '7', product_retailer_id: 'sku-1' };

export const BODY = { type: 'BODY', text: 'Hello' };
export const NAMED = [
	{
		type: 'BODY',
		text: 'Hello {{customer_name}}, order {{order_id}} is here.',
		example: {
			body_text_named_params: [
				{ param_name: 'customer_name', example: 'Ana' },
				{ param_name: 'order_id', example: '7' },
			],
		},
	},
];
export const withButton = (type: string, more: object = {}, ...parts: object[]) => [
	...parts,
	BODY,
	{ type: 'BUTTONS', buttons: [{ type, text: 'Open', ...more }] },
];
/** Two cards with these parts and this button. */
const cards = (parts: object[], only: object) => [
	BODY,
	{
		type: 'CAROUSEL',
		cards: Array.from({ length: 2 }, () => ({
			components: [...parts, { type: 'BUTTONS', buttons: [only] }],
		})),
	},
];
const withHeader = (format: string) => [{ type: 'HEADER', format }, BODY];
export const mpm = (sections: number, items: number) =>
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
	{ type: 'BODY', text: '*{{1}}* is your code.', example: { body_text: [['123456']] } },
	{
		type: 'BUTTONS',
		buttons: [{ type: 'URL', text: 'Copy code', url: 'https://code.example/?code={{1}}' }],
	},
];

const PRODUCT_CARD = [header({ type: 'product', product }), button('spm', 0)];

interface PublishedModel {
	template: object[];
	sent: object[];
	category?: string;
}
export const PUBLISHED_MODELS: Record<string, PublishedModel> = {
	'a body without parameters': { template: [BODY], sent: [body()] },
	'a template of the library': { template: [BODY], sent: [] },
	'named variables by position': { template: NAMED, sent: [body(text('Ana'), text('7'))] },
	'named variables by their names': {
		template: NAMED,
		sent: [body(text('Ana', 'customer_name'), text('7', 'order_id'))],
	},
	'a text in the header': {
		template: [
			{ type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['7'] } },
			BODY,
		],
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
		template: withButton('URL', {
			url: 'https://shop.example/{{1}}',
			example: ['https://shop.example/7'],
		}),
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
		template: [
			BODY,
			{
				type: 'LIMITED_TIME_OFFER',
				limited_time_offer: { text: 'Today only', has_expiration: true },
			},
		],
		sent: [
			body(),
			{
				type: 'limited_time_offer',
				parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 1 } }],
			},
		],
	},
	cards: {
		template: cards(
			[{ type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4:a'] } }, BODY],
			{ type: 'QUICK_REPLY', text: 'Yes' },
		),
		sent: [body(), { type: 'carousel', cards: [{ card_index: 0, components: [body()] }] }],
	},
	'cards of products': {
		template: cards([{ type: 'HEADER', format: 'PRODUCT' }], { type: 'SPM', text: 'View' }),
		sent: [body(), { type: 'carousel', cards: [{ card_index: 0, components: PRODUCT_CARD }] }],
	},
	'a permission to call': {
		template: [BODY, { type: 'CALL_PERMISSION_REQUEST' }],
		sent: [body()],
	},
	'a flow': {
		template: withButton('FLOW', {
			flow_id: '9',
			flow_action: 'navigate',
			navigate_screen: 'FIRST',
		}),
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
