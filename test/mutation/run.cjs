/**
 * What one run of Jest, for one mutant, needs to know of earlier ones. In the process that runs the
 * tests.
 */
const { appendFileSync, existsSync, readFileSync } = require('node:fs');

const activeMutant = () => process.env.__STRYKER_ACTIVE_MUTANT__;

/**
 * File with the tests that reach each mutant, and how long they take. One process writes it in the
 * first run, several read it while they try mutants.
 */
const reachFile = () => process.env.MUTATION_REACH;

/**
 * @type {{ filesByMutant: Map<string, Set<string>>, duration: Map<string, number>, slowest:
 *   Map<string, number> } | undefined}
 */
let reach;

/**
 * Test files that found a mutant in this process, the last one first: mutants come in the order of
 * the sources, and the next one stands beside this.
 */
let finders = [];

function readReach() {
	const file = reachFile();
	if (!file || !existsSync(file)) return undefined;
	const filesByMutant = new Map();
	const duration = new Map();
	const slowest = new Map();
	for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
		const { testPath, mutants, took, slowestTest } = JSON.parse(line);
		duration.set(testPath, took);
		slowest.set(testPath, slowestTest);
		for (const mutant of mutants) {
			const files = filesByMutant.get(mutant) ?? new Set();
			filesByMutant.set(mutant, files.add(testPath));
		}
	}
	return { filesByMutant, duration, slowest };
}

/** Set by the first test that fails: the mutant is found, and nothing else needs to run. */
const state = { isKilled: false };

module.exports = {
	state,
	activeMutant,
	/**
	 * @param {{ testPath: string, mutants: string[], took: number, slowestTest: number }} reached
	 *   times in milliseconds
	 */
	recordReach(reached) {
		const file = reachFile();
		if (file) appendFileSync(file, `${JSON.stringify(reached)}\n`);
	},
	/**
	 * @returns {number} milliseconds that the slowest test of a file took in the first run; 0: not
	 *   known
	 */
	slowestTestOf(testPath) {
		reach ??= readReach();
		return reach?.slowest.get(testPath) ?? 0;
	},
	/** @returns {Set<string> | undefined} undefined: not known */
	testFilesOf(mutant) {
		reach ??= readReach();
		return reach?.filesByMutant.get(mutant);
	},
	/** @param {string} testPath of a test that failed */
	recordFinder(testPath) {
		finders = [testPath, ...finders.filter((path) => path !== testPath)];
	},
	/**
	 * Where a test file stands among those of a run: those that found something lately first, then
	 * the short ones.
	 *
	 * @param {string} testPath
	 */
	rankOf(testPath) {
		const found = finders.indexOf(testPath);
		return found >= 0 ? found - finders.length : (reach?.duration.get(testPath) ?? 0);
	},
};
