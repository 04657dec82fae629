/**
 * What an isolate for expressions costs n8n, with its setting that keeps the compiled code and
 * without.
 */
import { dirname, join } from 'node:path';

import { checkout } from '../../scripts/checkout.mts';
import { installHost } from '../../scripts/n8n/host.mts';
import { resultOf, startProgram } from './children.mts';
import { atMost, type Bound } from './report.mts';
import { ratiosOf } from './statistics.mts';

const ROUNDS = 21;

export async function benchIsolates(): Promise<Bound[]> {
	const { program, version } = await installHost('current');
	const modules = join(dirname(program), '..', '..');
	const probe = join(checkout, 'test', 'bench', 'isolatesProbe.cjs');
	const taken = await resultOf<{ without: number[]; with: number[] }>(
		startProgram(['--no-node-snapshot', probe, modules, String(ROUNDS)]),
	);
	const ratios = ratiosOf(taken.with, taken.without);
	return [atMost(`Processor time, n8n ${version} / without the compile cache`, ratios, 0.9)];
}
