/** The commands of scripts/bootstrap.mjs by name: the program of each, and what it takes. */
const { PROBE, REHEARSE, START_HERE } = require('../../sandbox/commands.cjs');
const { BENCH, CHAOS, CONTAINERS, MUTATION, QUEUE } = require('./commands/long.cjs');
const product = require('./commands/product.cjs');
const { PARTS_OF_TESTS, TEST } = require('./commands/tests.cjs');

/** @import { Command } from '../../sandbox/core/commandLine.cjs' */

const TEST_FILE = 'scripts/test.mts';

/** @type {Record<string, Command & { file: string, parts?: string[] }>} */
const COMMANDS = {
	start: { file: 'scripts/start.mts', ...product.START },
	dev: { file: 'scripts/dev.mts', ...product.DEV },
	test: { file: TEST_FILE, ...TEST },
	...Object.fromEntries(
		Object.entries(PARTS_OF_TESTS).map(([name, part]) => [name, { file: TEST_FILE, ...part }]),
	),
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
