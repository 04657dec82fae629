/** What loading the built package costs n8n when it starts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { capture, cleanEnvironment } from '../../scripts/bootstrap/npm.cjs';
import { build } from '../../scripts/build.mts';
import { checkout } from '../../scripts/checkout.mts';
import { readManifest, unpackPackage } from '../../scripts/n8n/package.mts';
import { resultOf, startProgram } from './children.mts';
import { atMost, type Bound } from './report.mts';
import { byTurns } from './statistics.mts';

const ROUNDS = 21;

/** Bytes of the tarball, as npm says. */
async function tarballSize(): Promise<number> {
	const { code, output } = await capture(
		'npm',
		['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=silent'],
		{ cwd: checkout, env: cleanEnvironment() },
	);
	if (code !== 0) throw new Error(`npm did not say how large the package is: ${output}`);
	const [sizes] = JSON.parse(output.slice(output.indexOf('['))) as Array<{ size: number }>;
	return sizes!.size;
}

export async function benchLoading(): Promise<Bound[]> {
	const folder = mkdtempSync(join(tmpdir(), 'loading-bench-'));
	try {
		await build();
		await unpackPackage(folder);
		const { n8n } = readManifest(folder) as {
			n8n?: { nodes: string[]; credentials: string[] };
		};
		const files = [...n8n!.credentials, ...n8n!.nodes].map((file) => join(folder, file));
		const probe = join(checkout, 'test', 'bench', 'loadingProbe.cjs');
		// Each time in a process of its own. The first reads the files into memory.
		const { own } = await byTurns(['own'], ROUNDS, async () =>
			resultOf<number>(
				startProgram([probe, ...files], { NODE_PATH: join(checkout, 'node_modules') }),
			),
		);
		return [
			atMost('Time to load', own, 15, { unit: ' ms', decimals: 1 }),
			atMost('Tarball', (await tarballSize()) / 1000, 80, { unit: ' kB', decimals: 1 }),
		];
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
