import { startSandbox } from '../../sandbox/server.mts';
import { OUTER, type RawCall, rawCall } from './rawCall.mts';

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
	rawCall({ target, host: `127.0.0.1:${port}`, address: '127.0.0.1', port, ...more });

const statuses = async (more: Partial<RawCall>) =>
	await Promise.all(GUARDED.map(async (target) => (await call(target, more)).status));

const all = (status: number) => GUARDED.map(() => status);

it('asks nobody on this machine', async () => {
	expect(await statuses({})).toEqual(all(200));
	expect(await statuses({ host: `localhost:${port}` })).toEqual(all(200));
});

it('asks whoever calls it by a name that was given, also from this machine: a tunnel does', async () => {
	expect(await statuses({ host: NAMED })).toEqual(all(401));
	expect(await statuses({ host: NAMED, headers: { 'x-sandbox-token': TOKEN } })).toEqual(all(200));
	expect((await call('/v1/channels', { host: NAMED })).status).toBe(200);
});

it.each([
	'',
	'token-of-this-tes',
	`${TOKEN} `.padEnd(40, 'x'),
	TOKEN.toUpperCase(),
	`${TOKEN}, ${TOKEN}`,
])('does not take "%s"', async (given) => {
	expect(await statuses({ host: NAMED, headers: { 'x-sandbox-token': given } })).toEqual(all(401));
	const cookie = { cookie: `sandbox_token_=${given}` };
	expect(await statuses({ host: NAMED, headers: cookie })).toEqual(all(401));
	expect((await call(`/?token=${encodeURIComponent(given)}`, { host: NAMED })).status).toBe(401);
});

it('lets a person in who opens the page with the token once, and takes it out of the address', async () => {
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
	// In the address of anything else it counts for nothing: it would stay in logs and histories.
	expect((await call(`/_sandbox/state?token=${TOKEN}`, { host })).status).toBe(401);
	expect((await call(`/?token=${TOKEN}&token=${TOKEN}`, { host })).status).toBe(401);
});

it('lets no page of another site in, nor a rebound name, with the token', async () => {
	const token = { 'x-sandbox-token': TOKEN, cookie: `sandbox_token_=${TOKEN}` };
	const origin = { ...token, origin: 'http://evil.example' };
	expect(await statuses({ host: NAMED, headers: origin })).toEqual(all(403));
	expect(await statuses({ headers: origin })).toEqual(all(403));
	const site = { ...token, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
	expect(await statuses({ host: NAMED, headers: site })).toEqual(all(403));
	expect(await statuses({ host: 'rebound.example', headers: token })).toEqual(all(403));
	expect((await call(`/?token=${TOKEN}`, { host: 'rebound.example' })).status).toBe(403);
});

// Declared where the machine has such an address.
if (OUTER !== undefined)
	it('asks other machines, which may call all of it by the address that they reached', async () => {
		const from = { address: OUTER, host: `${OUTER}:${port}` };
		expect(await statuses(from)).toEqual(all(401));
		expect(await statuses({ ...from, host: '127.0.0.1' })).toEqual(all(403));
		expect(await statuses({ ...from, headers: { 'x-sandbox-token': TOKEN } })).toEqual(all(200));
		expect((await call('/v1/channels', from)).status).toBe(200);
		const change = {
			...from,
			method: 'POST',
			body: '{"enterprise":false}',
		};
		expect((await call('/_sandbox/role', change)).status).toBe(401);
		const own = { 'x-sandbox-token': TOKEN, origin: `http://${OUTER}:${port}` };
		expect((await call('/_sandbox/role', { ...change, headers: own })).status).toBe(200);
	});
