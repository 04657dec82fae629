import { DEMO_CHANNEL_ID } from '../../sandbox/seed.mts';
import { type Sandbox, startSandbox } from '../../sandbox/server.mts';
import { startTestSandbox } from './helpers.mts';
import { OUTER, type RawCall, rawCall } from './rawCall.mts';

const NAMED = 'sandbox.example';
const CHANNEL = `/v1/channels/${DEMO_CHANNEL_ID}`;
const WEBHOOK = '{"url":"http://127.0.0.1:9/","events":["MESSAGE_RECEIVED"]}';

const MEDIA = `/media/${'0'.repeat(32)}.png`;

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
beforeAll(async () => {
	sandbox = await startTestSandbox({ allowHosts: [NAMED] });
});
beforeEach(() => sandbox.control('/reset', { body: {} }));
afterAll(() => sandbox.close());

/** The status of a call to the sandbox, by default through its loopback address. */
const status = async ({
	address = '127.0.0.1',
	port = sandboxPort(),
	open = sandbox,
	headers,
	...call
}: Omit<RawCall, 'address' | 'port'> & {
	address?: string;
	port?: string;
	open?: { secretKey: string | null; token: string | undefined };
}): Promise<number> => {
	const { secretKey, token = '' } = open;
	const all = { 'x-sandbox-token': token, ...headers };
	return (await rawCall({ address, port, key: secretKey, headers: all, ...call })).status;
};

const sandboxPort = () => new URL(sandbox.url).port;
const own = () => `127.0.0.1:${sandboxPort()}`;

