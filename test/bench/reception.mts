import { build } from '../../scripts/build.mts';
import { resultOf, startScript } from './children.mts';
import type { CpuFigures } from './receptionCpu.mts';
import { atLeast, atMost, type Bound } from './report.mts';
import { ratiosOf } from './statistics.mts';

const measure = async (bytes: number, deliveries: number) =>
	await resultOf<CpuFigures>(
		startScript('test/bench/receptionCpu.mts', [String(bytes), String(deliveries)]),
	);

/**
 * The processor time that `webhook()` costs n8n for a delivery, beside the least that checking it
 * can cost.
 */
export async function benchReception(): Promise<Bound[]> {
	await build();
	const small = await measure(1_000, 300);
	const large = await measure(1_000_000, 25);
	return [
		atMost('Time for 1 KB', small.webhook, 100, { unit: ' µs', decimals: 0 }),
		atLeast('Rate at 1 MB / bare HMAC', ratiosOf(large.hmac, large.webhook), 0.85),
	];
}
