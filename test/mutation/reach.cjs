/**
 * Which test files reach each mutant. The process of the first run without a mutant writes it, and
 * those that try mutants read it.
 */
const { appendFileSync, existsSync, readFileSync } = require('node:fs');

const file = () => `${process.env.MUTATION_FOLDER}/reach`;
/** @type {Map<string, Set<string>> | undefined} */
let reach;

module.exports = {
	/** Whether a test has found the mutant, so that nothing else needs to run. */
	state: { isKilled: false },

	/** @returns {string | undefined} */
	activeMutant: () => process.env.__STRYKER_ACTIVE_MUTANT__,

	/** @param {string} testFile @param {string[]} mutants */
	note(testFile, mutants) {
		for (const mutant of mutants) appendFileSync(file(), `${mutant} ${testFile}\n`);
	},

	/** @param {string} mutant @returns {Set<string> | undefined} undefined: not known */
	filesOf(mutant) {
		if (!reach && existsSync(file())) {
			reach = new Map();
			for (const line of readFileSync(file(), 'utf8').split('\n')) {
				const [id = '', ...path] = line.split(' ');
				reach.set(id, (reach.get(id) ?? new Set()).add(path.join(' ')));
			}
		}
		return reach?.get(mutant);
	},
};
