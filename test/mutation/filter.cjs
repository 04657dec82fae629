/** A run loads the test files that reach the mutant. Stryker's own choice, by name, loads all. */
const { activeMutant, filesOf, state } = require('./reach.cjs');

/** @param {string[]} paths */
module.exports = async (paths) => {
	state.isKilled = false;
	const wanted = filesOf(activeMutant() ?? '');
	return { filtered: wanted ? paths.filter((path) => wanted.has(path)) : paths };
};
