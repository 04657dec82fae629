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
	moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'node'],
	...settings,
});

export default {
	projects: [room('unit'), room('core'), room('sandbox'), room('host'), room('browser')],
};
