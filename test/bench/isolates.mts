/**
 * What an isolate for expressions costs n8n, with its setting that keeps the compiled code and
 * without.
 */
import { dirname, join } from 'node:path';

import { checkout } from '../../scripts/checkout.mts';
import { installHost } from '../../scripts/n8n/host.mts';
import { resultOf, startProgram } from './children.mts';
import { atMost, type Measured } from './report.mts';
import { medianOf, showSpread, spreadOf, table } from './statistics.mts';

const ROUNDS = 21;

export async function benchIsolates(): Promise<Measured> {
	const { program, version } = await installHost('current');
	const modules = join(dirname(program), '..', '..');
	const probe = join(checkout, 'test', 'bench', 'isolatesProbe.cjs');
	const taken = await resultOf<{ without: number[]; with: number[] }>(
		startProgram(['--no-node-snapshot', probe, modules, String(ROUNDS)]),
	);
	const ratios = taken.with.map((milliseconds, round) => milliseconds / taken.without[round]!);
	return {
		blocks: [
			`n8n ${version} makes an isolate for each execution that evaluates an expression. With \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\` it does so when the first expression comes; where several executions do at once, n8n stands still meanwhile. ${ROUNDS} rounds by turns of 5 isolates, made by n8n's own code.`,
			table(
				['Setting', 'Processor time of an isolate (ms)'],
				[
					['as it comes', showSpread(spreadOf(taken.without), 1)],
					['`N8N_EXPRESSION_ENGINE_COMPILE_CACHE=true`', showSpread(spreadOf(taken.with), 1)],
				],
			),
		],
		bounds: [
			atMost(`Processor time, n8n ${version} / without the compile cache`, medianOf(ratios), 0.9),
		],
	};
}
