import { DEMO_CHANNEL_ID, DEMO_PUBLIC_KEY } from '#sandbox/seed.mts';
import { CHANNEL, testSandbox } from './deliveryHarness.mts';
import type { CallOptions } from './helpers.mts';

const SEND = {
	recipient: { identifier: '5500000000101' },
	content: { type: 'TEXT', body: { message: 'Hello' } },
};
const CONNECT = { wabaId: '1', phoneId: '2', code: 'x', coexistence: false };
const HOOK = { url: 'http://127.0.0.1:9/hook', events: ['MESSAGE_RECEIVED'] };
const TEMPLATE_HOOK = { url: 'http://127.0.0.1:9/hook', events: ['UPDATE_TEMPLATE_STATUS'] };
const OTHER = { name: 'Other', secretKey: 'sandbox_sk_other', publicKey: 'sandbox_pk_other' };

const sandbox = testSandbox();

/** All state that a request could change. */
const contents = async () => {
	const { tenants, webhooks, deliveries } =
		await sandbox.control<Record<string, unknown>>('/state');
	return { tenants, webhooks, deliveries, messages: await sandbox.control('/messages') };
};

type Shape = 'A' | 'B';
const LISTING = 'Channel listing requires ENTERPRISE role';
const DELETION = 'Channel deletion requires ENTERPRISE role';
const A_HOOK = `${CHANNEL}/webhooks/${'0'.repeat(32)}`;
const B_HOOK = `/v1/webhooks/${'0'.repeat(32)}`;
const CREATE = { body: { name: 'New', type: 'OFFICIAL_CHATAPP' } };
const UPDATE = { method: 'PATCH', body: {} };
const DELETE = { method: 'DELETE' };

/** With the error without the ENTERPRISE role, if it is needed: `true` for the usual one. */
type Route = [name: string, path: string, options: CallOptions, Shape, role: boolean | string];
/** These paths have operations in both shapes. */
const OF_PATHS: Record<string, Shape> = { [CHANNEL]: 'A', '/v1/channels': 'B' };
const TABLE: Route[] = [
	['connect', `${CHANNEL}/connect`, { body: CONNECT }, 'A', false],
	['send', `${CHANNEL}/messages`, { body: SEND }, 'A', false],
	['create channel', '/v1/channels', CREATE, 'A', false],
	['list channels', '/v1/channels', {}, 'B', LISTING],
	['get channel', CHANNEL, {}, 'B', LISTING],
	['disconnect channel', `${CHANNEL}/disconnect`, { method: 'PUT' }, 'A', false],
	['delete channel', CHANNEL, DELETE, 'A', DELETION],
	['list channel webhooks', `${CHANNEL}/webhooks`, {}, 'A', true],
	['create channel webhook', `${CHANNEL}/webhooks`, { body: HOOK }, 'A', true],
	['get channel webhook', A_HOOK, {}, 'A', true],
	['update channel webhook', A_HOOK, UPDATE, 'A', true],
	['delete channel webhook', A_HOOK, DELETE, 'A', true],
	['list template webhooks', '/v1/webhooks', {}, 'B', true],
	['create template webhook', '/v1/webhooks', { body: TEMPLATE_HOOK }, 'B', true],
	['get template webhook', B_HOOK, {}, 'B', true],
	['update template webhook', B_HOOK, UPDATE, 'B', true],
	['delete template webhook', B_HOOK, DELETE, 'B', true],
];
const ROUTES = TABLE.map(([name, path, options, shape, role]) => ({
	...{ name, path, options, shape, role },
	/** The error for a wrong key. */
	invalid: role === LISTING ? 'Authorization invalid' : 'Unauthorized',
	notFound: role === DELETION ? 'Instance not found' : 'Channel not found',
}));

const inShape = (shape: Shape, status: number, message: unknown) =>
	shape === 'A' ? { error: status, message } : { error: message };

