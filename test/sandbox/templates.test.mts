import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { CUSTOMER, testSandbox } from './deliveryHarness.mts';
import { templateContent, until } from './helpers.mts';

const sandbox = testSandbox();

interface Template {
	id: string;
	name: string;
	status: string;
	parameters: number;
}
interface Sent {
	messageId: string;
	error: { errors: Array<{ message: string; code: number }> };
}
const list = async () =>
	(await sandbox.control<{ templates: Template[] }>('/message-templates')).templates;
const send = (name: string, parameters: string[] = [], code = 'en_US', more: object[] = []) => {
	const body = { type: 'body', parameters: parameters.map((text) => ({ type: 'text', text })) };
	return sandbox.sendContent<Sent>(CUSTOMER, templateContent(name, [body, ...more], code));
};
const newest = async () => (await sandbox.messages()).at(-1)!;

it('exist for the demo tenant: three approved, one pending', async () => {
	const seeded = (await list()).map(({ name, status, parameters }) => [name, status, parameters]);
	expect(seeded).toEqual([
		['order_update', 'APPROVED', 2],
		['welcome', 'APPROVED', 0],
		['spring_sale', 'PENDING', 1],
		['appointment_reminder', 'APPROVED', 3],
		['hand_over', 'APPROVED', 2],
	]);
});

it('are sent with their placeholders filled in, to a customer who never wrote', async () => {
	expect((await send('order_update', ['Ana', '$1 {{1}}'])).status).toBe(200);
	expect((await newest()).content).toMatchObject({
		type: 'TEMPLATE',
		text: 'Hello Ana, your order $1 {{1}} is on its way.',
	});
});

it.each<[string, string, string[], string, number, RegExp]>([
	['is unknown', 'nothing', [], 'en_US', 132001, /nothing in en_US/],
	['has no such language', 'order_update', ['a', 'b'], 'pt_BR', 132001, /order_update in pt_BR/],
	['waits for its approval', 'spring_sale', ['Ana'], 'en_US', 132015, /PENDING/],
	['takes more', 'order_update', ['Ana'], 'en_US', 132000, /the body .*takes 2, not 1/],
	['takes fewer', 'order_update', ['Ana', 'b', 'c'], 'en_US', 132000, /takes 2, not 3/],
])('refuses a template that %s in shape D', async (_what, name, values, language, code, what) => {
	const { status, body } = await send(name, values, language);
	expect(status).toBe(400);
	expect(body.error.errors).toEqual([
		{ message: expect.any(String), code, description: expect.stringMatching(what) },
	]);
});

it('refuses a parameter without its text and names the field', async () => {
	const body = { type: 'body', parameters: [{ type: 'text' }] };
	const content = templateContent('order_update', [body]);
	expect(await sandbox.sendContent(CUSTOMER, content)).toMatchObject({
		status: 400,
		body: { message: expect.stringContaining('components.0.parameters.0') },
	});
});

it.each([
	[{ name: 'x' }, 400, /body is required/],
	[{ name: 'order_update', body: 'Again' }, 409, /name/],
	[{ name: 'x', body: 'x', status: 'LOST' }, 400, /status/],
])('refuses to create a template: %j', async (body, status, message) => {
	const refused = await sandbox.attempt('/message-templates', body);
	expect(refused).toMatchObject({ status, body: { error: expect.stringMatching(message) } });
});

describe('a tapped button', () => {
	const tap = (id: string, buttonId: string) =>
		sandbox.attempt(`/messages/${id}/tap`, { buttonId });

	it('gives its title and its id, and opens the window', async () => {
		const sink = await sandbox.listener(['MESSAGE_RECEIVED']);
		const payload = [{ type: 'payload', payload: 'help-7' }];
		const button = { type: 'button', sub_type: 'quick_reply', index: '1', parameters: payload };
		await send('welcome', [], 'en_US', [button]);
		const { id, content } = await newest();
		expect(content.buttons).toEqual([
			{ id: 'orders', title: 'My orders' },
			{ id: 'help-7', title: 'Talk to us' },
		]);
		expect((await tap(id, 'help-7')).status).toBe(201);
		const { json } = await until('it arrived', () => sink.received[0]);
		expect(json).toMatchObject({
			message: {
				metadata: { from_me: false, from_api: false },
				sender: { identifier: CUSTOMER },
				contents: [
					{
						type: 'INTERACTIVE_BUTTON',
						message: 'Talk to us',
						button: { id: 'help-7', title: 'Talk to us' },
					},
				],
			},
		});
		expect((await sandbox.send(CUSTOMER, 'Hello')).status).toBe(200);
		expect((await tap((await newest()).id, 'x')).status).toBe(422);
	});

	it('must be in the message', async () => {
		await sandbox.inbound(CUSTOMER, 'Hello');
		const attachments = [{ id: '1', title: 'Yes' }];
		const sent = { type: 'INTERACTIVE_BUTTON', body: { message: 'Sure?' }, attachments };
		const { body } = await sandbox.sendContent(CUSTOMER, sent);
		expect((await tap(body.messageId, '2')).status).toBe(404);
		expect((await tap(body.messageId, '1')).status).toBe(201);
	});
});

it("distinguishes a colleague's message on the phone from one through the API", async () => {
	const sink = await sandbox.listener(['MESSAGE_DELIVERY']);
	await sandbox.control('/from-phone', {
		body: { channelId: DEMO_CHANNEL_ID, to: CUSTOMER, text: 'On my way', forwarded: true },
	});
	const { json } = await until('it arrived', () => sink.received[0]);
	expect(json).toMatchObject({
		message: {
			metadata: { from_me: true, from_api: false, forwarded: true },
			sender: { identifier: '5500000000001' },
			recipient: { identifier: CUSTOMER },
		},
	});
	expect((await sandbox.send(CUSTOMER, 'Hello')).status).toBe(422);
});
