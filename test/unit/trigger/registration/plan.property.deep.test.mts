import fc from 'fast-check';

import { checkRegistrationScenario, registrationScenario } from './scenario.mts';
import { runs } from '../../../support/runs.mts';

/** At least 20,000 in CI. */
const RUNS = runs(20_000);

it(`holds in ${RUNS} scenarios`, async () => {
	await fc.assert(fc.asyncProperty(registrationScenario, checkRegistrationScenario), {
		numRuns: RUNS,
		endOnFailure: false,
	});
}, 600_000);
