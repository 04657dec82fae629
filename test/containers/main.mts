/**
 * Starts containers/compose.yaml with n8n's own image, tests the credential in it, and runs the
 * host tests that go by address in that image. Where there is no Docker, says so and ends.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { command, readCommandLine } from '#sandbox/core/commandLine.cjs';
import { DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import { ExplainedError, runMain } from '#scripts/bootstrap/explained.cjs';
import { capture, cleanEnvironment } from '#scripts/bootstrap/npm.cjs';
import { checkout } from '#scripts/checkout.mts';
import { N8nClient } from '#scripts/n8n/client.mts';
import { EMAIL_VARIABLE, PASSWORD_VARIABLE, versionOf } from '#scripts/n8n/host.mts';
import { CREDENTIAL_TYPE } from '#scripts/n8n/provision.mts';
import { until } from '#scripts/until.mts';

const CONTAINERS = command({
	name: 'node scripts/bootstrap.mjs test/containers/main.mts',
	about:
		"Starts containers/compose.yaml with n8n's own image, and runs the host tests that go by address in that image. Needs Docker.",
	options: {
		n8n: {
			type: 'string',
			value: 'TAG',
			about: 'tag of the image, or a major version: its newest (default: the current n8n)',
		},
	},
	example: '--n8n next',
});

const COMPOSE = ['compose', '--file', join(checkout, 'containers', 'compose.yaml')];
const N8N_URL = 'http://127.0.0.1:5678';
const START_LIMIT_MS = 300_000;
/** The container for the tests by address, in the network of this machine. */
const CONTAINER = 'business-messaging-n8n-by-address';
const VOLUME = 'business-messaging_n8n';
const OWNER = {
	...{ email: 'owner@example.com', firstName: 'Sam', lastName: 'Owner' },
	password: `${randomBytes(18).toString('base64url')}A1`,
};

await runMain(async () => {
	const { n8n = versionOf('current') } = readCommandLine(CONTAINERS).values;
	const { code, output } = await capture('docker', ['info', '--format', '{{.ServerVersion}}']);
	if (code !== 0) {
		console.log(`Left out: there is no Docker to start containers with. It said: ${output.trim()}`);
		return;
	}
	const tag = await tagOf(n8n);
	const client = new N8nClient(N8N_URL);
	try {
		console.log(`Building the images, and starting n8n ${tag} with the nodes, and the sandbox ...`);
		await docker([...COMPOSE, 'up', '--build', '--detach'], { N8N_VERSION: tag });
		await untilReady();
		await client.signIn(OWNER);
		await requireSandboxInReach(client);
		await docker([...COMPOSE, 'down']);
		await startByAddress(tag);
		await untilReady();
		await runByAddress(tag);
	} finally {
		await capture('docker', ['rm', '--force', CONTAINER]);
		await capture('docker', [...COMPOSE, 'down', '--volumes']);
	}
});

/** @throws ExplainedError with what Docker said */
async function docker(parameters: string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
	const { code, output } = await capture('docker', parameters, { env: { ...process.env, ...env } });
	if (code !== 0)
		throw new ExplainedError(`docker ${parameters.join(' ')} failed:\n\n${output.trim()}`);
}

/** A major version stands for its newest; any other text is a tag already. */
async function tagOf(n8n: string): Promise<string> {
	if (!/^\d+$/.test(n8n)) return n8n;
	const { code, output } = await capture('npm', ['view', `n8n@${n8n}`, 'version', '--json'], {
		env: cleanEnvironment(),
	});
	const newest = code === 0 ? [JSON.parse(output) as string | string[]].flat().at(-1) : undefined;
	if (newest === undefined)
		throw new ExplainedError(`npm does not tell which n8n ${n8n} is the newest:\n\n${output}`);
	return newest;
}

async function untilReady(): Promise<void> {
	await until(
		'n8n to be ready',
		async () => {
			try {
				const paths = ['/healthz/readiness', '/rest/settings'];
				const responses = await Promise.all(paths.map((path) => fetch(N8N_URL + path)));
				return responses.every(({ ok }) => ok);
			} catch {
				return false;
			}
		},
		START_LIMIT_MS,
		500,
	);
}

/** By the credential's own test: n8n has the package, and reaches the sandbox under its name. */
async function requireSandboxInReach(client: N8nClient): Promise<void> {
	const data = { baseUrl: 'http://sandbox:4010', secretKey: DEMO_SECRET_KEY };
	const credential = await client.createCredential('In containers', CREDENTIAL_TYPE, data);
	const { status, message } = await client.testCredential(credential, data);
	if (status !== 'OK')
		throw new ExplainedError(`n8n does not reach the sandbox by its name: ${message}`);
	console.log("n8n has the nodes, and reaches the sandbox: the credential's test passes.");
}

/**
 * On the same data. The tests' own sandbox listens at the loopback, so n8n shares this machine's
 * network.
 */
async function startByAddress(tag: string): Promise<void> {
	const env = {
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_WEBHOOK_URL: `${N8N_URL}/`,
	};
	await docker([
		...['run', '--detach', '--name', CONTAINER, '--network', 'host'],
		...['--volume', `${VOLUME}:/home/node/.n8n`],
		...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
		`docker.n8n.io/n8nio/n8n:${tag}`,
	]);
}

async function runByAddress(tag: string): Promise<void> {
	console.log(`Running the host tests that go by address in n8n ${tag} ...`);
	const { email, password } = OWNER;
	const signIn = { [EMAIL_VARIABLE]: email, [PASSWORD_VARIABLE]: password };
	const { code, output } = await capture(
		process.execPath,
		['--import', 'tsx', 'scripts/test.mts', 'host', '--n8n-url', N8N_URL],
		{ cwd: checkout, env: cleanEnvironment(process.execPath, signIn) },
	);
	console.log(output);
	if (code !== 0) throw new ExplainedError(`The host tests failed in n8n ${tag}.`);
}
