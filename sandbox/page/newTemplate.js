import { control } from './api.js';
import { attempt, field, h, panelForm, select } from './dom.js';

/** @import { App } from './state.js' */

const CATEGORIES = ['UTILITY', 'MARKETING', 'AUTHENTICATION'];
const HEADERS = { '': 'None', TEXT: 'Text', IMAGE: 'Image', VIDEO: 'Video', DOCUMENT: 'Document' };

/** What the chat application makes of a template for access codes. */
const ACCESS_CODE = [
	{ type: 'BODY', add_security_recommendation: true },
	{ type: 'FOOTER', code_expiration_minutes: 10 },
	{ type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] },
];

/**
 * The parts between commas.
 * @param {string} text
 */
const listed = (text) =>
	text
		.split(',')
		.map((part) => part.trim())
		.filter(Boolean);

/**
 * Sample values of the variables in a text, in the form of the service.
 * @param {string} text
 * @param {string[]} samples
 */
function exampleOf(text, samples) {
	if (samples.length === 0) return {};
	const names = [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name))];
	if (names.every((name) => Number(name) > 0)) return { example: { body_text: [samples] } };
	const named = names.map((name, index) => ({ param_name: name, example: samples[index] ?? '' }));
	return { example: { body_text_named_params: named } };
}

/** The fields of the parts, and the components that they make. */
function parts() {
	const format = select(Object.entries(HEADERS));
	const title = h('input', { required: true, disabled: true, maxLength: 60 });
	const titleField = field('Header text', title);
	const showTitle = () => {
		title.disabled = format.value !== 'TEXT';
		titleField.hidden = title.disabled;
	};
	showTitle();
	format.addEventListener('change', showTitle);
	const body = h('textarea', { required: true, maxLength: 1024, rows: 3 });
	const examples = h('input', { placeholder: 'e.g. Ana, 1042' });
	const footer = h('input', { maxLength: 60 });
	const replies = h('input', { placeholder: 'e.g. My orders, Talk to us' });
	const link = h('input', { placeholder: 'e.g. Track it' });
	const address = h('input', { placeholder: 'e.g. https://shop.example/orders/{{1}}' });
	const call = h('input', { placeholder: 'e.g. Call us' });
	const phone = h('input', { placeholder: 'e.g. +5500000000001' });
	const code = h('input', { placeholder: 'e.g. WELCOME10' });
	const element = h(
		'fieldset',
		h('legend', 'What the customer sees'),
		h('div.row', field('Header', format), titleField),
		field('Body', body, 'Write variables as {{1}}, {{2}} and so on, or as {{name}}.'),
		field('Examples', examples, 'Values of the variables, separated by commas.'),
		field('Footer', footer),
		field('Quick replies', replies, 'Separated by commas. If empty, the template has none.'),
		h(
			'details',
			h('summary', 'Other buttons'),
			h(
				'div.stack',
				h('div.row', field('Link', link), field('Link address', address)),
				h('div.row', field('Call', call), field('Number to call', phone)),
				field('Offer code', code, 'The example. Each message brings its own code.'),
			),
		),
	);
	const buttons = () => [
		...listed(replies.value).map((text) => ({ type: 'QUICK_REPLY', text })),
		...(link.value || address.value ? [{ type: 'URL', text: link.value, url: address.value }] : []),
		...(call.value || phone.value
			? [{ type: 'PHONE_NUMBER', text: call.value, phone_number: phone.value }]
			: []),
		...(code.value ? [{ type: 'COPY_CODE', example: code.value }] : []),
	];
	return {
		element,
		components() {
			const header =
				format.value === 'TEXT' ? { format: 'TEXT', text: title.value } : { format: format.value };
			const made = buttons();
			return [
				...(format.value ? [{ type: 'HEADER', ...header }] : []),
				{ type: 'BODY', text: body.value, ...exampleOf(body.value, listed(examples.value)) },
				...(footer.value ? [{ type: 'FOOTER', text: footer.value }] : []),
				...(made.length > 0 ? [{ type: 'BUTTONS', buttons: made }] : []),
			];
		},
		clear() {
			format.value = '';
			showTitle();
			for (const input of [
				title,
				body,
				examples,
				footer,
				replies,
				link,
				address,
				call,
				phone,
				code,
			])
				input.value = '';
		},
	};
}

/**
 * The form for a new template.
 * @param {App} app
 */
export function newTemplate(app) {
	const tenant = select(app.state.tenants.map(({ id, name }) => [id, name]));
	const name = h('input', { required: true, maxLength: 512, placeholder: 'e.g. order_shipped' });
	const language = h('input', { required: true, minLength: 2, maxLength: 16, value: 'en_US' });
	const category = select(CATEGORIES.map((value) => [value, value]));
	const given = parts();
	const fixed = h(
		'p',
		{ hidden: true },
		'An access code has a text, a footer and a button of its own.',
	);
	const isCode = () => category.value === 'AUTHENTICATION';
	category.addEventListener('change', () => {
		given.element.hidden = given.element.disabled = isCode();
		fixed.hidden = !isCode();
	});
	const create = async () => {
		const wanted = {
			...(tenant.value && { tenant: tenant.value }),
			...{ name: name.value, language: language.value, category: category.value },
			components: isCode() ? ACCESS_CODE : given.components(),
		};
		if (await attempt(() => control('/message-templates', wanted))) {
			name.value = '';
			given.clear();
		}
		name.focus();
	};
	return panelForm(
		create,
		h('h3', 'New template'),
		h(
			'div.row',
			app.state.tenants.length > 1 && field('Account', tenant),
			field('Name', name),
			field('Language', language),
			field('Category', category),
		),
		given.element,
		fixed,
		h('button.primary', 'Create template'),
	);
}
