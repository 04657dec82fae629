// Tests are .mts: the node rules of the community linter are for the package's own .ts files.
const transform = {
	'^.+\\.m?ts$': [
		'@swc/jest',
		{
			jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
			module: { type: 'commonjs', importInterop: 'node' },
		},
	],
};

/** The Jest project of a folder of test/. */
export const project = (name, settings = {}) => ({
	displayName: name,
	rootDir: import.meta.dirname,
	testMatch: [`<rootDir>/test/${name}/**/*.test.mts`],
	testEnvironment: '<rootDir>/test/support/jest/environment.cjs',
	runtime: '<rootDir>/test/support/jest/runtime.cjs',
	transform,
	// Copies and pinned manifests, whose names would collide.
	modulePathIgnorePatterns: [
		'<rootDir>/scripts/pins/',
		'<rootDir>/dist/',
		'<rootDir>/dist-sandbox/',
		'<rootDir>/.sandbox/',
	],
	moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'node'],
	...settings,
});

/**
 * Projects whose files share one real n8n and one sandbox. Node.js, not Jest, loads this set-up, so
 * scripts/test.mts runs Jest with tsx.
 */
const withHost = {
	globalSetup: '<rootDir>/test/host/harness/setup.mts',
	globalTeardown: '<rootDir>/test/host/harness/teardown.mts',
	setupFilesAfterEnv: ['<rootDir>/test/host/harness/timeout.mts'],
};

export default {
	// A test that hangs ends; one that is slow, on a busy machine, is no failure.
	testTimeout: 60_000,
	testSequencer: '<rootDir>/test/support/jest/sequencer.cjs',
	projects: [
		project('unit'),
		project('core'),
		project('sandbox'),
		project('host', withHost),
		project('browser', {
			...withHost,
			testEnvironment: '<rootDir>/test/browser/harness/environment.mts',
		}),
	],
};
