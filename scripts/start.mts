/**
 * The package at work: the sandbox, and a real n8n with the built package and a published workflow that answers customers.
 *
 *     npm start [-- --check] [--port 5678] [--sandbox-port 4010] [--data .sandbox] [--n8n current|oldest]
 *
 * State is kept in the data folder between runs. `--check` uses a folder and ports of its own, plays one customer message and ends with 0
 * only if the reply came.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { summaryOf } from '../sandbox/events/content.mts';
import { DEMO_CHANNEL_ID, DEMO_CHANNEL_NAME, DEMO_SECRET_KEY } from '../sandbox/seed.mts';
import { build } from './build.mts';
import { withLock } from './bootstrap/cache.cjs';
import { ExplainedError, reportFailure } from './bootstrap/explained.cjs';
import { whenParentEnds } from './bootstrap/parent.cjs';
import { checkout } from './checkout.mts';
import { N8nRequestError } from './n8n/client.mts';
import { installHost, parseGeneration, type Generation } from './n8n/host.mts';
import { installCommunityPackage } from './n8n/package.mts';
import { freePort, requirePort, stopAll } from './n8n/processes.mts';
import { exampleNames, OWNER, provideCredential, provideExample, providePublication } from './n8n/provision.mts';
import { SandboxControl, startSandbox, type RunningSandbox, type SandboxMessage } from './n8n/sandbox.mts';
import { startN8n, type RunningN8n } from './n8n/server.mts';
import { until } from './until.mts';

interface Setting {
	generation: Generation;
	data: string;
	port: number;
	sandboxPort: number;
}

interface Running {
	n8n: RunningN8n;
	sandbox: RunningSandbox;
}

const REPLY_LIMIT_MS = 30_000;

const { values } = parseArgs({
	options: {
		check: { type: 'boolean', default: false },
		port: { type: 'string', default: '5678' },
		'sandbox-port': { type: 'string', default: '4010' },
		data: { type: 'string', default: join(checkout, '.sandbox') },
		n8n: { type: 'string', default: 'current' },
	},
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stopOnSignal());
whenParentEnds(() => void stopOnSignal());

/** Set once everything runs: from then on, being stopped is the wanted end. */
let isReady = false;

/** Set when a signal asks for the end: programs that end then do not end by themselves. */
let isStopping = false;

async function stopOnSignal(): Promise<void> {
	isStopping = true;
	console.log('\nStopping ...');
	await stopAll();
	console.log('Stopped.');
	process.exit(isReady ? 0 : 130);
}

try {
	await (values.check ? check() : serve());
} catch (error) {
	reportFailure(error);
	process.exitCode = 1;
} finally {
	await stopAll();
}

async function serve(): Promise<void> {
	const setting: Setting = {
		generation: parseGeneration(values.n8n),
		data: resolve(values.data),
		port: parsePort(values.port, '--port'),
		sandboxPort: parsePort(values['sandbox-port'], '--sandbox-port'),
	};
	await requirePort(setting.port, 'n8n', '-- --port <number>');
	await requirePort(setting.sandboxPort, 'the sandbox', '-- --sandbox-port <number>');
	mkdirSync(setting.data, { recursive: true });
	await withLock(join(setting.data, 'in-use.lock'), `the other 'npm start' with the data of ${setting.data} to stop`, async () => {
		const started = Date.now();
		const { n8n, sandbox } = await run(setting);
		isReady = true;
		console.log(`
Ready after ${Math.round((Date.now() - started) / 1000)} s.

  The customer's phone   ${sandbox.url}
      Write a message there and read the answer that n8n gives.

  n8n                    ${n8n.url}
      Sign in as ${OWNER.email} with the password ${OWNER.password}
      The workflow 'Auto-Reply' is published: open it to see how it works.
      The other examples wait beside it, unpublished: workflows/README.md says how to try each.

Ctrl-C stops both. What you made stays in ${setting.data}.`);
		await Promise.race([n8n.ended, sandbox.ended]);
		if (isStopping) return;
		const [name, log] = n8n.isRunning() ? ['sandbox', sandbox.log()] : ['n8n', n8n.log()];
		throw new ExplainedError(`The ${name} ended by itself. Its log ends with:\n\n${log.trim().split('\n').slice(-10).join('\n')}`);
	});
}

async function check(): Promise<void> {
	const data = mkdtempSync(join(tmpdir(), 'business-messaging-check-'));
	try {
		const generation = parseGeneration(values.n8n);
		const { sandbox } = await run({ generation, data, port: await freePort(), sandboxPort: await freePort() });
		isReady = true;
		await playCustomer(new SandboxControl(sandbox.url));
	} finally {
		await stopAll();
		rmSync(data, { recursive: true, force: true });
	}
}

/** Brings everything up. Doing it again on the same data finds what is there and changes nothing. */
async function run({ generation, data, port, sandboxPort }: Setting): Promise<Running> {
	const host = await installHost(generation);
	const home = join(data, `n8n-${generation}`);
	console.log('Building the package ...');
	await build();
	const { name, version } = await installCommunityPackage(home);
	console.log(`Starting n8n ${host.version} with ${name} ${version}, and the sandbox ...`);
	const [sandbox, n8n] = await Promise.all([startSandbox(join(data, 'service'), sandboxPort), startN8n({ host, home, port })]);
	await signIn(n8n);
	const credential = await provideCredential(n8n.client, sandbox.url, DEMO_SECRET_KEY);
	const channel = { id: DEMO_CHANNEL_ID, name: DEMO_CHANNEL_NAME };
	const autoReply = await provideExample(n8n.client, 'auto-reply', credential, channel);
	await providePublication(n8n, autoReply, { baseUrl: sandbox.url, secretKey: DEMO_SECRET_KEY, channelId: channel.id });
	// The others are for trying one at a time: side by side, all would answer the same customer.
	const settings = { n8nUrl: `${n8n.url}/`, workflowIds: [autoReply.id], channelIds: [channel.id] };
	for (const example of exampleNames()) await provideExample(n8n.client, example, credential, channel, settings);
	return { n8n, sandbox };
}

async function signIn({ client, home }: RunningN8n): Promise<void> {
	try {
		await client.signIn(OWNER);
	} catch (error) {
		if (!(error instanceof N8nRequestError) || error.status !== 401) throw error;
		throw new ExplainedError(`The owner of this n8n is not ${OWNER.email} any more. Remove ${home} to begin with a new one.`, error);
	}
}

async function playCustomer(control: SandboxControl): Promise<void> {
	const customer = { from: '5511900001234', name: 'Ana' };
	await control.customerWrites({ channelId: DEMO_CHANNEL_ID, ...customer, text: 'Hello! Are you open on Saturday?' });
	const conversation = async (): Promise<SandboxMessage[]> =>
		(await control.messages(DEMO_CHANNEL_ID)).filter((message) => message.customer === customer.from);
	const messages = await until(
		"n8n's reply to reach the customer",
		async () => {
			const now = await conversation();
			return now.some(({ direction }) => direction === 'out') && now;
		},
		REPLY_LIMIT_MS,
	);
	console.log('\nTranscript');
	for (const { direction, content } of messages) console.log(`  ${(direction === 'in' ? customer.name : 'n8n').padEnd(4)} ${summaryOf(content)}`);
	console.log('\nThe reply came: the package works in this n8n.');
}

function parsePort(value: string, option: string): number {
	const port = Number(value);
	if (Number.isInteger(port) && port > 0 && port < 65536) return port;
	throw new ExplainedError(`${option} takes a port number from 1 to 65535, not '${value}'.`);
}
