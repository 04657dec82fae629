import fc from 'fast-check';

import { checkRegistrationScenario, registrationScenario } from './scenario.mts';

/** At least 20,000 in CI. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 20_000);

it(`holds in ${RUNS} scenarios`, async () => {
	await fc.assert(fc.asyncProperty(registrationScenario, checkRegistrationScenario), {
		numRuns: RUNS,
		endOnFailure: false,
	});
}, 600_000);
