import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installHost } from '../../../scripts/n8n/host.mts';
import { installCommunityPackage } from '../../../scripts/n8n/package.mts';
import { CREDENTIAL_TYPE, OWNER } from '../../../scripts/n8n/provision.mts';
import { startN8n, type RunningN8n } from '../../../scripts/n8n/server.mts';
import { Host, hostUnderTest } from './host.mts';

export interface OwnN8n {
	/** Signed in; stays so over restarts, at the same address. */
	host: Host;
	log(): string;
	/** Stops it as its service manager would, and starts it again. */
	restart(): Promise<void>;
	/** Ends it at once. */
	kill(): Promise<void>;
	start(): Promise<void>;
	/** Ends it and removes all that it wrote. */
	remove(): Promise<void>;
}

/**
 * An n8n for one test file, which may stop it. It has the package, and a credential for the room's sandbox with this key.
 *
 * @param env settings of this n8n beside those that it needs
 */
export async function startOwnN8n(secretKey: string, env: NodeJS.ProcessEnv = {}, generation = hostUnderTest().generation): Promise<OwnN8n> {
	const room = hostUnderTest();
	const program = await installHost(generation);
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-own-n8n-'));
	const home = join(folder, 'n8n');
	await installCommunityPackage(home);
	let n8n: RunningN8n = await startN8n({ host: program, home, env });
	const start = async () => {
		n8n = await startN8n({ host: program, home, env, port: Number(new URL(n8n.url).port) });
	};
	await n8n.client.signIn(OWNER);
	const credential = await n8n.client.createCredential('Business Messaging account', CREDENTIAL_TYPE, { baseUrl: room.sandboxUrl, secretKey });
	return {
		host: new Host({ ...room, generation, version: program.version, n8nUrl: n8n.url, session: n8n.client.session, folder, home, credential }),
		log: () => n8n.log(),
		restart: async () => {
			await n8n.stop();
			await start();
		},
		kill: async () => await n8n.kill(),
		start,
		remove: async () => {
			await n8n.kill();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
