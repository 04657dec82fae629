import { resultOf, startScript } from './children.mts';
import type { Measured } from './report.mts';
import type { MemoryFigures } from './sendingMemory.mts';
import { table } from './statistics.mts';

const COUNTS = [1_000, 10_000, 100_000];
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);

/** What waiting texts and kept outcomes cost, apart from n8n. */
export async function benchMemory(): Promise<Measured> {
	const rows: string[][] = [];
	for (const count of COUNTS) {
		const child = startScript('test/bench/sendingMemory.mts', [String(count)], {
			flags: ['--expose-gc'],
		});
		const { peak, output, seconds, sentRecord } = await resultOf<MemoryFigures>(child);
		rows.push([
			count.toLocaleString('en'),
			seconds.toFixed(2),
			megabytes(output),
			megabytes(peak),
			(peak / output).toFixed(2),
			Math.round(output / count).toString(),
			megabytes(sentRecord),
		]);
	}
	return {
		blocks: [
			'The heap beside the input, for texts to a fifth as many recipients, 20 at a time, to a service that responds at once: at the end, with all outcomes kept, and at its highest of 20 samples under way. A ratio near 1 means that waiting texts cost nothing.',
			table(
				[
					'Texts',
					'Seconds',
					'At the end, MB',
					'Highest, MB',
					'Ratio',
					'Bytes a text',
					'Sent record as stored, MB',
				],
				rows,
			),
		],
		bounds: [],
	};
}
