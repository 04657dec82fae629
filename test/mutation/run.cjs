/** What one run of Jest, for one mutant, needs to know of earlier ones. In the process that runs the tests. */
const { appendFileSync, existsSync, readFileSync } = require('node:fs');

const activeMutant = () => process.env.__STRYKER_ACTIVE_MUTANT__;

/** File with the tests that reach each mutant. One process writes it in the first run, several read it while they try mutants. */
const reachFile = () => process.env.MUTATION_REACH;

/** @type {Map<string, Set<string>> | undefined} mutant → test files */
let reach;

function readReach() {
	const file = reachFile();
	if (!file || !existsSync(file)) return undefined;
	const read = new Map();
	for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
		const { testPath, mutants } = JSON.parse(line);
		for (const mutant of mutants) {
			const files = read.get(mutant) ?? new Set();
			read.set(mutant, files.add(testPath));
		}
	}
	return read;
}

/** Set by the first test that fails: the mutant is found, and nothing else needs to run. */
const state = { isKilled: false };

module.exports = {
	state,
	activeMutant,
	/** @param {string} testPath @param {string[]} mutants */
	recordReach(testPath, mutants) {
		const file = reachFile();
		if (file) appendFileSync(file, `${JSON.stringify({ testPath, mutants })}\n`);
	},
	/** @returns {Set<string> | undefined} undefined: not known */
	testFilesOf(mutant) {
		reach ??= readReach();
		return reach?.get(mutant);
	},
};
