import { control, uploadExample } from './api.js';
import { field, fill, h, panelForm, select } from './dom.js';
import { takeOut } from './drafts.js';
import type { App } from './state.js';
import {
	exampleRule,
	labelled,
	refusal,
	variablesIn,
	type Component,
	type Rule,
} from './templateProblems.js';

export const CATEGORIES = ['UTILITY', 'MARKETING', 'AUTHENTICATION'];
/** Types of the files that headers of these formats show. */
const FILES = { IMAGE: 'image/jpeg,image/png', VIDEO: 'video/mp4', DOCUMENT: 'application/pdf' };
const HEADERS = { '': 'None', TEXT: 'Text', IMAGE: 'Image', VIDEO: 'Video', DOCUMENT: 'Document' };

/** What the chat application makes of a template for access codes. */
const ACCESS_CODE = [
	{ type: 'BODY', add_security_recommendation: true },
	{ type: 'FOOTER', code_expiration_minutes: 10 },
	{ type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] },
];

/** The parts between commas. */
const listed = (text: string) =>
	text
		.split(',')
		.map((part) => part.trim())
		.filter(Boolean);

/** Sample values of the variables in a text, in the form of the service. */
function exampleOf(part: 'header_text' | 'body_text', text: string, samples: string[]) {
	if (samples.length === 0) return {};
	const names = variablesIn(text);
	if (names.every((name) => Number(name) > 0))
		return { example: { [part]: part === 'body_text' ? [samples] : samples } };
	const named = names.map((name, index) => ({ param_name: name, example: samples[index] ?? '' }));
	return { example: { [`${part}_named_params`]: named } };
}

/** The fields of the parts, and the components that they make. */
function parts() {
	const format = select(Object.entries(HEADERS));
	const title = h('input', { required: true, disabled: true, maxLength: 60 });
	const sample = h('input', { maxLength: 60, placeholder: 'e.g. 1042' });
	const titleField = h(
		'div.row',
		field('Header text', title),
		field('Header example', sample, 'The value of its variable, if it has one.'),
	);
	const file = h('input', { type: 'file', required: true });
	const fileField = field('Header file', file, 'The example. Each message brings its own file.');
	const choose = (value = format.value) => {
		format.value = value;
		file.accept = FILES[format.value as keyof typeof FILES] ?? '';
		fileField.hidden = file.disabled = file.accept === '';
		titleField.hidden = title.disabled = format.value !== 'TEXT';
	};
	choose();
	format.addEventListener('change', () => choose());
	const body = h('textarea', { required: true, maxLength: 1024, rows: 3 });
	const examples = h('input', { placeholder: 'e.g. Ana, 1042' });
	const footer = h('input', { maxLength: 60 });
	const replies = h('input', { placeholder: 'e.g. My orders, Talk to us' });
	const link = h('input', { maxLength: 25, placeholder: 'e.g. Track it' });
	const address = h('input', { placeholder: 'e.g. https://shop.example/orders/{{1}}' });
	const place = h('input', { placeholder: 'e.g. https://shop.example/orders/1042' });
	const call = h('input', { maxLength: 25, placeholder: 'e.g. Call us' });
	const phone = h('input', { placeholder: 'e.g. +5500000000001' });
	const code = h('input', { placeholder: 'e.g. WELCOME10' });
	const element = h(
		'fieldset',
		h('legend', 'What the customer sees'),
		field('Header', format),
		titleField,
		fileField,
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
				field('Link example', place, 'The whole address, if it has a variable.'),
				h('div.row', field('Call', call), field('Number to call', phone)),
				field('Offer code', code, 'The example. Each message brings its own code.'),
			),
		),
	);
	const buttons = () => [
		...listed(replies.value).map((text) => ({ type: 'QUICK_REPLY', text })),
		...(link.value || address.value
			? [
					{
						...{ type: 'URL', text: link.value, url: address.value },
						...(place.value && { example: [place.value] }),
					},
				]
			: []),
		...(call.value || phone.value
			? [{ type: 'PHONE_NUMBER', text: call.value, phone_number: phone.value }]
			: []),
		...(code.value ? [{ type: 'COPY_CODE', example: code.value }] : []),
	];
	const rules = (): Rule[] => {
		const hasLink = link.value || address.value || place.value;
		const hasCall = call.value || phone.value;
		return [
			exampleRule(sample, title.disabled ? '' : title.value, listed(sample.value)),
			exampleRule(examples, body.value, listed(examples.value)),
			[
				replies,
				listed(replies.value).some((text) => text.length > 25),
				'at most 25 characters each',
			],
			[link, hasLink && !link.value, 'enter the text of the button'],
			[
				address,
				hasLink && !/^https?:\/\//.test(address.value),
				'enter an address that begins with https://',
			],
			[place, address.value.includes('{{') && !place.value, 'enter the whole address'],
			[call, hasCall && !call.value, 'enter the text of the button'],
			[
				phone,
				hasCall && !/^\+[1-9]\d{7,14}$/.test(phone.value),
				'enter + and the number with its country code, such as +5500000000001',
			],
			[
				code,
				code.value && !/^[\w-]{1,20}$/.test(code.value),
				'only letters, digits, - and _, at most 20',
			],
		];
	};
	const header = async (tenant: string) => {
		const [chosen] = file.files ?? [];
		if (format.value !== 'TEXT' && chosen)
			return { example: { header_handle: [await uploadExample(tenant, chosen)] } };
		const samples = sample.value ? [sample.value] : [];
		return { text: title.value, ...exampleOf('header_text', title.value, samples) };
	};
	return {
		element,
		rules,
		controls: {
			...{ HEADER: title, header_handle: file, BODY: body, FOOTER: footer },
			...{ QUICK_REPLY: replies, URL: address, PHONE_NUMBER: phone, COPY_CODE: code },
		},
		async components(tenant: string) {
			const made = buttons();
			const others = [
				{
					...{ type: 'BODY', text: body.value },
					...exampleOf('body_text', body.value, listed(examples.value)),
				},
				...(footer.value ? [{ type: 'FOOTER', text: footer.value }] : []),
				...(made.length > 0 ? [{ type: 'BUTTONS', buttons: made }] : []),
			];
			// Last: it waits for the upload, and the boxes are emptied meanwhile.
			return format.value
				? [{ type: 'HEADER', format: format.value, ...(await header(tenant)) }, ...others]
				: others;
		},
		/** Empties the form. Returns what gives back. */
		take() {
			const chosen = format.value;
			const giveBack = takeOut(element.querySelectorAll('input, textarea'));
			choose('');
			return () => {
				giveBack();
				choose(format.value || chosen);
			};
		},
	};
}

