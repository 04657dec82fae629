import { defineConfig, globalIgnores } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/**
 * Which way imports run, from the first to the last: a folder imports from itself and from those
 * after it. `docs/architecture.md` draws it.
 */
const LAYERS = [
	['BusinessMessaging*.node'],
	['resources', 'trigger'],
	['replies'],
	['delivery', 'sending', 'listSearch'],
	['shared'],
	['service'],
	['workarounds'],
];
/** The same of the sandbox. */
const SANDBOX_LAYERS = [
	['main.mts', 'rehearse.mts', 'probe.mts'],
	['cli'],
	['command.mts'],
	['commands.cjs'],
	['server.mts', 'model'],
	['http'],
	['everyday'],
	['rehearsal', 'probe'],
	['print.mts'],
	['openapi'],
	['seed.mts'],
	['seedTenants.mts'],
	['context.mts'],
	['events'],
	['delivery'],
	['stores.mts'],
	['facts'],
	['faults'],
	['store'],
	['media', 'client'],
	['core'],
];
/**
 * One stands at the border: the sandbox takes the wire of the service from the nodes, in one file.
 */
const BORDER = 'sandbox/contract.mts';

const refuse = (files, targets, message) => ({
	files,
	rules: {
		'no-restricted-imports': [
			'error',
			{
				patterns: [
					{ group: targets.flatMap((target) => [`**/${target}`, `**/${target}/**`]), message },
				],
			},
		],
	},
});

/** No folder imports from one before it, nor from one beside it. */
const oneWay = (layers, filesOf, outside, message) =>
	layers.flatMap((layer, place) =>
		layer.map((folder) => {
			const others = layers
				.slice(0, place + 1)
				.flat()
				.filter((other) => other !== folder);
			return refuse([filesOf(folder)], [...others, ...outside], message);
		}),
	);

const withinNodes = oneWay(
	LAYERS,
	(folder) => `nodes/BusinessMessaging/${folder}${folder.endsWith('.node') ? '' : '/**/*'}.ts`,
	['sandbox', 'scripts', 'test'],
	'Imports run one way: node files, then resources and trigger, then replies, then delivery, sending and listSearch, then shared, then service, then workarounds.',
);

const withinSandbox = oneWay(
	SANDBOX_LAYERS,
	(folder) => `sandbox/${folder}${folder.includes('.') ? '' : '/**/*.{mts,cjs}'}`,
	['nodes', 'scripts', 'test'],
	`Imports run one way: ${SANDBOX_LAYERS.flat().join(', ')}. Of the rest of this repository, the sandbox knows the wire of the service, by ${BORDER}.`,
);

/** The client runs in the tests of others: it imports itself alone. */
const client = {
	files: ['sandbox/client/*.mts'],
	rules: {
		'no-restricted-imports': [
			'error',
			{
				patterns: [
					{
						regex: '^(?!\\./)',
						message:
							'The client has the sandbox behind HTTP, and no dependency beyond fetch and timers.',
					},
				],
			},
		],
	},
};

const betweenFolders = [
	refuse(
		['credentials/**/*.ts'],
		[...LAYERS.slice(0, -2).flat(), 'sandbox', 'scripts', 'test'],
		'The credential needs service/ and workarounds/ at most.',
	),
	refuse(
		['scripts/**/*.{mts,mjs,cjs}'],
		['nodes', 'test'],
		'Scripts use the sandbox and what is built; tests use scripts.',
	),
];

/**
 * V8 quotes an expression that it cannot compile, and what is built from data can hold a secret, or
 * take more than linear time.
 */
const BUILT_EXPRESSION = {
	selector: ":matches(NewExpression, CallExpression)[callee.name='RegExp']",
	message: 'Write expressions as literals. Find text from elsewhere with indexOf.',
};
const noBuiltExpressions = {
	files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'sandbox/**/*.mts'],
	// The patterns of a rehearsal are its author's own.
	ignores: ['sandbox/rehearsal/pattern.mts'],
	rules: { 'no-restricted-syntax': ['error', BUILT_EXPRESSION] },
};

