/**
 * The tests' environment for the mutation tester, which runs a few test files thousands of times.
 */
const { createRequire } = require('node:module');

const OneContext = require('../support/jest/environment.cjs');
const { activeMutant, recordFinder, recordReach, slowestTestOf, state } = require('./run.cjs');

/**
 * Least time limit of a test with a mutant, in milliseconds: property tests that a mutant slows
 * down could take minutes.
 */
const LEAST_LIMIT = 4000;
/**
 * By how much longer than without a mutant the slowest test of its file may take: a test that is
 * merely slow, beside others, finds nothing.
 */
const PATIENCE = 5;

/** The same that Stryker itself loaded, outside the checkout. */
const { mixinJestEnvironment } = createRequire(process.env.MUTATION_TESTER)(
	'@stryker-mutator/jest-runner',
);

class MutationEnvironment extends OneContext {
	constructor(config, context) {
		super(config, context);
		this.testPath = context.testPath;
		this.began = Date.now();
		this.slowestTest = 0;
	}

	async handleTestEvent(event) {
		if (event.name === 'setup') this.before = this.hits();
		if (activeMutant() === undefined) {
			if (event.name === 'test_done')
				this.slowestTest = Math.max(this.slowestTest, event.test.duration ?? 0);
			return;
		}
		if (event.name === 'test_start')
			event.test.timeout = Math.max(LEAST_LIMIT, PATIENCE * slowestTestOf(this.testPath));
		if (event.name === 'test_done' && event.test.errors.length > 0) {
			if (!state.isKilled) recordFinder(this.testPath);
			state.isKilled = true;
			for (let block = event.test.parent; block; block = block.parent) skipRest(block);
		}
	}

	async teardown() {
		if (activeMutant() === undefined && this.before) {
			const before = this.before;
			recordReach({
				testPath: this.testPath,
				mutants: [...this.hits()]
					.filter(([mutant, count]) => count !== before.get(mutant))
					.map(([mutant]) => mutant),
				took: Date.now() - this.began,
				slowestTest: this.slowestTest,
			});
		}
		await super.teardown();
	}

	/**
	 * How often each mutant was reached, by tests or while a module loaded. One count for all files
	 * of the process.
	 */
	hits() {
		const { perTest = {}, static: atLoad = {} } = this.global.__stryker__?.mutantCoverage ?? {};
		const sums = new Map();
		for (const counts of [atLoad, ...Object.values(perTest)]) {
			for (const [mutant, count] of Object.entries(counts))
				sums.set(mutant, (sums.get(mutant) ?? 0) + count);
		}
		return sums;
	}
}

function skipRest(block) {
	for (const child of block.children) {
		if (child.type === 'describeBlock') skipRest(child);
		else if (!child.startedAt) child.mode = 'skip';
	}
}

module.exports = mixinJestEnvironment(MutationEnvironment);
