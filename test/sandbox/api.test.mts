import { DEMO_CHANNEL_ID, DEMO_PUBLIC_KEY } from '../../sandbox/seed.mts';
import { type CallOptions, startTestSandbox } from './helpers.mts';

const CHANNEL = `/v1/channels/${DEMO_CHANNEL_ID}`;
const SEND = {
	recipient: { identifier: '5500000000101' },
	content: { type: 'TEXT', body: { message: 'Hello' } },
};
const CONNECT = { wabaId: '1', phoneId: '2', code: 'x', coexistence: false };
const HOOK = { url: 'http://127.0.0.1:9/hook', events: ['MESSAGE_RECEIVED'] };
const TEMPLATE_HOOK = { url: 'http://127.0.0.1:9/hook', events: ['UPDATE_TEMPLATE_STATUS'] };
const OTHER = { name: 'Other', secretKey: 'sandbox_sk_other', publicKey: 'sandbox_pk_other' };

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
beforeAll(async () => {
	sandbox = await startTestSandbox();
});
beforeEach(() => sandbox.control('/reset', { body: {} }));
afterAll(() => sandbox.close());

/** All state that a request could change. */
const contents = async () => {
	const { tenants, webhooks, deliveries } =
		await sandbox.control<Record<string, unknown>>('/state');
	return { tenants, webhooks, deliveries, messages: await sandbox.control('/messages') };
};

interface Route {
	name: string;
	path: string;
	options: CallOptions;
	shape: 'A' | 'B';
	/** Whether it needs the ENTERPRISE role. A text: its error without the role. */
	enterprise: boolean | string;
	/** The error for a wrong key, if not 401. */
	invalid?: string;
	/** The error for an unknown channel. */
	notFound?: string;
}

const A_WEBHOOK = `${CHANNEL}/webhooks/00000000000000000000000000000000`;
const B_WEBHOOK = '/v1/webhooks/00000000000000000000000000000000';
const ROUTES: Route[] = [
	{
		name: 'connect',
		path: `${CHANNEL}/connect`,
		options: { body: CONNECT },
		shape: 'A',
		enterprise: false,
	},
	{
		name: 'send',
		path: `${CHANNEL}/messages`,
		options: { body: SEND },
		shape: 'A',
		enterprise: false,
	},
	{
		name: 'create channel',
		path: '/v1/channels',
		options: { body: { name: 'New', type: 'OFFICIAL_CHATAPP' } },
		shape: 'B',
		enterprise: false,
	},
	{
		name: 'list channels',
		path: '/v1/channels',
		options: {},
		shape: 'B',
		enterprise: 'Channel listing requires ENTERPRISE role',
		invalid: 'Authorization invalid',
	},
	{
		name: 'get channel',
		path: CHANNEL,
		options: {},
		shape: 'B',
		enterprise: 'Channel listing requires ENTERPRISE role',
		invalid: 'Authorization invalid',
	},
	{
		name: 'disconnect channel',
		path: `${CHANNEL}/disconnect`,
		options: { method: 'PUT' },
		shape: 'A',
		enterprise: false,
	},
	{
		name: 'delete channel',
		path: CHANNEL,
		options: { method: 'DELETE' },
		shape: 'A',
		enterprise: 'Channel deletion requires ENTERPRISE role',
		notFound: 'Instance not found',
	},
	{
		name: 'list channel webhooks',
		path: `${CHANNEL}/webhooks`,
		options: {},
		shape: 'A',
		enterprise: true,
	},
	{
		name: 'create channel webhook',
		path: `${CHANNEL}/webhooks`,
		options: { body: HOOK },
		shape: 'A',
		enterprise: true,
	},
	{ name: 'get channel webhook', path: A_WEBHOOK, options: {}, shape: 'A', enterprise: true },
	{
		name: 'update channel webhook',
		path: A_WEBHOOK,
		options: { method: 'PATCH', body: {} },
		shape: 'A',
		enterprise: true,
	},
	{
		name: 'delete channel webhook',
		path: A_WEBHOOK,
		options: { method: 'DELETE' },
		shape: 'A',
		enterprise: true,
	},
	{
		name: 'list template webhooks',
		path: '/v1/webhooks',
		options: {},
		shape: 'B',
		enterprise: true,
	},
	{
		name: 'create template webhook',
		path: '/v1/webhooks',
		options: { body: TEMPLATE_HOOK },
		shape: 'B',
		enterprise: true,
	},
	{ name: 'get template webhook', path: B_WEBHOOK, options: {}, shape: 'B', enterprise: true },
	{
		name: 'update template webhook',
		path: B_WEBHOOK,
		options: { method: 'PATCH', body: {} },
		shape: 'B',
		enterprise: true,
	},
	{
		name: 'delete template webhook',
		path: B_WEBHOOK,
		options: { method: 'DELETE' },
		shape: 'B',
		enterprise: true,
	},
];

