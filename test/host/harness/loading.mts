import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { capture } from '#scripts/bootstrap/npm.cjs';
import { installHost } from '#scripts/n8n/host.mts';
import { communityPackage, readManifest } from '#scripts/n8n/package.mts';
import { ratiosOf } from '../../bench/statistics.mts';
import type { HostUnderTest } from './host.mts';

/** Messaging services whose nodes come with n8n, each with an action and a trigger. */
const SERVICES = ['Slack', 'Telegram', 'WhatsApp'];
/** Of the time that their nodes take. */
export const LOADING_MOST = 1.25;

/** From one to another, the figures of a busy machine differ by a tenth. */
const PROCESSES = 5;

/**
 * The time to load the package, in that of n8n's nodes of three services, each round. By the clock,
 * because some kernels count a thread's time in steps of 4 ms, a third of a loading.
 */
export async function loadingRatios({ generation, home }: HostUnderTest): Promise<number[]> {
	const { program } = await installHost(generation);
	const base = dirname(createRequire(program).resolve('n8n-nodes-base/package.json'));
	const own = communityPackage(home);
	const { n8n } = readManifest(own) as { n8n?: { nodes: string[]; credentials: string[] } };
	const groups = {
		own: [...n8n!.credentials, ...n8n!.nodes].map((file) => join(own, file)),
		services: SERVICES.flatMap((name) =>
			[name, `${name}Trigger`].map((node) => join(base, 'dist/nodes', name, `${node}.node.js`)),
		),
	};
	const folders = [join(own, 'dist'), join(base, 'dist')];
	const probe = join(import.meta.dirname, 'loadingProbe.cjs');
	const ratios: number[] = [];
	for (let run = 0; run < PROCESSES; run++) {
		const { code, output } = await capture(
			process.execPath,
			['--no-compilation-cache', probe, JSON.stringify(groups), ...folders],
			// n8n lends its own packages to community packages.
			{ env: { ...process.env, NODE_PATH: dirname(base) } },
		);
		if (code !== 0) throw new Error(`the nodes could not be loaded: ${output}`);
		const rounds = JSON.parse(output) as Record<keyof typeof groups, number[]>;
		ratios.push(...ratiosOf(rounds.own, rounds.services));
	}
	return ratios;
}
