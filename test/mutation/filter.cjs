/**
 * The test files that a run loads: those that reach the mutant. Jest's own choice, by name, loads
 * all.
 */
const { activeMutant, state, testFilesOf } = require('./run.cjs');

module.exports = async (paths) => {
	state.isKilled = false;
	const mutant = activeMutant();
	const wanted = mutant === undefined ? undefined : testFilesOf(mutant);
	return { filtered: wanted ? paths.filter((path) => wanted.has(path)) : paths };
};
