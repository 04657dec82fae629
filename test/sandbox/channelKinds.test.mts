/** What differs between the kinds of channel: connecting, customers, window, templates, media. */
import { DEMO_PUBLIC_KEY } from '#sandbox/seed.mts';
import { testSandbox } from './deliveryHarness.mts';

const sandbox = testSandbox();

const KINDS = [
	['OFFICIAL_CHATAPP', ['code', 'coexistence', 'phoneId', 'wabaId'], true, true, '5500000000777'],
	['WEB_CHATAPP', ['code'], false, false, '5500000000777'],
	['PHOTO_INBOX', ['accessToken'], true, false, '178414000012345678'],
	['PAGE_INBOX', ['accessToken', 'pageId'], true, false, '@ana.example'],
	['MESSENGER_BOT', ['botToken'], false, false, '@ana'],
] as const;

const create = async (type: string) =>
	(await sandbox.call<{ id: string }>('/v1/channels', { body: { name: 'Shop', type } })).body.id;
const runSdk = async (channelId: string) =>
	(
		await sandbox.call<Record<string, unknown>>('/_sandbox/sdk/connect', {
			...{ key: DEMO_PUBLIC_KEY, body: { channelId } },
		})
	).body;
const connect = async (channelId: string, body: object) =>
	await sandbox.call(`/v1/channels/${channelId}/connect`, { body });
const shown = async (channelId: string) =>
	(await sandbox.call<Record<string, unknown>>(`/v1/channels/${channelId}`)).body;

describe.each(KINDS)('%s', (type, fields, hasWindow, hasTemplates, customer) => {
	let id: string;
	let sdk: Record<string, unknown>;
	beforeEach(async () => {
		id = await create(type);
		sdk = await runSdk(id);
	});

	it('connects with its own object, as it is, once', async () => {
		const { success, channelId, ...own } = sdk;
		expect({ success, channelId }).toEqual({ success: true, channelId: id });
		expect(Object.keys(own).sort()).toEqual(fields);
		expect(await connect(id, sdk)).toMatchObject({ status: 200, body: { success: true } });
		const number = expect.stringMatching(customer.startsWith('5500') ? /^5500/ : /^@shop_/);
		expect(await shown(id)).toMatchObject({ phoneConnected: true, phoneNumberConnected: number });
		expect(await connect(id, sdk)).toMatchObject({ body: { success: false } });
		const again = sandbox.control(`/channels/${id}/connect`, { method: 'POST' });
		expect(await again).toEqual({ id, connected: true });
	});

	it.each(fields)('needs %s, and its own value of it', async (field) => {
		const { [field]: _missing, ...others } = sdk;
		expect(await connect(id, others)).toMatchObject({ status: 400 });
		const wrong = field === 'coexistence' ? true : 'wrong';
		expect(await connect(id, { ...sdk, [field]: wrong })).toMatchObject({
			body: { success: false },
		});
		expect(await shown(id)).toMatchObject({ phoneConnected: false });
	});

	it('has a window and templates as its kind has', async () => {
		await connect(id, sdk);
		const send = async (content: object) =>
			await sandbox.call(`/v1/channels/${id}/messages`, {
				body: { recipient: { identifier: customer }, content },
			});
		const text = { type: 'TEXT', body: { message: 'Hello' } };
		expect(await send(text)).toMatchObject(
			hasWindow
				? { status: 422, body: { message: 'Conversation window is closed' } }
				: { status: 200 },
		);
		await sandbox.control('/inbound', { body: { channelId: id, from: customer, text: 'Hi' } });
		expect(await send(text)).toMatchObject({ status: 200 });
		const template = {
			name: 'welcome',
			language: { policy: 'deterministic', code: 'en_US' },
			components: [{ type: 'body', parameters: [] }],
		};
		expect(await send({ type: 'TEMPLATE', attachments: [{ template }] })).toMatchObject(
			hasTemplates
				? { status: 200 }
				: { status: 422, body: { message: 'A channel of this type has no templates' } },
		);
		const isInbox = type.endsWith('_INBOX');
		const contact = { type: 'CONTACT', attachments: [{ name: 'Bo', phones: ['5500000000102'] }] };
		expect(await send(contact)).toMatchObject(
			isInbox
				? { status: 422, body: { message: 'A channel of this type takes no contacts' } }
				: { status: 200 },
		);
		// 1,001 bytes.
		const long = { type: 'TEXT', body: { message: `${'é'.repeat(500)}.` } };
		expect(await send(long)).toMatchObject(
			type === 'PHOTO_INBOX'
				? {
						status: 422,
						body: { message: 'A channel of this type takes texts of up to 1000 bytes' },
					}
				: { status: 200 },
		);
		// Only the official kind checks what a file is.
		const url = `data:image/gif;base64,${Buffer.from('GIF89a').toString('base64')}`;
		expect(await send({ type: 'VIDEO', attachments: [{ url }] })).toMatchObject(
			hasTemplates ? { status: 400, body: { subCode: 'MEDIA_MIME_NOT_ALLOWED' } } : { status: 200 },
		);
		const page = `data:text/html;base64,${Buffer.from('<p>').toString('base64')}`;
		expect(await send({ type: 'VIDEO', attachments: [{ url: page }] })).toMatchObject({
			...{ status: 400, body: { subCode: 'MEDIA_MIME_NOT_ALLOWED' } },
		});
	});
});

