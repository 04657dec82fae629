import { type Sandbox, startSandbox } from '#sandbox/server.mts';
import { CHANNEL, testSandbox } from './deliveryHarness.mts';
import { OUTER, type RawCall, rawCall } from './rawCall.mts';

const NAMED = 'sandbox.example';
const WEBHOOK = '{"url":"http://127.0.0.1:9/","events":["MESSAGE_RECEIVED"]}';
const MEDIA = `/media/${'0'.repeat(32)}.png`;

const sandbox = testSandbox({ allowHosts: [NAMED] });
const sandboxPort = () => new URL(sandbox.url).port;
const own = () => `127.0.0.1:${sandboxPort()}`;

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
	open?: { secretKey: string | null; token?: string | undefined };
}): Promise<number> => {
	const { secretKey, token = '' } = open;
	const all = { 'x-sandbox-token': token, ...headers };
	return (await rawCall({ address, port, key: secretKey, headers: all, ...call })).status;
};

const REBOUND = 'rebound.example';
const REFUSED_HOSTS = [
	...[REBOUND, `${REBOUND}:4010`, '127.0.0.1.example', 'localhost.example', 'localhost.'],
	...[`${NAMED}.`, `sub.${NAMED}`, `not-${NAMED}`, '0.0.0.0', '0.0.0.0:4010', '[::]', '*', ''],
	...['[::ffff:10.0.0.1]', '10.0.0.1', `${REBOUND}@127.0.0.1`, `127.0.0.1@${REBOUND}`],
	...[`127.0.0.1, ${REBOUND}`, `127.0.0.1/${REBOUND}`, 'http://127.0.0.1'],
	...['127.0.0.1:4010:4010', '127.0.0.1:99999'],
];
const REFUSED_ORIGINS = [
	...['http://evil.example', 'https://evil.example', 'http://127.0.0.1:1', 'http://localhost'],
	...['null', 'file://', 'chrome-extension://abc', `http://${NAMED}`, ''],
];
const UPGRADE = {
	...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
	'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};
const FOLLOWED = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
/** What a browser sends without an origin when another site's page loads something. */
const LOADED = [
	{ 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
	{ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
];

describe.each([
	...['/v1/channels', `${CHANNEL}/webhooks`, '/v1/webhooks', '/_sandbox/state', '/_sandbox/events'],
	...['/', '/page/app.js', '/openapi.json'],
])('%s', (target) => {
	const statusOf = async (headers: Record<string, string>, host = own()) =>
		await status({ target, host, headers });

	it('accepts the names of this machine, and an allowed one', async () => {
		const names = ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]', NAMED];
		const hosts = [...names, '127.9.9.9', '[::ffff:127.0.0.1]'];
		for (const host of [...hosts, ...names.map((name) => `${name}:${sandboxPort()}`)])
			expect({ host, status: await statusOf({}, host) }).toEqual({ host, status: 200 });
	});

	it('refuses every other host', async () => {
		for (const host of REFUSED_HOSTS)
			expect({ host, status: await statusOf({}, host) }).toEqual({ host, status: 403 });
	});

	it('accepts its own origin, and refuses every other', async () => {
		expect(await statusOf({ origin: `http://${own()}` })).toBe(200);
		expect(await statusOf({ origin: `http://${NAMED}` }, NAMED)).toBe(200);
		for (const origin of REFUSED_ORIGINS)
			expect({ origin, status: await statusOf({ origin }) }).toEqual({ origin, status: 403 });
	});

	it("refuses what another site's page loads, and accepts a followed link", async () => {
		for (const site of ['cross-site', 'same-site']) {
			for (const more of LOADED)
				expect(await statusOf({ 'sec-fetch-site': site, ...more })).toBe(403);
			expect(await statusOf({ 'sec-fetch-site': site, ...FOLLOWED })).toBe(200);
		}
		for (const site of ['same-origin', 'none'])
			expect(await statusOf({ 'sec-fetch-site': site })).toBe(200);
	});

	it('refuses a named server, an upgrade from another site and its own deliveries', async () => {
		for (const server of [REBOUND, own()])
			expect(await status({ target: `http://${server}${target}`, host: own() })).toBe(403);
		expect(await statusOf({ ...UPGRADE, origin: 'http://evil.example' })).toBe(403);
		expect(await statusOf(UPGRADE, REBOUND)).toBe(403);
		expect(await statusOf({ 'x-idempotency-key': 'topic:0:1' })).toBe(403);
	});
});

it("changes nothing for a rebound name or another site's page", async () => {
	const post = async (target: string, body: string, host: string, headers = {}) =>
		await status({ method: 'POST', target, body, host, headers });
	const message =
		'{"recipient":{"identifier":"5500000000101"},"content":{"type":"TEXT","body":{"message":"Hi"}}}';
	await sandbox.inbound('5500000000101', 'Kept');
	for (const [host, headers] of [
		[`${REBOUND}:${sandboxPort()}`, { origin: `http://${REBOUND}:${sandboxPort()}` }],
		[own(), { origin: 'http://evil.example' }],
		[own(), { 'sec-fetch-site': 'cross-site', ...FOLLOWED }],
	] as const) {
		for (const [path, body] of [
			[`${CHANNEL}/webhooks`, WEBHOOK],
			[`${CHANNEL}/messages`, message],
			['/v1/channels', '{"name":"Theirs","type":"OFFICIAL_CHATAPP"}'],
			['/_sandbox/reset', '{}'],
		] as const)
			expect(await post(path, body, host, headers)).toBe(403);
	}
	expect((await sandbox.call<unknown[]>(`${CHANNEL}/webhooks`)).body).toEqual([]);
	expect(await sandbox.messages()).toHaveLength(1);
	expect((await sandbox.call<{ total: number }>('/v1/channels')).body.total).toBe(1);
	// A refused call triggers no fault and is not logged.
	expect(await sandbox.control('/requests?method=POST')).toMatchObject({ requests: [] });
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
	expect([...response.headers.keys()].join()).not.toContain('access-control-');
});

// Only on a machine with such an address.
if (OUTER !== undefined)
	describe('at an address that other machines reach', () => {
		const address = OUTER;

		/** Statuses of the service, a missing file, the control API and the page. */
		const statuses = async (
			{ url, demoSecretKey: secretKey }: Sandbox,
			host: string,
			token: string | undefined,
		): Promise<number[]> => {
			const at = { host, address, port: new URL(url).port, open: { secretKey, token } };
			const targets = ['/v1/channels', MEDIA, '/_sandbox/state', '/'];
			return await Promise.all(targets.map((target) => status({ target, ...at })));
		};

		it.each([
			['--host 0.0.0.0', { host: '0.0.0.0' }],
			['--host with the address', { host: address }],
			['--allow-host', { host: '0.0.0.0', allowHosts: [NAMED] }],
		])('%s opens it there; the page and the control API need the token', async (_how, options) => {
			const other = await startSandbox(options);
			try {
				const called = `${address}:${new URL(other.url).port}`;
				expect(await statuses(other, called, '')).toEqual([200, 404, 401, 401]);
				expect(await statuses(other, called, other.token)).toEqual([200, 404, 200, 200]);
				// Another machine cannot use a loopback name.
				for (const host of [REBOUND, '127.0.0.1', 'localhost', '0.0.0.0'])
					expect(await statuses(other, host, other.token)).toEqual([403, 403, 403, 403]);
				const named = 'allowHosts' in options ? [200, 404, 200, 200] : [403, 403, 403, 403];
				expect(await statuses(other, NAMED, other.token)).toEqual(named);
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

const closed = testSandbox();
it.each([
	...['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'],
	...['cf-connecting-ip', 'true-client-ip'],
])('refuses control through a proxy that sends %s, without a token', async (name) => {
	await closed.inbound('5500000000101', 'Kept');
	const headers = { [name]: '203.0.113.10' };
	for (const path of ['/_sandbox/state', '/_sandbox/events', '/', '/page/app.js']) {
		const { status, body } = await closed.call(path, { headers, key: null });
		expect({ path, status }).toEqual({ path, status: 403 });
		expect(JSON.stringify(body)).toContain(
			'To use a proxy, start the sandbox with --host, --allow-host or --token',
		);
	}
	expect((await closed.call('/_sandbox/reset', { headers, method: 'POST' })).status).toBe(403);
	// Its routes need a key anyway.
	expect((await closed.call('/v1/channels', { headers })).status).toBe(200);
	expect(await closed.messages()).toHaveLength(1);
});

it('refuses an origin by https without a token, because no proxy serves the page', async () => {
	const headers = { origin: closed.url.replace('http:', 'https:') };
	expect((await closed.call('/_sandbox/state', { headers })).status).toBe(403);
});
