/** Measures everything side by side in one run, and writes docs/benchmarks.md. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import { checkout } from '../../scripts/checkout.mts';
import { runMain } from '../../scripts/bootstrap/explained.cjs';
import { Host } from '../host/harness/host.mts';
import { startHostUnderTest } from '../host/harness/setup.mts';
import tearDown from '../host/harness/teardown.mts';
import { benchSandbox } from './sandbox.mts';
import { benchSending } from './sendingInN8n.mts';
import { table } from './statistics.mts';

interface MemoryFigures {
	count: number;
	peak: number;
	output: number;
	seconds: number;
	ledger: number;
}

function benchSendingMemory(): string {
	const rows = [1_000, 10_000, 100_000].map((count) => {
		const printed = execFileSync(process.execPath, ['--expose-gc', '--import', 'tsx', join(import.meta.dirname, 'sendingMemory.mts'), String(count)], { cwd: checkout });
		const { peak, output, seconds, ledger } = JSON.parse(printed.toString()) as MemoryFigures;
		const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
		return [count.toLocaleString('en'), seconds.toFixed(2), megabytes(output), megabytes(peak), (peak / output).toFixed(2), Math.round(output / count).toString(), megabytes(ledger)];
	});
	return [
		'## Memory of sending',
		'',
		'The heap beside the input, for texts to a fifth as many recipients, 20 at a time, to a service that answers at once: at the end, with all outcomes kept, and at its highest of 20 samples under way. A ratio near 1 means that waiting texts cost nothing.',
		'',
		table(['Texts', 'Seconds', 'At the end, MB', 'Highest, MB', 'Ratio', 'Bytes a text', 'Ledger as stored, MB'], rows),
	].join('\n');
}

await runMain(async () => {
	// Before n8n is started: it would share the processors.
	const sandbox = await benchSandbox();
	await startHostUnderTest('info');
	try {
		const host = new Host();
		const { version } = host.underTest;
		const sections = [await benchSending(host), benchSendingMemory(), sandbox];
		const heading = [
			'# Benchmarks',
			'',
			'Written by `npm run bench`. Figures are medians, with minimum and maximum in brackets. Compare ratios, not seconds: machines differ.',
			'',
			`Measured on ${new Date().toISOString().slice(0, 10)} with n8n ${version} on Node.js ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB of memory.`,
		].join('\n');
		writeFileSync(join(checkout, 'docs', 'benchmarks.md'), `${[heading, ...sections].join('\n\n')}\n`);
		console.log(sections.join('\n\n'));
	} finally {
		await tearDown();
	}
});
