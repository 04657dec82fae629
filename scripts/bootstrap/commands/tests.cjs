/** The command lines of `npm test`, and of the npm scripts that run some of its parts. */
const { command } = require('../../../sandbox/core/commandLine.cjs');

const N8N = /** @type {const} */ ({
	n8n: {
		type: 'string',
		value: 'VERSION',
		about: 'n8n to test in: current, oldest, or a version in the registry (default current)',
	},
});
const HOST = /** @type {const} */ ({
	...N8N,
	'n8n-url': {
		type: 'string',
		value: 'URL',
		about:
			'runs the host tests that need only an address, in a running n8n with this package; its API key is in the variable N8N_API_KEY',
	},
	record: {
		type: 'boolean',
		about: "writes a passed run of the whole host suite into the README's compatibility table",
	},
});
const CHANGED = /** @type {const} */ ({
	changed: {
		type: 'boolean',
		about: 'runs only the tests that a file with uncommitted changes can reach',
	},
});
const FIX = /** @type {const} */ ({
	fix: { type: 'boolean', about: 'lets the linter fix what it can' },
});
const JEST = 'options for Jest';

const TEST = command({
	name: 'npm test --',
	about:
		'Runs what a change must not break, part by part. A failed part does not stop the others. The part format writes files, so it runs only by name. The tests of npm run test:deep run if a file is named after the second --.',
	words: {
		usage: '[part ...]',
		name: 'part',
		among: ['format', 'types', 'lint', 'scan', 'unit', 'core', 'sandbox', 'host', 'browser'],
	},
	rest: JEST,
	options: {
		deep: { type: 'boolean', about: 'runs the tests of npm run test:deep instead' },
		...CHANGED,
		...HOST,
		...FIX,
	},
	example: 'unit core',
});

/** @param {string} name of the npm script @param {string} what completes "Runs …." */
const jestPart = (name, what, options = {}) =>
	command({
		name: `npm run ${name} --`,
		about: `Runs ${what}.`,
		rest: JEST,
		options,
		example: '-- trigger',
		more: 'The example runs only the test files with "trigger" in their path.',
	});

/** Each with the parts of the tests that it runs. */
const PARTS_OF_TESTS = {
	lint: {
		parts: ['lint'],
		...command({
			name: 'npm run lint --',
			about: 'Runs ESLint and checks the formatting with Prettier.',
			options: FIX,
			example: '--fix',
		}),
	},
	format: {
		parts: ['format'],
		...command({
			name: 'npm run format --',
			about: 'Prettier writes every file.',
			options: {},
			example: '',
		}),
	},
	'test:quick': {
		parts: ['types', 'lint', 'unit', 'core'],
		...jestPart(
			'test:quick',
			'the checks of types and style, and the unit and core tests',
			CHANGED,
		),
	},
	'test:deep': {
		parts: ['--deep'],
		...jestPart(
			'test:deep',
			'the tests that npm test leaves out: of the tools, with long budgets, with further restarts',
			N8N,
		),
	},
};

module.exports = { PARTS_OF_TESTS, TEST };
