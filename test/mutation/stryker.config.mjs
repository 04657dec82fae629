/** Stryker's options for one part, which test/mutation/main.mts names. */
import { availableParallelism } from 'node:os';

const { MUTATION_PART: part, MUTATION_FILES: files = '', MUTATION_BOUND: bound } = process.env;
const report = `reports/mutation/${part}`;

export default {
	mutate: files.split(','),
	thresholds: { high: 85, low: 70, break: bound ? Number(bound) : null },
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	jest: {
		...{ projectType: 'custom', configFile: 'test/mutation/jest.config.mjs' },
		enableFindRelatedTests: false,
	},
	coverageAnalysis: 'perTest',
	// One more than there are processors, because a fault that loops leaves its processor idle.
	concurrency: availableParallelism() + 1,
	// What is read once as a module loads: texts and fields of the editor, mostly. Each would take a
	// run of all tests.
	ignoreStatic: true,
	ignorePatterns: [
		...[
			'/scripts/pins',
			'/dist*',
			'/reports',
			'/test-artifacts',
			'/.sandbox',
			'/test/host',
			'/test/browser',
		],
		// Stryker would need the compiler to adapt it, and no test reads it.
		'/tsconfig.json',
	],
	reporters: ['progress-append-only', 'clear-text', 'json', 'html'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	jsonReporter: { fileName: `${report}.json` },
	htmlReporter: { fileName: `${report}.html` },
	tempDirName: `${process.env.MUTATION_FOLDER}/stryker`,
};
