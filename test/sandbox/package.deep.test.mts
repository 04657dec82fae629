import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { nodeOf } from '#scripts/bootstrap/node24.cjs';
import { checkout } from '#scripts/checkout.mts';
import { readManifest } from '#scripts/n8n/package.mts';
import { nodeProblem } from '#sandbox/cli/nodeVersion.mts';
import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import { startSandbox } from '#sandbox/server.mts';
import { CUSTOMER, WEBHOOKS } from './deliveryHarness.mts';
import { clientOf, startReceiver, until } from './helpers.mts';
import { type Installed, installSandbox } from './installed.mts';
import { addressOf, endAll, type SandboxProcess, spawnProgram } from './process.mts';
import { rawCall } from './rawCall.mts';

/** The oldest Node.js that the package supports. Features of newer ones fail here. */
const OLDEST = '22.13.0';
const TOKEN = 'a-token-of-this-test';
const LIMIT_MS = 120_000;
jest.setTimeout(LIMIT_MS);

let folder: string;
let installed: Installed;
const running: SandboxProcess[] = [];
beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'sandbox-package-'));
	installed = await installSandbox(folder);
}, LIMIT_MS);
afterEach(async () => {
	await endAll(running.splice(0));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the installed program with a home in this test's folder. */
function start(parameters: string[], env: NodeJS.ProcessEnv = {}, node?: string): SandboxProcess {
	const home = { HOME: join(folder, 'home') };
	const started = spawnProgram([installed.program, ...parameters], { ...home, ...env }, node);
	running.push(started);
	return started;
}
/** What it has printed at its start. */
async function printed(sandbox: SandboxProcess): Promise<string> {
	await until('all is said', () => sandbox.output().includes('Ctrl-C'));
	return sandbox.output();
}

async function refusalOf(...parameters: string[]): Promise<string> {
	const refused = start(['--port', '0', ...parameters]);
	expect(await refused.ended).toBe(1);
	return refused.output().trim();
}

/** Writes a file into the folder of this test. @returns its path */
function file(name: string, content: string): string {
	writeFileSync(join(folder, name), content);
	return join(folder, name);
}

it('contains only the needed files', () => {
	const { stdout } = spawnSync('tar', ['-tzf', installed.tarball], { encoding: 'utf8' });
	const files = stdout
		.trim()
		.replace(/^package\//gm, '')
		.split('\n');
	const within = (part: string) =>
		files.filter((name) => name.startsWith(part)).map((name) => name.slice(part.length));
	const unwanted = (part: string, wanted: RegExp) =>
		within(part).filter((name) => !wanted.test(name));
	expect(files.filter((name) => !name.startsWith('lib/')).sort()).toEqual([
		...['CHANGELOG.md', 'LICENSE.md', 'README.md', 'THIRD-PARTY-LICENSES.md'],
		...['icons/business-messaging.svg', 'package.json', 'rehearsal.schema.json'],
	]);
	expect(within('lib/page/').sort()).toEqual(
		readdirSync(join(checkout, 'sandbox', 'page'))
			.map((name) => name.replace(/\.ts$/, '.js'))
			.sort(),
	);
	const server = /^(bin|(chunk|document|everyday|probe|program|record|rehearse)-\w+)\.mjs$/;
	expect(unwanted('lib/server/', server)).toEqual([]);
	expect(unwanted('lib/client/', /^(index\.[cm]js|\w+\.d\.[cm]ts)$/)).toEqual([]);
	expect(readdirSync(join(installed.app, 'node_modules')).sort()).toEqual([
		...['.bin', '.package-lock.json', 'business-messaging-sandbox'],
	]);
	expect(statSync(installed.tarball).size).toBeLessThan(1024 * 1024);
});

it('names the licence of every included package', () => {
	const home = join(installed.app, 'node_modules', 'business-messaging-sandbox');
	const notices = readFileSync(join(home, 'THIRD-PARTY-LICENSES.md'), 'utf8');
	const { devDependencies } = readManifest(checkout) as unknown as {
		devDependencies: Record<string, string>;
	};
	for (const name of ['fastify', 'zod', 'undici', '@asteasolutions/zod-to-openapi'])
		expect(notices).toContain(`\n## ${name} ${devDependencies[name]} (MIT)\n`);
});

it('is ready soon, and serves its page and its descriptions', async () => {
	const bare = Math.min(
		...[1, 2, 3].map(() => timed(() => spawnSync(process.execPath, ['-e', '0']))),
	);
	const began = performance.now();
	const sandbox = start(['--memory', '--port', '0']);
	const url = await addressOf(sandbox);
	const ready = performance.now() - began;
	console.log(`ready after ${Math.round(ready)} ms; node -e 0 takes ${Math.round(bare)} ms`);
	// Under two seconds if a bare Node.js takes 40 ms. A busy machine slows both.
	expect(ready).toBeLessThan(50 * bare);
	for (const [path, type] of [
		['/', 'text/html'],
		['/page/app.js', 'text/javascript'],
		['/page/icon.svg', 'image/svg+xml'],
		['/openapi.json', 'application/json'],
	]) {
		const response = await fetch(url + path);
		expect({ path, status: response.status }).toEqual({ path, status: 200 });
		expect(response.headers.get('content-type')).toContain(type);
	}
	const document = await fetch(`${url}/openapi.json`);
	expect(await document.json()).toEqual(await documentOfSources());
	sandbox.child.kill('SIGTERM');
	expect(await sandbox.ended).toBe(0);
});

it('plays a conversation on the oldest supported Node.js without a warning', async () => {
	const node = await nodeOf(OLDEST, "the sandbox's package must run on");
	const sandbox = start(['--memory', '--port', '0'], {}, node);
	const client = clientOf(await addressOf(sandbox));
	const receiver = await startReceiver();
	try {
		const events = ['MESSAGE_RECEIVED', 'MESSAGE_STATUS'];
		await client.call(WEBHOOKS, { body: { url: receiver.url, events, signing: true } });
		await client.inbound(CUSTOMER, 'Hello');
		const received = await until('the message is delivered', () => receiver.received[0]);
		expect(received).toMatchObject({
			headers: { 'x-webhook-signature': expect.stringMatching(/^t=\d+,v1=/) },
			json: { message: { contents: [{ message: 'Hello' }] } },
		});
		expect((await client.send(CUSTOMER, 'Welcome')).status).toBe(200);
		// Two states of the business's message.
		await until('all is told', () => receiver.received.length >= 3);
		const { messages } = await client.control<{ messages: unknown[] }>('/messages');
		expect(messages).toMatchObject([
			{ direction: 'in', content: { text: 'Hello' } },
			{ direction: 'out', content: { text: 'Welcome' } },
		]);
		for (const path of ['/state', '/deliveries', '/message-templates', '/requests'])
			await client.control(path);
		expect((await client.call('/openapi.json')).status).toBe(200);
		expect(sandbox.output()).not.toMatch(/warning|failed/i);
	} finally {
		await receiver.close();
	}
});

it('prints how to use it', async () => {
	const sandbox = start(['--memory', '--port', '0']);
	const url = await addressOf(sandbox);
	expect((await printed(sandbox)).split('\n')).toEqual([
		`Sandbox ready at ${url}`,
		`  Page        ${url}/`,
		`  Account     Demo Company: secret key ${DEMO_SECRET_KEY}, public key sandbox_pk_demo`,
		`  Channel     Demo Channel: ${DEMO_CHANNEL_ID}`,
		`  In n8n      credential "Business Messaging API": Base URL ${url}, Secret Key ${DEMO_SECRET_KEY}`,
		'  State       in memory, lost when the sandbox ends',
		'Press Ctrl-C to end it.',
		'',
	]);
	expect(existsSync(join(folder, 'home'))).toBe(false);
	const help = start(['--help']);
	expect(await help.ended).toBe(0);
	const readme = readFileSync(join(checkout, 'sandbox', 'README.md'), 'utf8');
	const options = [...help.output().matchAll(/^ {2}(--[\w-]+)/gm)].map(([, name]) => name!);
	expect(options).toHaveLength(11);
	for (const option of options) expect(readme).toMatch(new RegExp(`^\\|.*\`${option}\\b`, 'm'));
	const version = start(['--version']);
	expect(await version.ended).toBe(0);
	expect(version.output().trim()).toBe(readManifest(join(checkout, 'sandbox')).version);
});

const wrongSeed = '{"tenants":[{"name":"A"}]}';
const liveSeed = '{"tenants":[{"name":"A","secretKey":"live","publicKey":"sandbox_pk_a"}]}';
/** Options, with those that need a file as a function. */
it.each<[string, Array<string | (() => string)>, RegExp]>([
	['a wrong port', ['--port', 'http'], /^--port must be a number from 0 to 65535\.$/],
	['no address', ['--memory', '--host', ' '], /^--host needs an address of this machine\.$/],
	[
		'an address of another machine',
		['--memory', '--host', '198.51.100.7'],
		/^This machine has no address 198\.51\.100\.7\. Choose another with --host\.$/,
	],
	['memory and a folder', ['--memory', '--data', 'x'], /^--memory .* --data .* Use one of them\.$/],
	[
		'a file as folder',
		['--data', () => file('notes.txt', 'x')],
		/^--data needs a folder, and .*notes\.txt is not one\. .*--memory\.$/,
	],
	[
		'a short token',
		['--memory', '--token', 'short'],
		/^--token must be 16 to 256 .* Leave it out to have one made\.$/,
	],
	[
		'a missing seed file',
		['--memory', '--seed', 'no.json'],
		/^--seed: cannot read no\.json as JSON: .*ENOENT.*\.$/,
	],
	[
		'a wrong seed file',
		['--memory', '--seed', () => file('wrong.json', wrongSeed)],
		/^--seed: .*wrong\.json must contain \{seed\?, demo\?, tenants\?\}.*at tenants\.0\.secretKey: Required\.$/,
	],
	[
		'a seed with a live key',
		['--memory', '--seed', () => file('live.json', liveSeed)],
		/^--seed: secretKey must start with sandbox_sk_: .*\.$/,
	],
])('refuses %s in one sentence', async (_name, parameters, sentence) => {
	const given = parameters.map((one) => (typeof one === 'string' ? one : one()));
	expect(await refusalOf(...given)).toMatch(sentence);
});

it("keeps its state in the user's folder or the chosen one, for one sandbox at a time", async () => {
	const first = start(['--port', '0']);
	await clientOf(await addressOf(first)).inbound(CUSTOMER, 'Hello');
	const home = join(folder, 'home', '.business-messaging-sandbox');
	expect(statSync(home).mode & 0o077).toBe(0);
	expect(await refusalOf()).toMatch(/is in use by another sandbox\. Stop it, or .*--data/);
	first.child.kill('SIGTERM');
	await first.ended;
	const again = clientOf(await addressOf(start(['--port', '0'])));
	expect(await again.control('/messages')).toMatchObject({ messages: [{ customer: CUSTOMER }] });
	const elsewhere = join(folder, 'some', 'where');
	const other = clientOf(await addressOf(start(['--port', '0', '--data', elsewhere])));
	expect(await other.control('/messages')).toEqual({ messages: [] });
	expect(existsSync(join(elsewhere, 'sandbox.sqlite'))).toBe(true);
});

it('fills a new sandbox from a file', async () => {
	const readme = readFileSync(join(checkout, 'sandbox', 'README.md'), 'utf8');
	const seed = file('seed.json', /```json\n([^]*?)```/.exec(readme)![1]!);
	const data = join(folder, 'seeded');
	const parameters = ['--port', '0', '--seed', seed, '--data', data];
	const sandbox = start(parameters);
	const client = clientOf(await addressOf(sandbox));
	const { body } = await client.call('/v1/channels', { key: 'sandbox_sk_mine' });
	expect(body).toMatchObject({ content: [{ name: 'Support', id: `${'0'.repeat(31)}1` }] });
	expect((await client.call('/v1/channels')).status).toBe(400);
	expect(await printed(sandbox)).not.toContain('sandbox_sk_demo');
	sandbox.child.kill('SIGTERM');
	await sandbox.ended;
	expect(await printed(start(parameters))).toContain(
		'  Seed        not used, because the sandbox already holds data',
	);
});

it('needs a token if it is open, and makes one if none is set', async () => {
	const open = ['--memory', '--port', '0', '--host', '0.0.0.0', '--allow-host', 'sandbox.example'];
	const tokenOf = async (sandbox: SandboxProcess) =>
		/http:\/\/sandbox\.example:\d+\/\?token=(\S+)/.exec(await printed(sandbox))?.[1];
	const stateWith = async (sandbox: SandboxProcess, token: string) => {
		const { port } = new URL(await addressOf(sandbox));
		const headers = { 'x-sandbox-token': token };
		const call = { target: '/_sandbox/state', host: 'sandbox.example', headers };
		return (await rawCall({ ...call, address: '127.0.0.1', port })).status;
	};
	const [made, other] = [start(open), start(open)];
	const token = (await tokenOf(made))!;
	expect(token).toMatch(/^[\w-]{32}$/);
	expect(await tokenOf(other)).not.toBe(token);
	expect([await stateWith(made, token), await stateWith(other, token)]).toEqual([200, 401]);
	const { port } = new URL(await addressOf(made));
	expect(made.output()).toContain(`  Page        http://127.0.0.1:${port}/?token=${token}\n`);
	expect(made.output()).toMatch(
		/secret key sandbox_sk_[\w-]{32}, .*Secret Key sandbox_sk_[\w-]{32}\n/s,
	);
	expect(made.output()).not.toContain('sandbox_sk_demo');
	for (const given of [
		start([...open, '--token', TOKEN]),
		start(open, { BUSINESS_MESSAGING_SANDBOX_TOKEN: TOKEN }),
	]) {
		// A token that the user set is not printed.
		expect(await tokenOf(given)).toBe('<your');
		expect(given.output()).not.toContain(TOKEN);
		expect([await stateWith(given, TOKEN), await stateWith(given, token)]).toEqual([200, 401]);
	}
	// Behind a proxy, a sandbox of this machine needs it too.
	const behind = await printed(start(['--memory', '--port', '0', '--token', TOKEN]));
	expect(behind).toMatch(/ Page +http:\/\/127\.0\.0\.1:\d+\/\?token=<your token>\n/);
	expect(behind).toMatch(/Secret Key sandbox_sk_[\w-]{32}\n/);
	expect(behind).not.toContain('From others');
});

it('names the Node.js that it needs', () => {
	for (const version of ['18.20.0', '20.19.5', '22.12.9', '4.0.0'])
		expect(nodeProblem(version)).toBe(
			`The sandbox needs Node.js 22.13 or newer, and this is ${version}. Install a newer Node.js.`,
		);
	for (const version of ['22.13.0', '22.20.1', '23.0.0', '24.2.0'])
		expect(nodeProblem(version)).toBeUndefined();
	expect(readManifest(join(checkout, 'sandbox')).engines).toEqual({ node: '>=22.13' });
});

/** A document of the sandbox of this repository. */
async function documentOfSources(): Promise<unknown> {
	const sandbox = await startSandbox();
	try {
		return await (await fetch(`${sandbox.url}/openapi.json`)).json();
	} finally {
		await sandbox.close();
	}
}

function timed(work: () => unknown): number {
	const began = performance.now();
	work();
	return performance.now() - began;
}
