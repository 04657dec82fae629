import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DEMO_SECRET_KEY } from '../../../sandbox/seed.mts';
import { build } from '../../../scripts/build.mts';
import { GENERATION_VARIABLE, installHost, parseGeneration } from '../../../scripts/n8n/host.mts';
import { installCommunityPackage } from '../../../scripts/n8n/package.mts';
import { signInOwner } from '../../../scripts/n8n/owner.mts';
import { provideCredential } from '../../../scripts/n8n/provision.mts';
import { startSandbox } from '../../../scripts/n8n/sandbox.mts';
import { startN8n } from '../../../scripts/n8n/server.mts';
import { HOST_VARIABLE, type HostUnderTest } from './host.mts';

/** Starts the sandbox and an n8n with the built package, once for all files of a project. Workers find them by the environment. */
export default async function setUp(): Promise<void> {
	// Everything that n8n can log, for the tests that read the log.
	await startHostUnderTest('debug');
}

export async function startHostUnderTest(logLevel: 'debug' | 'info'): Promise<void> {
	const generation = parseGeneration(process.env[GENERATION_VARIABLE]);
	const host = await installHost(generation);
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-host-'));
	const home = join(folder, 'n8n');
	await build();
	await installCommunityPackage(home);
	const [sandbox, n8n] = await Promise.all([
		startSandbox(join(folder, 'service')),
		startN8n({ host, home, env: { N8N_LOG_LEVEL: logLevel } }),
	]);
	await signInOwner(n8n);
	const underTest: HostUnderTest = {
		generation,
		version: host.version,
		n8nUrl: n8n.url,
		session: n8n.client.session,
		folder,
		home,
		sandboxUrl: sandbox.url,
		credential: await provideCredential(n8n.client, sandbox.url, DEMO_SECRET_KEY),
	};
	process.env[HOST_VARIABLE] = JSON.stringify(underTest);
}
