import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { CUSTOMER, testSandbox } from './deliveryHarness.mts';
import { until } from './helpers.mts';

const sandbox = testSandbox();

const messages = async () => await sandbox.messages();

describe('the conversation window', () => {
	const closed = { status: 422, body: { error: 422, message: 'Conversation window is closed' } };

	it('opens with the customer’s message and closes 24 hours after the last one', async () => {
		expect(await sandbox.send(CUSTOMER, 'Too early')).toMatchObject(closed);
		for (const words of ['Hello', 'Still here']) {
			await sandbox.inbound(CUSTOMER, words);
			await sandbox.advance(86_390);
			expect((await sandbox.send(CUSTOMER, `${words}, in time`)).status).toBe(200);
		}
		await sandbox.advance(11);
		expect(await sandbox.send(CUSTOMER, 'Too late')).toMatchObject(closed);
		expect(await sandbox.send('5500000000102', 'Somebody else')).toMatchObject(closed);
		expect(await messages()).toHaveLength(4);
	});

	it('can refuse later: accepted, and FAILED with the code, whatever the kind', async () => {
		await sandbox.set({ closedWindow: 'FAILED' });
		const contact = { type: 'CONTACT', attachments: [{ name: 'Bo', phones: ['5500000000102'] }] };
		expect((await sandbox.send(CUSTOMER, 'Too early')).status).toBe(200);
		expect((await sandbox.sendContent(CUSTOMER, contact)).status).toBe(200);
		await until('both are FAILED', async () => {
			const all = await messages();
			return all.length === 2 && all.every(({ status }) => status === 'FAILED');
		});
		expect(await messages()).toMatchObject([{ windowClosed: true }, { windowClosed: true }]);
		await sandbox.inbound(CUSTOMER, 'Hello');
		await sandbox.send(CUSTOMER, 'In time');
		await until('it arrives', async () => (await messages()).at(-1)?.status === 'DELIVERED');
	});

	it('keeps every text unchanged', async () => {
		await sandbox.inbound(CUSTOMER, 'Hi');
		for (const text of ['a\u0000b', '😀 é \u202e', '"\\\n\t', 'x'.repeat(4096)]) {
			const { status, body } = await sandbox.send(CUSTOMER, text);
			expect(status).toBe(200);
			expect(body.messageId).toMatch(/^[0-9A-F]{32}$/);
			expect((await messages()).at(-1)).toMatchObject({
				id: body.messageId,
				direction: 'out',
				content: { type: 'TEXT', text },
			});
		}
	});

	it('is not open on a channel that is not connected', async () => {
		await sandbox.inbound(CUSTOMER, 'Hello');
		await sandbox.control(`/channels/${DEMO_CHANNEL_ID}/disconnect`, { method: 'POST' });
		const message = 'Channel is not connected';
		const refused = await sandbox.send(CUSTOMER, 'Hello');
		expect(refused).toMatchObject({ status: 422, body: { error: 422, message } });
	});
});

describe('a sent message', () => {
	const image = (url: string) => ({ type: 'IMAGE', attachments: [{ url }] });

	const bill = 'https://shop.example.com/invoice.pdf';
	const attachments = [{ id: 'yes', title: 'Yes' }];
	const asking = { body: { message: 'Pay?', thumbnail: bill }, attachments };
	it.each([
		['a PDF as an image', image('https://shop.example.com/a/Invoice%201.PDF?x=1')],
		['a table as a video', { ...image('https://shop.example.com/prices.xlsx'), type: 'VIDEO' }],
		['a PDF above buttons', { type: 'INTERACTIVE_BUTTON', ...asking }],
	])('with a document is FAILED, and says why: %s', async (_what, content) => {
		const sink = await sandbox.listener(['MESSAGE_STATUS']);
		await sandbox.inbound(CUSTOMER, 'Hello');
		expect((await sandbox.sendContent(CUSTOMER, content)).status).toBe(200);
		const { json } = await until('its status was told', () => sink.received[0]);
		const message = expect.stringMatching(/document.*Send a link/);
		expect((await messages()).at(-1)).toMatchObject({ status: 'FAILED', failure: { message } });
		const told = json as {
			message: Record<'contents' | 'attachments', Array<{ state_items?: object[] }>>;
		};
		const parts = [...told.message.contents, ...told.message.attachments];
		const items = parts.flatMap(({ state_items = [] }) => state_items);
		expect(items.at(-1)).toMatchObject({ state: { name: 'FAILED', message } });
	});

	it('with a picture or a page arrives, and has no failure', async () => {
		await sandbox.inbound(CUSTOMER, 'Hello');
		for (const name of ['house.png', 'picture', 'show.html'])
			await sandbox.sendContent(CUSTOMER, image(`https://shop.example.com/${name}`));
		await until('they arrive', async () => {
			const sent = (await messages()).slice(1);
			return sent.length === 3 && sent.every(({ status }) => status === 'DELIVERED');
		});
		expect((await messages()).map(({ failure }) => failure)).toEqual([null, null, null, null]);
	});

	it('reaches its states by itself, up to the one in the settings', async () => {
		await sandbox.set({ progression: { upTo: 'READ', stepMs: 1000 } });
		await sandbox.control('/clock', { body: { speed: 0 } });
		await sandbox.inbound(CUSTOMER, 'Hello');
		await sandbox.send(CUSTOMER, 'Hi');
		for (const status of ['PENDING', 'SENT', 'DELIVERED', 'READ']) {
			const sent = await until(`it is ${status}`, async () => {
				const last = (await messages()).at(-1);
				return last?.status === status && last;
			});
			expect(Object.keys(sent.reached).at(-1)).toBe(status);
			await sandbox.advance(1);
		}
	});

	it('can be moved by hand, and only forward', async () => {
		await sandbox.set({ progression: { upTo: 'PENDING', stepMs: 0 } });
		await sandbox.inbound(CUSTOMER, 'Hello');
		const { body } = await sandbox.send(CUSTOMER, 'Hi');
		const move = (status: string) =>
			sandbox.attempt(`/messages/${body.messageId}/status`, { status });
		expect((await move('DELIVERED')).body).toMatchObject({
			status: 'DELIVERED',
			reached: { SENT: expect.any(String), DELIVERED: expect.any(String) },
		});
		expect(await move('SENT')).toMatchObject({
			status: 422,
			body: { error: 'A message that is DELIVERED cannot become SENT' },
		});
		expect((await move('FAILED')).status).toBe(422);
		expect(
			await sandbox.control('/read', { body: { channelId: DEMO_CHANNEL_ID, customer: CUSTOMER } }),
		).toEqual({ read: 1 });
		expect((await messages()).at(-1)).toMatchObject({ status: 'READ' });
	});
});
