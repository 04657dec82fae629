/** What finds a mutant soonest goes first, since the first test that fails ends the run. */
const { default: Sequencer } = require('@jest/test-sequencer');

const { rankOf } = require('./run.cjs');

module.exports = class extends Sequencer {
	sort(tests) {
		return [...tests].sort((one, other) => rankOf(one.path) - rankOf(other.path));
	}
};
