import { join } from 'node:path';

import { project } from '../../jest.config.mjs';

const here = (name) => join(import.meta.dirname, name);

/**
 * The unit and core tests as one project, since the mutation tester sets the environment of one
 * only, and without the tests that no fault in nodes/ and credentials/ can fail, or whose subject
 * is the tests, or that read the sources, which are not as written here. What Jest does anew for
 * every run costs more here than the tests: see the files that stand beside this one.
 */
export default project('mutation', {
	roots: ['<rootDir>/test/unit', '<rootDir>/test/core', '<rootDir>/nodes', '<rootDir>/credentials'],
	testMatch: ['<rootDir>/test/{unit,core}/**/*.test.mts'],
	testPathIgnorePatterns: [
		'<rootDir>/test/unit/(docs/|examples/|publishing/|scripts/|imports|linearTime)',
	],
	haste: { forceNodeFilesystemAPI: true },
	filter: here('filter.cjs'),
	testSequencer: here('sequencer.cjs'),
	testEnvironment: here('environment.cjs'),
	testRunner: here('jest-circus.cjs'),
	// For the first run, on a busy machine. With a mutant, the environment sets a shorter one.
	testTimeout: 60_000,
});