describe('the subscription of a channel', () => {
	const call = async (id: string, path: string, options: object = {}) =>
		await sandbox.call(`/v1/channels/${id}/${path}`, options);
	const status = async (id: string) => (await shown(id))['paymentStatus'];
	const cancel = async (id: string, options: object = {}) =>
		await call(id, 'cancel?cancel=true', { method: 'DELETE', ...options });

	it('begins, is cancelled, and ends with the paid time, when the channel can be deleted', async () => {
		const id = await create('MESSENGER_BOT');
		expect(await status(id)).toBe('TRIAL');
		expect(await call(id, 'subscribe')).toMatchObject({
			...{ status: 200, body: { type: 'SUBSCRIPTION_UPDATED', message: expect.any(String) } },
		});
		expect(await status(id)).toBe('PAID');
		expect(await call(id, 'cancel', { method: 'DELETE' })).toMatchObject({
			...{ status: 400, body: { message: 'cancel query param is required' } },
		});
		expect(await cancel(id, { body: { cancelReason: 'Moved' } })).toMatchObject({ status: 204 });
		expect(await status(id)).toBe('CANCELLATION_PROCESS');
		const remove = async () => await sandbox.call(`/v1/channels/${id}`, { method: 'DELETE' });
		expect(await remove()).toMatchObject({
			...{ status: 422, body: { message: 'INSTANCE_HAS_ACTIVE_SUBSCRIPTION' } },
		});
		await sandbox.advance(31 * 86_400);
		expect(await status(id)).toBe('CANCELED');
		expect(await call(id, 'subscribe')).toMatchObject({
			...{ status: 422, body: { message: 'SUBSCRIPTION_TERMINATED' } },
		});
		// A setting of the channel, too.
		const set = async (paymentStatus: string) =>
			await sandbox.control(`/channels/${id}`, { method: 'PATCH', body: { paymentStatus } });
		await set('PAID');
		expect(await shown(id)).toMatchObject({ paymentStatus: 'PAID', trial: false });
		expect(await remove()).toMatchObject({ status: 422 });
		await set('CANCELED');
		expect(await remove()).toMatchObject({ status: 204 });
	});

	it('can be subscribed again before the paid time ends', async () => {
		const id = await create('WEB_CHATAPP');
		await call(id, 'subscribe');
		await cancel(id);
		expect(await call(id, 'subscribe')).toMatchObject({ status: 200 });
		expect(await status(id)).toBe('PAID');
	});

	it('is refused by a fault for want of credit, without the role, and of no channel', async () => {
		const id = await create('WEB_CHATAPP');
		await sandbox.control('/faults', {
			body: {
				...{ on: 'route', operation: 'subscribeChannel', kind: 'status', status: 422, times: 1 },
				message: 'CREDIT_LIMIT_EXCEEDED',
			},
		});
		const credit = { status: 422, body: { message: 'CREDIT_LIMIT_EXCEEDED' } };
		expect(await call(id, 'subscribe')).toMatchObject(credit);
		await sandbox.control('/role', { body: { enterprise: false } });
		const role = { status: 422, body: { message: 'This action requires ENTERPRISE role' } };
		const none = { status: 404, body: { message: 'Channel not found' } };
		for (const refused of [await call(id, 'subscribe'), await cancel(id)])
			expect(refused).toMatchObject(role);
		await sandbox.control('/role', { body: { enterprise: true } });
		const other = 'A'.repeat(32);
		for (const refused of [await call(other, 'subscribe'), await cancel(other)])
			expect(refused).toMatchObject(none);
	});
});
