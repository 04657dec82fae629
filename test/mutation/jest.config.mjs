import { join } from 'node:path';

import { project } from '../../jest.config.mjs';

const here = (name) => join(import.meta.dirname, name);

/**
 * The unit and core tests as one project, because Stryker takes only one, and without the tests
 * that read the sources, which are not as written here, or whose subject is something else. Stryker
 * by itself loads all test files for each mutant, and runs all their tests: ten times as long.
 */
export default project('mutation', {
	testMatch: ['<rootDir>/test/{unit,core}/**/*.test.mts'],
	testPathIgnorePatterns: [
		'<rootDir>/test/unit/(docs/|examples/|publishing/|scripts/|imports|linearTime)',
	],
	haste: { forceNodeFilesystemAPI: true },
	filter: here('filter.cjs'),
	testEnvironment: here('environment.cjs'),
	testRunner: here('jest-circus.cjs'),
	// For the first run, on a busy machine.
	testTimeout: 60_000,
});
