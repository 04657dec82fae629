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
			'runs the host tests that need only an address, in a running n8n with this package; the variables N8N_EMAIL and N8N_PASSWORD sign in there',
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
		'Runs what shows that the package works: types, unit, core, sandbox, and the main tests in a real n8n, side by side. A failed part does not stop the others. Other parts run by name, and the tests of npm run test:deep if a file is named after the second --.',
	words: {
		usage: '[part ...]',
		name: 'part',
		among: [
			'format',
			'types',
			'lint',
			'scan',
			'unit',
			'core',
			'sandbox',
			'host',
			'oldest',
			'browser',
		],
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

const LINT = {
	parts: ['lint'],
	...command({
		name: 'npm run lint --',
		about: 'Runs ESLint and checks the formatting with Prettier.',
		options: FIX,
		example: '--fix',
	}),
};

const FORMAT = {
	parts: ['format'],
	...command({
		name: 'npm run format --',
		about: 'Prettier writes every file.',
		options: {},
		example: '',
	}),
};

const DEEP = {
	parts: ['--deep'],
	...command({
		name: 'npm run test:deep --',
		about:
			"Runs what npm test leaves out: style, n8n's scanner, the types of the tools, properties at full counts, restarts, the editor, and the main tests in the oldest n8n.",
		rest: JEST,
		options: N8N,
		example: '-- trigger',
		more: 'The example runs only the test files with "trigger" in their path.',
	}),
};

module.exports = { DEEP, FORMAT, LINT, TEST };
