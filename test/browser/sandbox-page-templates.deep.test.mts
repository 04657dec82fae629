import type { MessageView } from '../../sandbox/http/control/chats.mts';
import type { TemplateView } from '../../sandbox/http/control/templates.mts';
import { until } from '../sandbox/helpers.mts';
import { barriers } from './harness/accessibility.mts';
import { takePicture } from './harness/browser.mts';
import { CUSTOMER, sandboxPage } from './harness/sandboxPage.mts';

const on = sandboxPage();

const template = async (name: string) =>
	await until(`there is a template ${name}`, async () =>
		(await on.sandbox.control<{ templates: TemplateView[] }>('/message-templates')).templates.find(
			(known) => known.name === name,
		),
	);
const label = (text: string) => on.page.getByLabel(text, { exact: true });
const create = () => on.page.getByRole('button', { name: 'Create template' }).click();
const send = async (name: string, ...components: object[]) => {
	const language = { policy: 'deterministic', code: 'en_US' };
	const content = { type: 'TEMPLATE', attachments: [{ template: { name, language, components } }] };
	expect(await on.sandbox.sendContent(CUSTOMER, content)).toMatchObject({ status: 200 });
};
const texts = (...values: string[]) => values.map((text) => ({ type: 'text', text }));

it('creates a template with all parts, and shows it to the customer, who taps its reply', async () => {
	await on.view('templates');
	await label('Name').fill('order_left');
	await label('Header').selectOption('TEXT');
	await label('Header text').fill('Order {{1}}');
	await label('Body').fill('Hello {{name}}, it comes at {{time}}.');
	await label('Examples').fill('Ana, 10:00');
	await label('Footer').fill('Demo Company');
	await label('Quick replies').fill('Too late');
	await on.page.getByText('Other buttons').click();
	await label('Link').fill('Track it');
	await label('Link address').fill('https://shop.example/orders/{{1}}');
	await label('Call').fill('Call us');
	await label('Number to call').fill('+5500000000001');
	await label('Offer code').fill('WELCOME10');
	expect(await barriers(on.page)).toEqual([]);
	await takePicture(on.page, 'sandbox-template-form');
	await create();
	await on.page.getByText('all numbered or all named').waitFor();
	await label('Header text').fill('Your order');
	await create();
	const card = on.page.locator('article', { hasText: 'order_left' });
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
		...[{ type: 'button', sub_type: 'copy_code', index: 3 }].map((button) => ({
			...button,
			parameters: [{ type: 'coupon_code', coupon_code: 'SPRING' }],
		})),
	);
	await on.view(`chats/${CUSTOMER}`);
	const bubble = on.bubble('Hello Ana, it comes at 11:00.');
	expect(await bubble.innerText()).toMatch(
		/Your order[^]*Hello Ana[^]*Demo Company[^]*Too late[^]*Track it[^]*Call us[^]*Copy offer code: SPRING/,
	);
	expect(await bubble.getByRole('link', { name: /Track it/ }).getAttribute('href')).toBe(
		'https://shop.example/orders/1042',
	);
	expect(await barriers(on.page)).toEqual([]);
	await takePicture(on.page, 'sandbox-template-shown');
	await bubble.getByRole('button', { name: 'Too late' }).click();
	await on.bubble('You wrote: Too late').waitFor();
	const { messages } = await on.sandbox.control<{ messages: MessageView[] }>('/messages');
	expect(messages.map(({ content }) => content)).toContainEqual({
		...{ type: 'BUTTON_REPLY', text: 'Too late', id: 'Too late' },
	});
});

it('shows the image above a template, and names what it does not draw', async () => {
	const components = [
		{ type: 'HEADER', format: 'IMAGE' },
		{ type: 'BODY', text: 'Look at this' },
		{ type: 'CAROUSEL', cards: [] },
	];
	await on.sandbox.control('/message-templates', {
		body: { name: 'picture', status: 'APPROVED', components },
	});
	const link = `${on.sandbox.url}/page/sample.webp`;
	await send(
		'picture',
		{ type: 'header', parameters: [{ type: 'image', image: { link } }] },
		{ type: 'body' },
		{ type: 'carousel', cards: [] },
	);
	await on.view(`chats/${CUSTOMER}`);
	const bubble = on.bubble('Look at this');
	expect(await bubble.locator('img').getAttribute('src')).toBe(link);
	await bubble.getByText('With Cards, not shown here').waitFor();
	expect(await barriers(on.page)).toEqual([]);
});

it('creates an access code, whose parts are fixed', async () => {
	await on.view('templates');
	await label('Name').fill('sign_in');
	await label('Category').selectOption('AUTHENTICATION');
	expect(await label('Body').isVisible()).toBe(false);
	await create();
	expect(await template('sign_in')).toMatchObject({
		components: [
			{ type: 'BODY', add_security_recommendation: true },
			{ type: 'FOOTER' },
			{ type: 'BUTTONS', buttons: [{ type: 'OTP' }] },
		],
	});
});
