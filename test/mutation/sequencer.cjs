/** Unit tests go before core tests, since the first that fails ends the run. */
const { default: Sequencer } = require('@jest/test-sequencer');

const isCore = ({ path }) => Number(path.includes('/test/core/'));

module.exports = class extends Sequencer {
	sort(tests) {
		return [...tests].sort((one, other) => isCore(one) - isCore(other));
	}
};
