/** The commands of scripts/bootstrap.mjs by name: the program of each, and what it takes. */
const { PROBE, REHEARSE, START_HERE } = require('../../sandbox/commands.cjs');
const { BENCH, CHAOS, CONTAINERS, MUTATION, QUEUE } = require('./commands/long.cjs');
const product = require('./commands/product.cjs');
const { DEEP, FORMAT, LINT, TEST } = require('./commands/tests.cjs');

/** @import { Command } from '../../sandbox/core/commandLine.cjs' */

const TEST_FILE = 'scripts/test.mts';

/**
 * The n8n that a command needs, as its option `--n8n` has it.
 *
 * @typedef {(values: Record<string, unknown>, words: string[]) => string | undefined} N8nOf
 */

/** @type {N8nOf} */
const chosen = ({ n8n }) => String(n8n ?? 'current');

/** @type {N8nOf} */
const testedIn = (values, words) =>
	values['n8n-url'] === undefined &&
	(words.length === 0 || words.includes('host') || words.includes('browser'))
		? chosen(values, words)
		: undefined;

/** @type {Record<string, Command & { file: string, parts?: string[], n8nOf?: N8nOf }>} */
const COMMANDS = {
	start: { file: 'scripts/start.mts', n8nOf: chosen, ...product.START },
	dev: { file: 'scripts/dev.mts', n8nOf: chosen, ...product.DEV },
	test: { file: TEST_FILE, n8nOf: testedIn, ...TEST },
	'test:deep': { file: TEST_FILE, n8nOf: testedIn, ...DEEP },
	lint: { file: TEST_FILE, ...LINT },
	format: { file: TEST_FILE, ...FORMAT },
	build: { file: 'scripts/build.mts', ...product.BUILD },
	'build:sandbox': { file: 'scripts/buildSandbox.mts', ...product.BUILD_SANDBOX },
	scan: { file: 'scripts/scan.mts', ...product.SCAN },
	release: { file: 'scripts/release.mts', ...product.RELEASE },
	sandbox: { file: 'sandbox/main.mts', ...START_HERE },
	rehearse: {
		file: 'sandbox/rehearse.mts',
		...REHEARSE,
		name: 'npm run rehearse --',
		example: 'workflows/rehearsals/auto-reply.yaml',
	},
	probe: { file: 'sandbox/probe.mts', ...PROBE, name: 'npm run probe --' },
	bench: { file: 'test/bench/main.mts', ...BENCH },
	queue: { file: 'test/queue/main.mts', ...QUEUE },
	chaos: { file: 'test/chaos/main.mts', ...CHAOS },
	containers: { file: 'test/containers/main.mts', ...CONTAINERS },
	mutation: { file: 'test/mutation/main.mts', ...MUTATION },
};

module.exports = { COMMANDS };
