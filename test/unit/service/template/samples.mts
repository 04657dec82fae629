import { listedTemplateSchema, type ListedTemplate } from '#nodes/service/contract/index.ts';

/** A template as the service lists it. */
export const listed = (components: object[], more: object = {}): ListedTemplate =>
	listedTemplateSchema.parse({
		...{ id: '1', name: 'order_update', status: 'APPROVED' },
		...{ category: 'UTILITY', language: 'en_US' },
		components,
		...more,
	});

const TRACK = 'https://shop.example/orders/';

export const ORDER = listed([
	{ type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['1042'] } },
	{
		type: 'BODY',
		text: 'Hello {{1}}, your order {{2}} leaves today.\nThanks, {{1}}!',
		example: { body_text: [['Ana', '1042']] },
	},
	{ type: 'FOOTER', text: 'The shop' },
	{
		type: 'BUTTONS',
		buttons: [
			{ type: 'QUICK_REPLY', text: 'Yes' },
			{ type: 'URL', text: 'Track it', url: `${TRACK}{{1}}`, example: [`${TRACK}1042`] },
			{ type: 'PHONE_NUMBER', text: 'Call us', phone_number: '+5511999990000' },
			{ type: 'COPY_CODE', example: 'WELCOME10' },
		],
	},
]);

export const NAMED = listed([
	{
		type: 'BODY',
		text: 'Hello {{customer_name}}, see you at {{time}}.',
		example: {
			body_text_named_params: [
				{ param_name: 'time', example: '10:00' },
				{ param_name: 'customer_name', example: 'Ana' },
			],
		},
	},
]);

export const ACCESS_CODE = listed(
	[
		{ type: 'BODY', add_security_recommendation: true },
		{ type: 'FOOTER', code_expiration_minutes: 10 },
		{ type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] },
	],
	{ category: 'AUTHENTICATION' },
);