describe.each([
	'/v1/channels',
	`${CHANNEL}/webhooks`,
	'/v1/webhooks',
	'/_sandbox/state',
	'/_sandbox/events',
	'/',
	'/page/app.js',
	'/openapi.json',
])('%s', (target) => {
	it('accepts the names of this machine, and an allowed one', async () => {
		const port = sandboxPort();
		for (const host of [
			own(),
			`localhost:${port}`,
			`LOCALHOST:${port}`,
			'127.0.0.1',
			'127.9.9.9',
			'[::1]',
			`[::1]:${port}`,
			'[::ffff:127.0.0.1]',
			NAMED,
			`${NAMED}:${port}`,
		]) {
			expect({ host, status: await status({ target, host }) }).toEqual({ host, status: 200 });
		}
	});

	it.each([
		'rebound.example',
		'rebound.example:4010',
		'127.0.0.1.example',
		'localhost.example',
		'localhost.',
		`${NAMED}.`,
		`sub.${NAMED}`,
		`not-${NAMED}`,
		'0.0.0.0',
		'0.0.0.0:4010',
		'[::]',
		'[::ffff:10.0.0.1]',
		'10.0.0.1',
		'rebound.example@127.0.0.1',
		'127.0.0.1@rebound.example',
		'127.0.0.1, rebound.example',
		'127.0.0.1/rebound.example',
		'http://127.0.0.1',
		'127.0.0.1:4010:4010',
		'127.0.0.1:99999',
		'*',
		'',
	])('refuses the host "%s"', async (host) => {
		expect(await status({ target, host })).toBe(403);
	});

	it.each([
		'http://evil.example',
		'https://evil.example',
		'http://127.0.0.1:1',
		'http://localhost',
		'null',
		'file://',
		'chrome-extension://abc',
		`http://${NAMED}`,
		'',
	])('refuses the origin "%s"', async (origin) => {
		expect(await status({ target, host: own(), headers: { origin } })).toBe(403);
	});

	it('accepts its own origin', async () => {
		expect(await status({ target, host: own(), headers: { origin: `http://${own()}` } })).toBe(200);
		expect(await status({ target, host: NAMED, headers: { origin: `http://${NAMED}` } })).toBe(200);
	});

	it("refuses what another site's page loads, which a browser sends without an origin", async () => {
		for (const site of ['cross-site', 'same-site']) {
			for (const more of [
				{ 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
				{ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
			]) {
				expect(
					await status({ target, host: own(), headers: { 'sec-fetch-site': site, ...more } }),
				).toBe(403);
			}
			// A person followed a link.
			expect(
				await status({
					target,
					host: own(),
					headers: {
						'sec-fetch-site': site,
						'sec-fetch-mode': 'navigate',
						'sec-fetch-dest': 'document',
					},
				}),
			).toBe(200);
		}
		expect(
			await status({ target, host: own(), headers: { 'sec-fetch-site': 'same-origin' } }),
		).toBe(200);
		expect(await status({ target, host: own(), headers: { 'sec-fetch-site': 'none' } })).toBe(200);
	});

	it('refuses a target with another server than its host', async () => {
		expect(await status({ target: `http://rebound.example${target}`, host: own() })).toBe(403);
		expect(await status({ target: `http://${own()}${target}`, host: own() })).toBe(403);
	});

	it('refuses an upgrade from another site', async () => {
		const upgrade = {
			connection: 'Upgrade',
			upgrade: 'websocket',
			'sec-websocket-version': '13',
			'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
		};
		expect(
			await status({ target, host: own(), headers: { ...upgrade, origin: 'http://evil.example' } }),
		).toBe(403);
		expect(await status({ target, host: 'rebound.example', headers: upgrade })).toBe(403);
	});

	it('refuses its own deliveries', async () => {
		expect(
			await status({ target, host: own(), headers: { 'x-idempotency-key': 'topic:0:1' } }),
		).toBe(403);
	});
});

it("registers no webhook and sends nothing for a rebound name or another site's page", async () => {
	const post = async (target: string, body: string, host: string, headers = {}) =>
		await status({ method: 'POST', target, body, host, headers });
	const message =
		'{"recipient":{"identifier":"5500000000101"},"content":{"type":"TEXT","body":{"message":"Hi"}}}';
	for (const [host, headers] of [
		[`rebound.example:${sandboxPort()}`, { origin: `http://rebound.example:${sandboxPort()}` }],
		[own(), { origin: 'http://evil.example' }],
		[
			own(),
			{
				'sec-fetch-site': 'cross-site',
				'sec-fetch-mode': 'navigate',
				'sec-fetch-dest': 'document',
			},
		],
	] as const) {
		expect(await post(`${CHANNEL}/webhooks`, WEBHOOK, host, headers)).toBe(403);
		expect(await post(`${CHANNEL}/messages`, message, host, headers)).toBe(403);
		expect(
			await post('/v1/channels', '{"name":"Theirs","type":"OFFICIAL_CHATAPP"}', host, headers),
		).toBe(403);
	}
	expect((await sandbox.call<unknown[]>(`${CHANNEL}/webhooks`)).body).toEqual([]);
	expect((await sandbox.control<{ messages: unknown[] }>('/messages')).messages).toEqual([]);
	expect((await sandbox.call<{ total: number }>('/v1/channels')).body.total).toBe(1);
	// A refused call triggers no fault and is not logged.
	expect(await sandbox.control<{ total: number }>('/requests?method=POST')).toMatchObject({
		requests: [],
	});
	expect(await post(`${CHANNEL}/webhooks`, WEBHOOK, own())).toBe(201);
});

it('refuses a preflight from another site', async () => {
	const headers = {
		origin: 'http://evil.example',
		'access-control-request-method': 'POST',
		'access-control-request-headers': 'authorization',
	};
	const response = await fetch(`${sandbox.url}/v1/channels`, { method: 'OPTIONS', headers });
	expect(response.status).toBe(403);
	expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual(
		[],
	);
});

// Only on a machine with such an address.
if (OUTER !== undefined)
	describe('at an address that other machines reach', () => {
		const address = OUTER;

		/** Statuses of the service, a missing file, the control API and the page. */
		const statusesOf =
			({ url, demoSecretKey }: Sandbox, token = '') =>
			async (host: string): Promise<number[]> =>
				await Promise.all(
					['/v1/channels', MEDIA, '/_sandbox/state', '/'].map((target) =>
						status({
							...{ target, host, address, port: new URL(url).port },
							open: { secretKey: demoSecretKey, token },
						}),
					),
				);

		it.each(['0.0.0.0', address])(
			'--host %s opens it under the called address, and page and control API need the token',
			async (host) => {
				const other = await startSandbox({ host });
				const statuses = statusesOf(other);
				try {
					const { port } = new URL(other.url);
					expect(await statuses(`${address}:${port}`)).toEqual([200, 404, 401, 401]);
					expect(await statusesOf(other, other.token)(`${address}:${port}`)).toEqual([
						200, 404, 200, 200,
					]);
					expect(await statuses('rebound.example')).toEqual([403, 403, 403, 403]);
					// Another machine cannot use a loopback name.
					expect(await statuses('127.0.0.1')).toEqual([403, 403, 403, 403]);
					expect(await statuses('localhost')).toEqual([403, 403, 403, 403]);
					expect(await statuses('0.0.0.0')).toEqual([403, 403, 403, 403]);
				} finally {
					await other.close();
				}
			},
		);

		it('--allow-host opens all of it under that name too', async () => {
			const other = await startSandbox({ host: '0.0.0.0', allowHosts: [NAMED] });
			const statuses = statusesOf(other, other.token);
			try {
				const { port } = new URL(other.url);
				expect(await statuses(`${NAMED}:${port}`)).toEqual([200, 404, 200, 200]);
				expect(await statuses('rebound.example')).toEqual([403, 403, 403, 403]);
				expect(await statuses('127.0.0.1')).toEqual([403, 403, 403, 403]);
				expect(await statuses('localhost')).toEqual([403, 403, 403, 403]);
				expect(await statuses(`${address}:${port}`)).toEqual([200, 404, 200, 200]);
			} finally {
				await other.close();
			}
		});
	});

it.each(['*', 'http://sandbox.example', 'sandbox.example:4010', '', 'a b', 'sandbox.example/'])(
	'--allow-host refuses "%s", which is not a name',
	async (name) => {
		const started = startSandbox({ allowHosts: [name] });
		void started.then(({ close }) => close()).catch(() => undefined);
		await expect(started).rejects.toThrow(
			'--allow-host needs the name of one host without http:// and port',
		);
	},
);
