import type { TemplateView } from '#sandbox/http/control/templates.mts';
import { until } from '../sandbox/helpers.mts';
import { illustrate, takePicture } from './harness/browser.mts';
import { CUSTOMER, sandboxPage } from './harness/sandboxPage.mts';

const on = sandboxPage();

/** A picture of one point. */
const DOT =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNQaEgAAAHEAQHHmVStAAAAAElFTkSuQmCC';

const read = async (name: string) =>
	(await on.sandbox.control<{ templates: TemplateView[] }>('/message-templates')).templates.find(
		(known) => known.name === name,
	);
const template = (name: string) => until(`there is a template ${name}`, () => read(name));
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
	await on.page.getByText('Other buttons').click();
	await fill({
		...{ Name: 'Order left', 'Header text': 'Order {{1}}', Footer: 'Demo Company' },
		...{ Body: 'Hello {{name}}, it comes at {{time}}.', Examples: 'Ana', Link: 'Track it' },
		...{ 'Quick replies': 'Too late', Call: 'Call us', 'Number to call': '1', 'Offer code': '%' },
	});
	await create();
	await on.shows('Name: only lower case letters, digits and underscores, such as spring_offer');
	expect((await on.page.locator('.problems').innerText()).split(/\n+/).slice(1)).toEqual([
		'Header example: enter a value for {{1}}',
		'Examples: enter a value for {{time}}',
		'Link address: enter an address that begins with https://',
		'Number to call: enter + and the number with its country code, such as +5500000000001',
		'Offer code: only letters, digits, - and _, at most 20',
	]);
	await on.isAccessible();
	await fill({
		...{ Name: 'order_left', 'Header example': '1042', Examples: 'Ana, 10:00' },
		...{ 'Link address': 'https://shop.example/orders/{{1}}', 'Offer code': 'WELCOME10' },
		...{ 'Link example': 'https://shop.example/orders/1042', 'Number to call': '+5500000000001' },
	});
	await create();
	await on.shows('Variables must be all numbered or all named');
	await fill({ 'Header text': 'Your order', Language: 'en_XX' });
	await create();
	await on.shows('Language: en_XX is no language of templates, such as en_US or pt_BR');
	await fill({ Language: 'en_US' });
	await create();
	expect(await on.page.locator('.problems').innerText()).toBe('');
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
	const { components, ...left } = await template('order_left');
	expect(left).toMatchObject({ parameterFormat: 'NAMED', buttons: [{ title: 'Too late' }] });
	const names = Object.entries({ name: 'Ana', time: '10:00' });
	const samples = names.map(([param_name, example]) => ({ param_name, example }));
	expect(components[1]!.example).toEqual({ body_text_named_params: samples });
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
	await on.bubble('Thanks, Ana Example! You wrote: Too late').waitFor();
	const tap = { type: 'BUTTON_REPLY', text: 'Too late', id: 'Too late' };
	expect((await on.messages()).map(({ content }) => content)).toContainEqual(tap);
});

it('creates, approves, rejects, pauses and deletes a template', async () => {
	const hook = await on.listen();
	const name = 'order_shipped';
	const has = (status: string) =>
		until(`the template is ${status}`, async () => (await read(name))?.status === status);
	await on.sandbox.call('/v1/webhooks', {
		body: { url: hook.url, events: ['UPDATE_TEMPLATE_STATUS'] },
	});
	await on.view('templates');
	await fill({ Name: name, Body: 'Hello {{1}}, your order left us.' });
	await fill({ Examples: 'Ana', 'Quick replies': 'Thanks, Where is it?' });
	await create();
	const card = on.card(name);
	await card.getByText('PENDING').waitFor();
	expect(await template(name)).toMatchObject({
		parameters: 1,
		buttons: [{ title: 'Thanks' }, { title: 'Where is it?' }],
	});
	await card.getByRole('button', { name: /^Approve order/ }).focus();
	await on.page.keyboard.press('Enter');
	await card.getByText('APPROVED').waitFor();
	expect(await on.focused()).toBe('Approve as …');
	expect(await card.getByRole('button').allInnerTexts()).toEqual([
		...['Thanks', 'Where is it?', 'Approve as …', 'Reject', 'Pause', 'Delete'],
	]);
	await illustrate(on.page, 'sandbox-templates');
	await card.getByRole('button', { name: 'Reject' }).click();
	await on.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
	await card.getByRole('button', { name: 'Reject' }).click();
	await on.page.getByLabel('Reason').fill('Too pushy');
	await on.isAccessible();
	await on.page.keyboard.press('Enter');
	await card.getByText('Reason: Too pushy').waitFor();
	await has('REJECTED');
	await card.getByRole('button', { name: 'Pause' }).click();
	await has('PAUSED');
	await until('template webhooks were told', () => hook.received.length === 3);
	expect(hook.received.map(({ json }) => json)).toMatchObject([
		[{ value: { event: 'APPROVED' } }],
		[{ value: { event: 'REJECTED', reason: 'Too pushy' } }],
		[{ value: { event: 'PAUSED' } }],
	]);
	await card.getByRole('button', { name: 'Delete' }).click();
	await card.waitFor({ state: 'detached' });
	expect(await read(name)).toBeUndefined();
});

it('shows the image above a template, and names what it does not draw', async () => {
	const components = [
		{ type: 'HEADER', format: 'IMAGE' },
		{ type: 'BODY', text: 'Look at this' },
		{ type: 'CAROUSEL', cards: [{ components: [] }, { components: [] }] },
	];
	const body = { name: 'picture', status: 'APPROVED', components };
	await on.sandbox.control('/message-templates', { body });
	await on.view('chats');
	await on.adds(CUSTOMER, 'Cleo');
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
	await on.says('Nice');
	await on.bubble('Thanks, Cleo! You wrote: Nice').waitFor();
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
