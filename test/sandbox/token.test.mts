import { startSandbox } from '#sandbox/server.mts';
import { type RawCall, rawCall } from './rawCall.mts';

const TOKEN = 'token-of-this-test';
const NAMED = 'sandbox.example';
const GUARDED = ['/_sandbox/state', '/_sandbox/events', '/', '/page/app.js', '/openapi.json'];

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let port: string;
beforeAll(async () => {
	sandbox = await startSandbox({ host: '0.0.0.0', token: TOKEN, allowHosts: [NAMED] });
	({ port } = new URL(sandbox.url));
});
afterAll(() => sandbox.close());

const call = (target: string, more: Partial<RawCall> = {}) =>
	rawCall({
		...{ target, host: `127.0.0.1:${port}`, address: '127.0.0.1', port },
		key: sandbox.demoSecretKey,
		...more,
	});

const statuses = async (more: Partial<RawCall>) =>
	await Promise.all(GUARDED.map(async (target) => (await call(target, more)).status));

const all = (status: number) => GUARDED.map(() => status);

it.each([['127.0.0.1'], ['localhost'], [NAMED]])(
	'needs the token from every caller, also from this machine as %s, because a proxy calls so',
	async (host) => {
		expect(await statuses({ host })).toEqual(all(401));
		expect(await statuses({ host, headers: { 'x-sandbox-token': TOKEN } })).toEqual(all(200));
		expect((await call('/v1/channels', { host })).status).toBe(200);
		// A token does not help here, because the proxy's name is not allowed.
		const through = { 'x-forwarded-for': '203.0.113.10' };
		expect(await statuses({ host, headers: through })).toEqual(all(401));
		expect(await statuses({ host, headers: { ...through, 'x-sandbox-token': TOKEN } })).toEqual(
			all(200),
		);
	},
);

it('makes a token if it is open and none is set, and needs a set one if it is not open', async () => {
	for (const options of [{ host: '0.0.0.0' }, { allowHosts: [NAMED] }, { token: TOKEN }]) {
		const other = await startSandbox(options);
		try {
			const { port } = new URL(other.url);
			const state = async (token: string) =>
				(await call('/_sandbox/state', { port, headers: { 'x-sandbox-token': token } })).status;
			expect(other.token).toMatch(/^[\w-]{18,32}$/);
			expect([await state(''), await state(other.token!)]).toEqual([401, 200]);
		} finally {
			await other.close();
		}
	}
	const own = await startSandbox();
	await own.close();
	expect(own.token).toBeUndefined();
});

it.each([
	'',
	'token-of-this-tes',
	`${TOKEN} `.padEnd(40, 'x'),
	TOKEN.toUpperCase(),
	`${TOKEN}, ${TOKEN}`,
])('refuses "%s"', async (given) => {
	expect(await statuses({ host: NAMED, headers: { 'x-sandbox-token': given } })).toEqual(all(401));
	const cookie = { cookie: `sandbox_token_=${given}` };
	expect(await statuses({ host: NAMED, headers: cookie })).toEqual(all(401));
	expect((await call(`/?token=${encodeURIComponent(given)}`, { host: NAMED })).status).toBe(401);
});

it('signs a person in by the token in the address, and removes it from the address', async () => {
	const host = `${NAMED}:${port}`;
	const opened = await call(`/?token=${TOKEN}`, { host });
	expect(opened.status).toBe(303);
	expect(opened.headers).toMatch(/^location: \/\r$/m);
	expect(opened.headers).toMatch(/^referrer-policy: no-referrer\r$/m);
	const [, cookie = ''] =
		/^set-cookie: (\S+); Path=\/; HttpOnly; SameSite=Strict\r$/m.exec(opened.headers) ?? [];
	expect(await statuses({ host, headers: { cookie: `other=1; ${cookie}` } })).toEqual(all(200));
	// Of another sandbox on the same host.
	expect(await statuses({ host: `${NAMED}:1`, headers: { cookie } })).toEqual(all(401));
	// It does not count in other addresses, because logs and histories would keep it.
	expect((await call(`/_sandbox/state?token=${TOKEN}`, { host })).status).toBe(401);
	expect((await call(`/?token=${TOKEN}&token=${TOKEN}`, { host })).status).toBe(401);
});

it("refuses another site's page and a rebound name, even with the token", async () => {
	const token = { 'x-sandbox-token': TOKEN, cookie: `sandbox_token_=${TOKEN}` };
	// A proxy may serve the page by https.
	const own = { ...token, origin: `https://${NAMED}` };
	expect(await statuses({ host: NAMED, headers: own })).toEqual(all(200));
	const origin = { ...token, origin: 'http://evil.example' };
	expect(await statuses({ host: NAMED, headers: origin })).toEqual(all(403));
	expect(await statuses({ headers: origin })).toEqual(all(403));
	const site = { ...token, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
	expect(await statuses({ host: NAMED, headers: site })).toEqual(all(403));
	expect(await statuses({ host: 'rebound.example', headers: token })).toEqual(all(403));
	expect((await call(`/?token=${TOKEN}`, { host: 'rebound.example' })).status).toBe(403);
});