const inShape = (shape: 'A' | 'B', status: number, message: unknown) =>
	shape === 'A' ? { error: status, message } : { error: message };

describe.each(ROUTES)('$name', ({ path, options, shape, enterprise, invalid }) => {
	const isTemplate = path.startsWith('/v1/webhooks');

	it.each([
		['a wrong key', 'sandbox_sk_wrong'],
		['a public key', DEMO_PUBLIC_KEY],
	])('refuses %s in its shape and changes nothing', async (_what, key) => {
		const before = await contents();
		const response = await sandbox.call(path, { ...options, key });
		const status = invalid === undefined ? 401 : 400;
		expect(response).toMatchObject({
			status,
			body: inShape(shape, status, invalid ?? 'Unauthorized'),
		});
		expect(await contents()).toEqual(before);
	});

	it('refuses a request without a key', async () => {
		const response = await sandbox.call(path, { ...options, key: null });
		const expected = isTemplate
			? [400, 'Authorization header is required']
			: [invalid === undefined ? 401 : 400, invalid ?? 'Unauthorized'];
		expect(response.status).toBe(expected[0]);
		expect(response.body).toEqual(inShape(shape, Number(expected[0]), expected[1]));
	});

	it(enterprise ? 'needs the ENTERPRISE role' : 'does not need the ENTERPRISE role', async () => {
		await sandbox.control('/role', { body: { enterprise: false } });
		const response = await sandbox.call(path, options);
		const words = typeof enterprise === 'string' ? enterprise : undefined;
		const refusal = inShape(shape, 422, words ?? 'This action requires ENTERPRISE role');
		if (enterprise) expect(response).toMatchObject({ status: 422, body: refusal });
		else expect(response.body).not.toEqual(refusal);
	});

	it('refuses an unknown method', async () => {
		const method = path.endsWith('/disconnect') ? 'POST' : 'PUT';
		const response = await sandbox.call(path, { method, body: '{' });
		expect(response).toMatchObject({
			status: 405,
			// The path of a channel has operations in both shapes.
			body: inShape(path === CHANNEL ? 'A' : shape, 405, 'Method not allowed'),
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
		[
			'a deep object in a field',
			`{"customAttributes":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
			400,
			/deep/,
		],
		['too large a body', JSON.stringify({ recipient: 'x'.repeat(300_000) }), 413, /larger than/],
	])('refuses %s in its shape and changes nothing', async (_what, body, status, message) => {
		const before = await contents();
		const response = await sandbox.call(path, {
			...options,
			method: options.method ?? 'POST',
			body,
		});
		const expected = path.includes('00000000') && /not found/i.test(message.source) ? 404 : status;
		expect(response.status).toBe(expected);
		expect(response.body).toEqual(inShape(shape, expected, expect.stringMatching(message)));
		expect(await contents()).toEqual(before);
	});

	it('refuses a body that is not declared as JSON, or is not UTF-8', async () => {
		const before = await contents();
		const asText = await sandbox.call(path, {
			...options,
			headers: { 'content-type': 'text/plain' },
		});
		expect(asText).toMatchObject({
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
		for (const { path, options, shape, notFound = 'Channel not found' } of routes) {
			const response = await sandbox.call(path.replace(DEMO_CHANNEL_ID, '0'.repeat(32)), options);
			expect(response).toMatchObject({ status: 404, body: inShape(shape, 404, notFound) });
		}
	});
});

describe('required fields', () => {
	/** Every body without one of the given fields, or with a wrong type in its place. */
	function mutations(
		body: Record<string, unknown>,
		path: string[] = [],
	): Array<{ field: string; body: Record<string, unknown> }> {
		return Object.entries(body).flatMap(([key, value]) => {
			const { [key]: _removed, ...without } = body;
			const field = [...path, key].join('.');
			const wrong = [null, 12, [], {}, ''].filter(
				(other) =>
					typeof other !== typeof value || other === '' || other === null || Array.isArray(other),
			);
			const here = [
				{ field, body: without },
				...wrong.map((other) => ({ field, body: { ...body, [key]: other } })),
			];
			if (typeof value !== 'object' || value === null || Array.isArray(value)) return here;
			const inside = mutations(value as Record<string, unknown>, [...path, key]);
			return [
				...here,
				...inside.map((inner) => ({ field: inner.field, body: { ...body, [key]: inner.body } })),
			];
		});
	}

	it.each(
		ROUTES.filter(({ options }) => options.body !== undefined && options.method === undefined),
	)('$name refuses a missing or wrong field and names it', async ({ path, options, shape }) => {
		const before = await contents();
		const cases = mutations(options.body as Record<string, unknown>);
		expect(cases.length).toBeGreaterThan(5);
		for (const { field, body } of cases) {
			const response = await sandbox.call<{ error: unknown; message?: string }>(path, {
				...options,
				body,
			});
			const text = shape === 'A' ? response.body.message : response.body.error;
			expect({ body, status: response.status, text }).toEqual({
				body,
				status: 400,
				text: expect.stringContaining(field.split('.')[0]!),
			});
			expect(response.body).toEqual(inShape(shape, 400, text));
		}
		expect(await contents()).toEqual(before);
	});

	it.each([
		['url is required', { events: ['MESSAGE_RECEIVED'] }],
		['url is required', {}],
		['events is required', { url: HOOK.url }],
		['events is required', { url: HOOK.url, events: [] }],
	])('%s', async (message, body) => {
		expect(await sandbox.call(`${CHANNEL}/webhooks`, { body })).toMatchObject({
			status: 400,
			body: { error: 400, message },
		});
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
		expect(
			(await sandbox.call<{ content: unknown[] }>('/v1/channels', asOther)).body.content,
		).toEqual([expect.objectContaining({ name: 'Theirs' })]);
		for (const { path, options } of ROUTES.filter((route) => route.path.startsWith(CHANNEL))) {
			expect((await sandbox.call(path, { ...options, ...asOther })).status).toBe(404);
		}
		for (const method of ['GET', 'PATCH', 'DELETE']) {
			const body = method === 'PATCH' ? { body: {} } : {};
			expect(
				(await sandbox.call(`/v1/webhooks/${template.body.id}`, { method, ...body, ...asOther }))
					.status,
			).toBe(404);
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
		const list = async (query: string) =>
			(
				await sandbox.call<{ total: number; totalPage: number; content: Array<{ name: string }> }>(
					`/v1/channels?${query}`,
				)
			).body;
		expect(await list('')).toMatchObject({ total: 6, totalPage: 1, pageSize: 20, page: 0 });
		const pages = [
			await list('pageSize=4&page=0'),
			await list('pageSize=4&page=1'),
			await list('pageSize=4&page=2'),
		];
		expect(pages.map((page) => page.content.length)).toEqual([4, 2, 0]);
		expect(pages.map((page) => page.totalPage)).toEqual([2, 2, 2]);
		expect((await list('query=SHOP')).total).toBe(5);
		expect((await list('type=PAGE_INBOX')).content.map(({ name }) => name)).toEqual([
			'Shop 5',
			'Shop 4',
		]);
		await sandbox.control('/settings', { method: 'PATCH', body: { firstPage: 1 } });
		expect(await list('pageSize=4&page=2')).toMatchObject({
			page: 2,
			content: [{ name: 'Shop 1' }, { name: 'Demo Channel' }],
		});
		for (const pageSize of ['0', '101', '999999999'])
			expect(await sandbox.call(`/v1/channels?pageSize=${pageSize}`)).toMatchObject({
				...{ status: 400, body: { error: 'pageSize must be between 1 and 100' } },
			});
	});
});
