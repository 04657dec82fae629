import {
	chmodSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { N8nClient } from '#scripts/n8n/client.mts';
import { N8nRequestError } from '#scripts/n8n/session.mts';
import { freePort } from '#scripts/n8n/processes.mts';
import { hostUnderTest } from './harness/host.mts';
import { listeningAddresses } from './harness/listening.mts';
import { npmStart, START_LIMIT_MS, type Started } from './harness/npmStart.mts';

const shared = hostUnderTest();
const PASSWORD_FILE = `n8n-${shared.generation}/owner-password`;

let folder: string;
let data: string;
let ports: [number, number];
let running: Started;
beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'business-messaging-safety-'));
	// Inside a folder that others may enter, such as a checkout.
	chmodSync(folder, 0o755);
	data = join(folder, 'data');
	ports = [await freePort(), await freePort()];
	running = await npmStart(data, ...ports);
}, START_LIMIT_MS);
afterAll(async () => {
	await running?.interrupt();
	rmSync(folder, { recursive: true, force: true });
});

/** The folder and everything in it that other users of the machine have any right to. */
function openToOthers(root: string): string[] {
	const entries = readdirSync(root, { withFileTypes: true, recursive: true }).filter(
		(entry) => !entry.isSymbolicLink(),
	);
	const paths = [root, ...entries.map((entry) => join(entry.parentPath, entry.name))];
	expect(paths.length).toBeGreaterThan(10);
	return paths.filter((path) => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077);
}

async function statusOfSignIn(url: string, email: string, password: string): Promise<number> {
	try {
		await new N8nClient(url).signIn({ email, password, firstName: '', lastName: '' });
		return 200;
	} catch (error) {
		if (error instanceof N8nRequestError) return error.status;
		throw error;
	}
}

// First, because n8n 1 allows five sign-ins in five minutes, and the tests below use them up.
it('has a password of its own, in a file that only you can read', async () => {
	const { email, password } = running.account;
	expect(password.length).toBeGreaterThanOrEqual(24);
	const file = join(data, PASSWORD_FILE);
	expect(readFileSync(file, 'utf8').trim()).toBe(password);
	expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(await statusOfSignIn(running.client.url, email, 'Another-1-Password')).toBe(401);
});

describe.each([
	['npm start', () => `http://127.0.0.1:${ports[0]}`],
	['the tests', () => shared.n8nUrl],
])('the n8n of %s', (_name, url) => {
	it.each([
		['GET', '/rest/settings'],
		['GET', '/rest/login'],
		['GET', '/rest/workflows'],
		['GET', '/healthz'],
		['POST', '/rest/login'],
		['OPTIONS', '/rest/workflows'],
		['OPTIONS', '/rest/login'],
	])('gives a page of another site no access: %s %s', async (method, path) => {
		for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:1']) {
			const response = await fetch(url() + path, {
				method,
				headers: {
					origin,
					'content-type': 'application/json',
					...(method === 'OPTIONS' ? { 'access-control-request-method': 'POST' } : {}),
				},
				...(method === 'POST' ? { body: '{}' } : {}),
			});
			expect(
				[...response.headers].filter(([header]) => header.startsWith('access-control-')),
			).toEqual([]);
		}
	});

	it('does not reveal its internals in an error', async () => {
		for (const [method, path, body] of [
			['POST', '/rest/login', '{"emailOrLdapLoginId":"nobody@example.com","password":"x"}'],
			['GET', '/rest/workflows', undefined],
			['GET', '/rest/nothing-here', undefined],
			['POST', '/rest/login', '{'],
			['POST', '/webhook/nothing-here', '{}'],
		] as const) {
			const response = await fetch(url() + path, {
				method,
				headers: { 'content-type': 'application/json' },
				...(body === undefined ? {} : { body }),
			});
			expect(response.status).toBeGreaterThanOrEqual(400);
			expect(await response.text()).not.toMatch(/stacktrace|"stack"|node_modules|\n\s+at /);
		}
	});
});

it('writes nothing that another user of the machine can read', () => {
	expect(openToOthers(data)).toEqual([]);
	expect(readdirSync(join(data, 'service'))).toEqual(
		expect.arrayContaining(['sandbox.sqlite', 'sandbox.log']),
	);
	// The tests' own, too.
	expect(openToOthers(shared.folder)).toEqual([]);
});

// Only Linux shows the tests who listens.
if (process.platform === 'linux')
	it('listens only on this machine, with all its parts', () => {
		const listening = listeningAddresses(running.pid);
		expect(listening.map(({ port }) => port)).toEqual(expect.arrayContaining(ports));
		// 127.0.0.1 and ::1, as the kernel writes them on a little-endian machine.
		expect(
			listening.filter(
				({ address }) => !['0100007F', '00000000000000000000000001000000'].includes(address),
			),
		).toEqual([]);
	});

it(
	"takes the rights of others away from an older version's data",
	async () => {
		const credentials = async () =>
			(await running.client.listCredentials()).map(({ id, name }) => ({ id, name }));
		const before = await credentials();
		expect(await running.interrupt()).toBe(0);
		for (const name of readdirSync(data, { recursive: true, withFileTypes: true })) {
			if (!name.isSymbolicLink())
				chmodSync(join(name.parentPath, name.name), name.isDirectory() ? 0o755 : 0o644);
		}
		chmodSync(data, 0o755);
		running = await npmStart(data, ...ports);
		expect(openToOthers(data)).toEqual([]);
		expect(before.map(({ name }) => name).sort()).toEqual([
			'Business Messaging account',
			'Stand-In Model',
			'Stand-In Transcription',
		]);
		expect(await credentials()).toEqual(before);
	},
	START_LIMIT_MS,
);

it(
	'says what to do if you changed the password',
	async () => {
		const { password } = running.account;
		expect(await running.interrupt()).toBe(0);
		const file = join(data, PASSWORD_FILE);
		writeFileSync(file, 'Another-1\n');
		const again = npmStart(data, ...ports).then((started) => (running = started));
		await expect(again).rejects.toThrow(
			/^it ended with 1:[^]* Write the password into \S+owner-password, or delete \S+ to start with a new n8n\./,
		);
		writeFileSync(file, `${password}\n`);
		running = await npmStart(data, ...ports);
		expect(running.account.password).toBe(password);
	},
	2 * START_LIMIT_MS,
);
