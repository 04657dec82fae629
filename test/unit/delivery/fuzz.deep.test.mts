/** Random changes to deliveries, against their proof and the reading of events. */
import fc from 'fast-check';

import { checkDelivery, verification } from '../../fuzz/entryPoints/verification.mts';

const RUNS = Number(process.env.FUZZ_RUNS ?? 100_000);

it.each(['signature', 'token'] as const)(
	`throws on none of ${RUNS} changed deliveries, and accepts no forged one: %s`,
	(proof) => {
		let accepted = 0;
		fc.assert(
			fc.property(verification.input, (given) => {
				if (checkDelivery({ ...given, proof })) accepted++;
			}),
			{ numRuns: RUNS },
		);
		// The changes leave some deliveries genuine, and most not, so both branches are tested.
		expect(accepted / RUNS).toBeGreaterThan(0.05);
		expect(accepted / RUNS).toBeLessThan(0.6);
	},
	120_000,
);