describe.each(ROUTES)('$name', ({ path, options, shape, role, invalid }) => {
	it('refuses a wrong key, a public one and none in its shape and changes nothing', async () => {
		const before = await contents();
		const wrong = [invalid === 'Unauthorized' ? 401 : 400, invalid] as const;
		const isTemplate = path.startsWith('/v1/webhooks');
		const none = isTemplate ? ([400, 'Authorization header is required'] as const) : wrong;
		for (const key of ['sandbox_sk_wrong', DEMO_PUBLIC_KEY, null]) {
			const [status, message] = key === null ? none : wrong;
			const response = await sandbox.call(path, { ...options, key });
			expect(response).toMatchObject({ status, body: inShape(shape, status, message) });
		}
		expect(await contents()).toEqual(before);
	});

	it(role ? 'needs the ENTERPRISE role' : 'does not need the ENTERPRISE role', async () => {
		await sandbox.control('/role', { body: { enterprise: false } });
		const response = await sandbox.call(path, options);
		const words = typeof role === 'string' ? role : 'This action requires ENTERPRISE role';
		const refusal = inShape(shape, 422, words);
		if (role) expect(response).toMatchObject({ status: 422, body: refusal });
		else expect(response.body).not.toEqual(refusal);
	});

	it('refuses an unknown method', async () => {
		const method = path.endsWith('/disconnect') ? 'POST' : 'PUT';
		const response = await sandbox.call(path, { method, body: '{' });
		expect(response).toMatchObject({
			status: 405,
			body: inShape(OF_PATHS[path] ?? shape, 405, 'Method not allowed'),
		});
		expect(response.headers.get('allow')).toContain(
			options.method ?? (options.body === undefined ? 'GET' : 'POST'),
		);
	});

	if (options.body === undefined) return;

	it.each([
		['text that is not JSON', '{"recipient":', 400, /JSON/],
		['no body', '', 400, /required|not found/i],
		['an array', '[]', 400, /not valid|not found/i],
		['a number', '1', 400, /not valid|not found/i],
		['too deep a nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400, /deep/],
		['a deep field', `{"a":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`, 400, /deep/],
		['too large a body', JSON.stringify({ recipient: 'x'.repeat(300_000) }), 413, /larger than/],
	])('refuses %s in its shape and changes nothing', async (_what, body, status, message) => {
		const before = await contents();
		const method = options.method ?? 'POST';
		const response = await sandbox.call(path, { ...options, method, body });
		const expected = path.includes('00000000') && /not found/i.test(message.source) ? 404 : status;
		expect(response.status).toBe(expected);
		expect(response.body).toEqual(inShape(shape, expected, expect.stringMatching(message)));
		expect(await contents()).toEqual(before);
	});

	it('refuses a body that is not declared as JSON, or is not UTF-8', async () => {
		const before = await contents();
		const headers = { 'content-type': 'text/plain' };
		expect(await sandbox.call(path, { ...options, headers })).toMatchObject({
			status: 415,
			body: inShape(shape, 415, expect.stringContaining('application/json')),
		});
		const response = await fetch(sandbox.url + path, {
			method: options.method ?? 'POST',
			headers: { authorization: 'Bearer sandbox_sk_demo', 'content-type': 'application/json' },
			body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
		});
		expect(response.status).toBe(400);
		expect(await response.json()).toEqual(inShape(shape, 400, 'The body is not valid UTF-8'));
		expect(await contents()).toEqual(before);
	});
});

describe('unknown routes', () => {
	it.each([
		['/v1/channels/x/unknown', 'A'],
		['/v1/unknown', 'A'],
		['/', 'A'],
		['/v1/webhooks/a/b', 'B'],
		['/v1/%zz', 'A'],
		[`/v1/channels/${'x'.repeat(1000)}/messages`, 'A'],
	] as const)('responds to %s in its shape', async (path, shape) => {
		const response = await sandbox.call<Record<string, unknown>>(path, {
			method: path === '/' ? 'POST' : 'GET',
		});
		expect([400, 404, 405, 414]).toContain(response.status);
		expect(response.body).toEqual(inShape(shape, response.status, expect.any(String)));
	});

	it('finds only the channels of the tenant on every channel route', async () => {
		const routes = ROUTES.filter((route) => route.path.startsWith(CHANNEL));
		for (const { path, options, shape, notFound } of routes) {
			const response = await sandbox.call(path.replace(DEMO_CHANNEL_ID, '0'.repeat(32)), options);
			expect(response).toMatchObject({ status: 404, body: inShape(shape, 404, notFound) });
		}
	});
});

describe('tenants', () => {
	it('cannot see each other', async () => {
		const hook = await sandbox.call<{ id: string }>(`${CHANNEL}/webhooks`, { body: HOOK });
		const template = await sandbox.call<{ id: string }>('/v1/webhooks', { body: TEMPLATE_HOOK });
		await sandbox.control('/seed', {
			body: { tenants: [{ ...OTHER, channels: [{ name: 'Theirs' }] }] },
		});
		const asOther = { key: OTHER.secretKey };
		expect((await sandbox.call('/v1/webhooks', asOther)).body).toEqual([]);
		const { body } = await sandbox.call<{ content: unknown[] }>('/v1/channels', asOther);
		expect(body.content).toEqual([expect.objectContaining({ name: 'Theirs' })]);
		for (const { path, options } of ROUTES.filter((route) => route.path.startsWith(CHANNEL)))
			expect((await sandbox.call(path, { ...options, ...asOther })).status).toBe(404);
		for (const options of [{}, UPDATE, DELETE]) {
			const path = `/v1/webhooks/${template.body.id}`;
			expect((await sandbox.call(path, { ...options, ...asOther })).status).toBe(404);
		}
		expect((await sandbox.call<unknown[]>(`${CHANNEL}/webhooks`)).body).toEqual([
			expect.objectContaining({ id: hook.body.id }),
		]);
	});

	it('refuses a key that looks like a live one, and stores nothing of that request', async () => {
		const before = await contents();
		const tenants = [OTHER, { ...OTHER, name: 'Live', secretKey: 'sk_live_1234567890' }];
		const response = await sandbox.call('/_sandbox/seed', { body: { tenants }, key: null });
		expect(response).toMatchObject({
			status: 400,
			body: { error: expect.stringContaining('live key') },
		});
		expect(JSON.stringify(response.body)).not.toContain('1234567890');
		expect(await contents()).toEqual(before);
		expect((await sandbox.call('/v1/webhooks', { key: OTHER.secretKey })).status).toBe(401);
	});
});

describe('the channel list', () => {
	it('pages, searches and filters', async () => {
		for (let n = 1; n <= 5; n += 1)
			await sandbox.call('/v1/channels', {
				body: { name: `Shop ${n}`, type: n > 3 ? 'PAGE_INBOX' : 'OFFICIAL_CHATAPP' },
			});
		interface List {
			total: number;
			totalPage: number;
			content: Array<{ name: string }>;
		}
		const list = async (query: string) => (await sandbox.call<List>(`/v1/channels?${query}`)).body;
		expect(await list('')).toMatchObject({ total: 6, totalPage: 1, pageSize: 20, page: 0 });
		const pages = [];
		for (const page of [0, 1, 2]) pages.push(await list(`pageSize=4&page=${page}`));
		expect(pages.map((page) => page.content.length)).toEqual([4, 2, 0]);
		expect(pages.map((page) => page.totalPage)).toEqual([2, 2, 2]);
		expect([(await list('query=SHOP')).total, (await list('query=5a4db0c0')).total]).toEqual([
			5, 1,
		]);
		expect((await list('query=zz')).total).toBe(0);
		const inboxes = (await list('type=PAGE_INBOX')).content.map(({ name }) => name);
		expect(inboxes).toEqual(['Shop 5', 'Shop 4']);
		for (const pageSize of ['0', '101', '999999999'])
			expect(await sandbox.call(`/v1/channels?pageSize=${pageSize}`)).toMatchObject({
				...{ status: 400, body: { error: 'pageSize must be between 1 and 100' } },
			});
	});
});