/** n8n is one thread, so no expression may take more than linear time, whatever the text. */
const linearExpressions = {
	files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'sandbox/**/*.{mts,cjs,js}'],
	plugins: { regexp },
	rules: {
		'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
		'regexp/no-super-linear-move': ['error', { report: 'potential' }],
	},
};

/**
 * n8n's editor shows descriptions and hints as HTML. Two functions make them, and escape what they
 * quote. One of them also puts back the messages that n8n swaps. Another one writes to the log,
 * where a line of others must not begin.
 */
const escaped = {
	files: ['nodes/**/*.ts'],
	ignores: [
		'nodes/BusinessMessaging/service/log.ts',
		'nodes/BusinessMessaging/shared/node/hints.ts',
		'nodes/BusinessMessaging/service/errors/nodeError.ts',
	],
	rules: {
		'no-restricted-syntax': [
			'error',
			BUILT_EXPRESSION,
			{
				selector: 'Literal[value=/^=.*\\.(?:exec|match|replace|search|split|test)/s]',
				message: 'No rule reads an expression in a text that n8n runs: compute it in code.',
			},
			{
				selector: "MemberExpression[property.name='addExecutionHints']",
				message: 'The editor shows hints as HTML: use addHint of shared/node/hints.',
			},
			{
				selector: "MemberExpression[property.name='logger']",
				message: 'A line of the log is one line: use log of service/log.',
			},
			{
				selector: 'NewExpression[callee.name=/^Node(Api|Operation)Error$/]',
				message:
					'n8n swaps messages, and shows descriptions as HTML: use toNodeError of service/errors.',
			},
		],
	},
};

/**
 * Style of the whole repository. The rules that n8n's reviewers apply to the package are in
 * scripts/scan.mts.
 */
export default defineConfig(
	globalIgnores([
		'dist/',
		'dist-sandbox/',
		'node_modules/',
		'test-artifacts/',
		'coverage/',
		'.sandbox/',
	]),
	{ linterOptions: { reportUnusedDisableDirectives: 'error' } },
	{
		files: ['**/*.ts', '**/*.mts', 'sandbox/page/*.ts'],
		extends: [tseslint.configs.recommendedTypeChecked],
		languageOptions: {
			parserOptions: {
				project: ['tsconfig.json', 'tsconfig.tools.json', 'tsconfig.page.json'],
				tsconfigRootDir: import.meta.dirname,
			},
		},
		rules: {
			'@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-floating-promises': 'error',
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
			],
			'@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
			// Both fight n8n's own types: its interfaces promise, and its parameters may be objects where
			// a node knows that they are not.
			'@typescript-eslint/require-await': 'off',
			'@typescript-eslint/no-base-to-string': 'off',
			'@typescript-eslint/switch-exhaustiveness-check': [
				'error',
				{ considerDefaultExhaustiveForUnions: true },
			],
			'@typescript-eslint/ban-ts-comment': 'error',
			eqeqeq: 'error',
			'no-var': 'error',
			'prefer-const': 'error',
		},
	},
	{
		// Prettier keeps code within 100 columns and leaves comments alone.
		files: ['**/*.{ts,mts,mjs,cjs,js}'],
		rules: {
			'max-len': [
				'error',
				{ code: Number.MAX_SAFE_INTEGER, comments: 100, tabWidth: 2, ignoreUrls: true },
			],
		},
	},
	{
		// Jest's own matchers are untyped where they stand inside an expected value.
		files: ['test/**/*.mts'],
		rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
	},
	...withinNodes,
	...withinSandbox,
	client,
	...betweenFolders,
	noBuiltExpressions,
	linearExpressions,
	escaped,
	{
		files: ['**/*.mjs', '**/*.cjs'],
		rules: {
			eqeqeq: 'error',
			'no-var': 'error',
			'prefer-const': 'error',
			'no-unused-vars': 'error',
		},
	},
);
