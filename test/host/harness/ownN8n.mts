import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installHost, type N8nHost } from '#scripts/n8n/host.mts';
import { installCommunityPackage } from '#scripts/n8n/package.mts';
import { signInOwner } from '#scripts/n8n/owner.mts';
import { CREDENTIAL_TYPE } from '#scripts/n8n/provision.mts';
import { startN8n, type RunningN8n } from '#scripts/n8n/server.mts';
import { Host, hostUnderTest } from './host.mts';
import { startNewN8n } from './newN8n.mts';

export interface OwnN8n {
	/** Signed in, also after restarts, at the same address. */
	host: Host;
	log(): string;
	/** Stops it as its service manager would, and starts it again. */
	restart(): Promise<void>;
	/** Stops it as its service manager would. */
	stop(): Promise<void>;
	/** Kills it at once. */
	kill(): Promise<void>;
	start(): Promise<void>;
	/** Ends it and removes everything that it wrote. */
	remove(): Promise<void>;
}

/** An editor is a third of a start, and nobody opens it. */
const WITHOUT_EDITOR = { N8N_DISABLE_UI: 'true' };
/** As n8n comes: for what is measured, and for what depends on the order of n8n's start. */
export const WITH_EDITOR = { N8N_DISABLE_UI: 'false' };

/**
 * An n8n for one test file, which may stop it. It has the package, and a credential with this key
 * for the project's sandbox.
 *
 * @param env settings of this n8n beside those that it needs
 */
export async function startOwnN8n(
	secretKey: string,
	env: NodeJS.ProcessEnv = {},
	generation = hostUnderTest().generation,
): Promise<OwnN8n> {
	const { sandboxUrl, n8nEnv } = hostUnderTest();
	const service = { sandboxUrl, secretKey };
	const all = { ...WITHOUT_EDITOR, ...n8nEnv, ...env };
	return await startN8nFor(service, await installHost(generation), all);
}

/** The same for any sandbox, with n8n's defaults. */
export async function startN8nFor(
	{ sandboxUrl, secretKey }: { sandboxUrl: string; secretKey: string },
	program: N8nHost,
	env: NodeJS.ProcessEnv = {},
): Promise<OwnN8n> {
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-own-n8n-'));
	const home = join(folder, 'n8n');
	await installCommunityPackage(home);
	let n8n: RunningN8n = await startNewN8n({ host: program, home, env });
	const start = async () => {
		n8n = await startN8n({ host: program, home, env, port: Number(new URL(n8n.url).port) });
	};
	await signInOwner(n8n);
	const credential = await n8n.client.createCredential(
		'Business Messaging account',
		CREDENTIAL_TYPE,
		{ baseUrl: sandboxUrl, secretKey },
	);
	return {
		host: new Host({
			generation: program.generation,
			version: program.version,
			n8nUrl: n8n.url,
			session: n8n.client.session,
			folder,
			home,
			sandboxUrl,
			credential,
		}),
		log: () => n8n.log(),
		restart: async () => {
			await n8n.stop();
			await start();
		},
		stop: async () => await n8n.stop(),
		kill: async () => await n8n.kill(),
		start,
		remove: async () => {
			await n8n.kill();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
