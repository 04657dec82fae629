import { build } from '../../scripts/build.mts';
import { resultOf, startScript } from './children.mts';
import type { CpuFigures } from './receptionCpu.mts';
import { atLeast, atMost, type Measured } from './report.mts';
import { medianOf, showSpread, spreadOf, table } from './statistics.mts';

/** A body's shape, its bytes, and how many deliveries a round has. */
const CASES = [
	{ shape: 'text', what: 'One text', bytes: 1_000, deliveries: 300 },
	{ shape: 'text', what: 'One text', bytes: 100_000, deliveries: 100 },
	{ shape: 'text', what: 'One text', bytes: 1_000_000, deliveries: 25 },
	{ shape: 'list', what: 'Thousands of attachments', bytes: 1_000_000, deliveries: 5 },
] as const;

const BYTES_MAX = { share: 1_000, throughput: 1_000_000 };

/**
 * The processor time that `webhook()` costs n8n for a delivery, beside the least that checking it
 * can cost.
 */
export async function benchReception(): Promise<Measured> {
	await build();
	const results: Array<
		(typeof CASES)[number] & { webhook: number[]; hmac: number[]; ratios: number[] }
	> = [];
	for (const measured of CASES) {
		const parameters = [measured.shape, String(measured.bytes), String(measured.deliveries)];
		const { webhook, hmac } = await resultOf<CpuFigures>(
			startScript('test/bench/receptionCpu.mts', parameters),
		);
		results.push({
			...measured,
			webhook,
			hmac,
			ratios: hmac.map((bare, index) => bare / webhook[index]!),
		});
	}
	const text = (bytes: number) =>
		results.find((result) => result.shape === 'text' && result.bytes === bytes)!;
	return {
		blocks: [
			[
				"Processor time, of all threads, of the median delivery in the built package's `webhook()`, signed, in n8n-core's own context and with a full memory of deliveries; by turns with",
				'`createHmac` over the same bytes. n8n reads and parses the body before, whatever the node, and that is not counted.',
			].join(' '),
			table(
				['Body', 'Bytes', '`webhook()`, µs', 'Bare HMAC, µs', "Throughput, in the HMAC's"],
				results.map(({ what, bytes, webhook, hmac, ratios }) => [
					what,
					bytes.toLocaleString('en'),
					showSpread(spreadOf(webhook), 0),
					showSpread(spreadOf(hmac), 0),
					showSpread(spreadOf(ratios)),
				]),
			),
			'What a long text costs beyond its HMAC is what any delivery costs. Of thousands of attachments the first 100 are checked against the contract, and the others passed on as they came.',
		],
		bounds: [
			atMost('Time for 1 KB', medianOf(text(BYTES_MAX.share).webhook), 100, {
				unit: ' µs',
				decimals: 0,
			}),
			atLeast('Rate at 1 MB / bare HMAC', medianOf(text(BYTES_MAX.throughput).ratios), 0.85),
		],
	};
}