/** The form for a new template. */
export function newTemplate(app: App) {
	const tenant = select(app.state.tenants.map(({ id, name }) => [id, name]));
	const name = h('input', { required: true, maxLength: 512, placeholder: 'e.g. order_shipped' });
	const language = h('input', { required: true, minLength: 2, maxLength: 16, value: 'en_US' });
	const category = select(CATEGORIES);
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
	const note = h('div.problems.bad', { role: 'alert' });
	const rules = (): Rule[] => [
		[
			name,
			!/^[a-z0-9_]+$/.test(name.value),
			'only lower case letters, digits and underscores, such as spring_offer',
		],
		...(isCode() ? [] : given.rules()),
	];
	const complain = (sentences: string[]) => {
		fill(note, ...sentences.map((sentence) => h('p', sentence)));
		// Whoever sent the form from a field above sees them too.
		if (sentences.length > 0) note.scrollIntoView({ block: 'nearest' });
	};
	const create = async () => {
		const broken = rules().filter(([, isWrong]) => isWrong);
		for (const [wrong] of broken) {
			const folded = wrong.closest('details');
			if (folded) folded.open = true;
		}
		complain(broken.map(([wrong, , says]) => labelled(wrong, says)));
		if (broken.length > 0) return;
		let components: Component[] = ACCESS_CODE;
		const head = {
			...(tenant.value && { tenant: tenant.value }),
			...{ name: name.value, language: language.value, category: category.value },
		};
		const made = isCode() ? ACCESS_CODE : given.components(tenant.value);
		const taken = [takeOut([name]), given.take()];
		name.focus();
		try {
			components = await made;
			await control('/message-templates', { ...head, components });
		} catch (error) {
			for (const giveBack of taken) giveBack();
			const message = error instanceof Error ? error.message : String(error);
			complain([refusal(message, components, { name, language, ...given.controls })]);
		}
	};
	return panelForm(
		create,
		h('h3', 'New template'),
		h(
			'div.row',
			app.state.tenants.length > 1 && field('Account', tenant),
			field('Name', name, 'Lower case letters, digits and underscores.'),
			field('Language', language),
			field('Category', category),
		),
		given.element,
		fixed,
		note,
		h('button.primary', 'Create template'),
	);
}
