import type { TemplateView } from '../../sandbox/http/control/templates.mts';
import { until } from '../sandbox/helpers.mts';
import { CUSTOMER, sandboxPage } from './harness/sandboxPage.mts';

const on = sandboxPage();

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
		...{ Call: 'Call us', 'Number to call': '+5500000000001', 'Offer code': 'WELCOME10' },
	});
	await on.isAccessible();
	await create();
	await on.shows('all numbered or all named');
	await fill({ 'Header text': 'Your order' });
	await create();
	const card = on.card('order_left');
	await card.getByRole('button', { name: 'Approve' }).click();
	await card.getByText('APPROVED').waitFor();
	expect(await card.innerText()).toMatch(
		/Your order\s+Hello {{name}}, it comes at {{time}}\.\s+Demo Company\s+Too late\s*Track it\s*Call us\s*COPY_CODE/,
	);
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
		{ type: 'body', parameters: texts('Ana', '11:00') },
		{ type: 'button', sub_type: 'url', index: 1, parameters: texts('1042') },
		{
			...{ type: 'button', sub_type: 'copy_code', index: 3 },
			parameters: [{ type: 'coupon_code', coupon_code: 'SPRING' }],
		},
	);
	await on.openChat();
	const bubble = on.bubble('Hello Ana, it comes at 11:00.');
	expect(await bubble.innerText()).toMatch(
		/Your order[^]*Hello Ana[^]*Demo Company[^]*Too late[^]*Track it[^]*Call us[^]*Copy offer code: SPRING/,
	);
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
		{ type: 'CAROUSEL', cards: [] },
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
