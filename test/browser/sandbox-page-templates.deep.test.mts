import type { TemplateView } from '../../sandbox/http/control/templates.mts';
import { until } from '../sandbox/helpers.mts';
import { takePicture } from './harness/browser.mts';
import { CUSTOMER, sandboxPage } from './harness/sandboxPage.mts';

const on = sandboxPage();

/** A picture of one point. */
const DOT =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNQaEgAAAHEAQHHmVStAAAAAElFTkSuQmCC';

const template = async (name: string) =>
	await until(`there is a template ${name}`, async () =>
		(await on.sandbox.control<{ templates: TemplateView[] }>('/message-templates')).templates.find(
			(known) => known.name === name,
		),
	);
const create = () => on.button('Create template').click();
const fill = async (values: Record<string, string>) => {
	for (const [name, value] of Object.entries(values)) await on.label(name).fill(value);
};
const send = async (name: string, ...components: object[]) => {
	const language = { policy: 'deterministic', code: 'en_US' };
	const content = { type: 'TEMPLATE', attachments: [{ template: { name, language, components } }] };
	expect(await on.sandbox.sendContent(CUSTOMER, content)).toMatchObject({ status: 200 });
};
const texts = (...values: string[]) => values.map((text) => ({ type: 'text', text }));

it('creates a template with all parts, and shows it to the customer, who taps its reply', async () => {
	await on.view('templates');
	await on.label('Header').selectOption('TEXT');
	await fill({
		...{ Name: 'order_left', 'Header text': 'Order {{1}}', Footer: 'Demo Company' },
		...{ Body: 'Hello {{name}}, it comes at {{time}}.', Examples: 'Ana, 10:00' },
		'Quick replies': 'Too late',
	});
	await on.page.getByText('Other buttons').click();
	await fill({
		...{ Link: 'Track it', 'Link address': 'https://shop.example/orders/{{1}}' },
		'Link example': 'https://shop.example/orders/1042',
		...{ Call: 'Call us', 'Number to call': '+5500000000001', 'Offer code': 'WELCOME10' },
	});
	await on.isAccessible();
	await create();
	await on.shows('all numbered or all named');
	await fill({ 'Header text': 'Your order' });
	await create();
	const card = on.card('order_left');
	await card.getByRole('button', { name: 'Approve as' }).click();
	await on.page.getByRole('dialog').getByLabel('Category').selectOption('MARKETING');
	await on.isAccessible();
	await on.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
	await card.getByText('MARKETING').waitFor();
	await card.getByText('APPROVED').waitFor();
	await on.isAccessible();
	await takePicture(on.page, 'sandbox-template-preview');
	const preview = await card.locator('.preview').innerText();
	expect(preview).toMatch(/^Your order\s+Hello Ana, it comes at 10:00\.\s+Demo Company/);
	expect(await template('order_left')).toMatchObject({
		...{ parameterFormat: 'NAMED', buttons: [{ title: 'Too late' }] },
		components: expect.arrayContaining([
			expect.objectContaining({
				example: {
					body_text_named_params: [
						{ param_name: 'name', example: 'Ana' },
						{ param_name: 'time', example: '10:00' },
					],
				},
			}),
		]),
	});
	await send(
		'order_left',
		{ type: 'body', parameters: texts('Ana', '10:00') },
		{ type: 'button', sub_type: 'url', index: 1, parameters: texts('1042') },
		{
			...{ type: 'button', sub_type: 'copy_code', index: 3 },
			parameters: [{ type: 'coupon_code', coupon_code: 'WELCOME10' }],
		},
	);
	await on.openChat();
	const bubble = on.bubble('Hello Ana, it comes at 10:00.');
	const words = (text: string) => text.replaceAll(/\s+/g, ' ');
	expect(words(await bubble.innerText())).toContain(words(preview));
	expect(preview).toMatch(/Too late[^]*Track it[^]*Call us[^]*Copy offer code: WELCOME10/);
	expect(await bubble.getByRole('link', { name: /Track it/ }).getAttribute('href')).toBe(
		'https://shop.example/orders/1042',
	);
	await on.isAccessible();
	await bubble.getByRole('button', { name: 'Too late' }).click();
	await on.bubble('You wrote: Too late').waitFor();
	const tap = { type: 'BUTTON_REPLY', text: 'Too late', id: 'Too late' };
	expect((await on.messages()).map(({ content }) => content)).toContainEqual(tap);
});

it('shows the image above a template, and names what it does not draw', async () => {
	const components = [
		{ type: 'HEADER', format: 'IMAGE' },
		{ type: 'BODY', text: 'Look at this' },
		{ type: 'CAROUSEL', cards: [{ components: [] }, { components: [] }] },
	];
	const body = { name: 'picture', status: 'APPROVED', components };
	await on.sandbox.control('/message-templates', { body });
	const link = `${on.sandbox.url}/page/sample.webp`;
	await send(
		'picture',
		{ type: 'header', parameters: [{ type: 'image', image: { link } }] },
		{ type: 'body' },
		{ type: 'carousel', cards: [] },
	);
	await on.openChat();
	const bubble = on.bubble('Look at this');
	expect(await bubble.locator('img').getAttribute('src')).toBe(link);
	await bubble.getByText('With Cards, not shown here').waitFor();
	await on.isAccessible();
});

it('uploads the image above a template, and shows it where it waits for its approval', async () => {
	await on.view('templates');
	await on.label('Header').selectOption('IMAGE');
	await fill({ Name: 'picture', Body: 'Look at this' });
	await on.label('Header file').setInputFiles({
		...{ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') },
	});
	await create();
	const image = on.card('picture').getByAltText('Image of the template');
	await image.scrollIntoViewIfNeeded();
	const loaded = `[...document.querySelectorAll('.preview img')].some((i) => i.naturalWidth === 1)`;
	await until('it is loaded', () => on.run<boolean>(loaded));
});

it('creates an access code, whose parts are fixed', async () => {
	await on.view('templates');
	await fill({ Name: 'sign_in' });
	await on.label('Category').selectOption('AUTHENTICATION');
	expect(await on.label('Body').isVisible()).toBe(false);
	await create();
	expect(await template('sign_in')).toMatchObject({
		components: [
			{ type: 'BODY', add_security_recommendation: true },
			{ type: 'FOOTER' },
			{ type: 'BUTTONS', buttons: [{ type: 'OTP' }] },
		],
	});
});
