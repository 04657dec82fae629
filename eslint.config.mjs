import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Style of the whole repository. The rules that n8n's reviewers apply to the package are in scripts/scan.mts. */
export default defineConfig(
	globalIgnores(['dist/', 'node_modules/', 'test-artifacts/', 'coverage/', '.sandbox/']),
	{ linterOptions: { reportUnusedDisableDirectives: 'error' } },
	{
		files: ['**/*.ts', '**/*.mts'],
		extends: [tseslint.configs.recommendedTypeChecked],
		languageOptions: { parserOptions: { project: ['tsconfig.json', 'tsconfig.tools.json'], tsconfigRootDir: import.meta.dirname } },
		rules: {
			'@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-floating-promises': 'error',
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
			'@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
			// Both fight n8n's own types: its interfaces promise, and its parameters may be objects where a node knows that they are not.
			'@typescript-eslint/require-await': 'off',
			'@typescript-eslint/no-base-to-string': 'off',
			'@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
			'@typescript-eslint/ban-ts-comment': 'error',
			eqeqeq: 'error',
			'no-var': 'error',
			'prefer-const': 'error',
		},
	},
	{
		// Jest's own matchers are untyped where they stand inside an expected value.
		files: ['test/**/*.mts'],
		rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
	},
	{ files: ['**/*.mjs', '**/*.cjs'], rules: { eqeqeq: 'error', 'no-var': 'error', 'prefer-const': 'error', 'no-unused-vars': 'error' } },
);
