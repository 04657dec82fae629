import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import { build } from '#scripts/build.mts';
import {
	chooseN8n,
	EMAIL_VARIABLE,
	installHost,
	N8N_URL_VARIABLE,
	N8N_VARIABLE,
	PASSWORD_VARIABLE,
} from '#scripts/n8n/host.mts';
import { N8nClient } from '#scripts/n8n/client.mts';
import { installCommunityPackage } from '#scripts/n8n/package.mts';
import { signInOwner } from '#scripts/n8n/owner.mts';
import { CREDENTIAL_TYPE, provideCredential } from '#scripts/n8n/provision.mts';
import { freePort } from '#scripts/n8n/processes.mts';
import { startSandbox } from '#scripts/n8n/sandbox.mts';
import { urlAt } from '#scripts/n8n/server.mts';
import { HOST_VARIABLE, type HostUnderTest } from './host.mts';
import { forDepth, QUICK_WAITS, startNewN8n } from './newN8n.mts';

/**
 * Starts the sandbox and an n8n with the built package, once for all files of a project. The
 * environment tells workers where they are.
 */
export default async function setUp(): Promise<void> {
	// Everything that n8n can log, because some tests read the log.
	await startHostUnderTest('debug', { ...QUICK_WAITS, ...forDepth() });
}

export async function startHostUnderTest(
	logLevel: 'debug' | 'info',
	n8nEnv: NodeJS.ProcessEnv = {},
): Promise<void> {
	const n8nUrl = process.env[N8N_URL_VARIABLE];
	const underTest =
		n8nUrl === undefined ? await startServers(logLevel, n8nEnv) : await startSandboxFor(n8nUrl);
	process.env[HOST_VARIABLE] = JSON.stringify(underTest);
}

/**
 * For an n8n that runs and has the package: a sandbox on this machine, which both must be able to
 * call.
 */
async function startSandboxFor(n8nUrl: string): Promise<HostUnderTest> {
	const client = new N8nClient(n8nUrl);
	const { [EMAIL_VARIABLE]: email = '', [PASSWORD_VARIABLE]: password = '' } = process.env;
	await client.signIn({ email, password, firstName: '', lastName: '' });
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-host-'));
	const sandbox = await startSandbox(join(folder, 'service'), { n8n: n8nUrl });
	return {
		...{ ...chooseN8n(process.env[N8N_VARIABLE]), n8nUrl, folder, home: '' },
		...{ session: client.session, sandboxUrl: sandbox.url },
		credential: await provideCredentialFor(client, sandbox.url),
	};
}

const provideCredentialFor = async (client: N8nClient, baseUrl: string) =>
	await client.createCredential(`Tests of ${new Date().toISOString()}`, CREDENTIAL_TYPE, {
		baseUrl,
		secretKey: DEMO_SECRET_KEY,
	});

async function startServers(
	logLevel: 'debug' | 'info',
	n8nEnv: NodeJS.ProcessEnv,
): Promise<HostUnderTest> {
	const { generation } = chooseN8n(process.env[N8N_VARIABLE]);
	const host = await installHost(generation);
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-host-'));
	const home = join(folder, 'n8n');
	await build();
	await installCommunityPackage(home);
	const port = await freePort();
	const [sandbox, n8n] = await Promise.all([
		startSandbox(join(folder, 'service'), { n8n: urlAt(port) }),
		startNewN8n({ host, home, port, env: { N8N_LOG_LEVEL: logLevel, ...n8nEnv } }),
	]);
	await signInOwner(n8n);
	return {
		generation,
		version: host.version,
		n8nUrl: n8n.url,
		session: n8n.client.session,
		folder,
		home,
		sandboxUrl: sandbox.url,
		n8nEnv,
		credential: await provideCredential(n8n.client, sandbox.url, DEMO_SECRET_KEY),
	};
}
