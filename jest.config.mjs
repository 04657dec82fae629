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

/** One Jest project a room of test/. Rooms that start servers run their files one at a time. */
const room = (name, settings = {}) => ({
	displayName: name,
	rootDir: import.meta.dirname,
	testMatch: [`<rootDir>/test/${name}/**/*.test.mts`],
	testEnvironment: 'node',
	transform,
	// Copies and pinned manifests, whose names would collide.
	modulePathIgnorePatterns: ['<rootDir>/hosts/', '<rootDir>/dist/', '<rootDir>/.sandbox/'],
	moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'node'],
	...settings,
});

/**
 * The rooms that share one real n8n and one sandbox, started before their first file and stopped after their last. Jest leaves the loading of
 * that set-up to Node.js, which needs tsx for it: scripts/test.mts runs Jest with it.
 */
const withHost = {
	globalSetup: '<rootDir>/test/host/harness/setup.mts',
	globalTeardown: '<rootDir>/test/host/harness/teardown.mts',
	setupFilesAfterEnv: ['<rootDir>/test/host/harness/timeout.mts'],
};

export default {
	projects: [room('unit'), room('core'), room('sandbox'), room('host', withHost), room('browser', { ...withHost, testEnvironment: '<rootDir>/test/browser/harness/environment.mts' })],
};
