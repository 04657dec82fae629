/** Notes which mutants a test file reaches, and skips what is left when a test has failed. */
const OneContext = require('../support/jest/environment.cjs');
const { activeMutant, note, state } = require('./reach.cjs');

module.exports = class MutationEnvironment extends OneContext {
	/**
	 * @param {ConstructorParameters<typeof OneContext>[0]} config
	 * @param {ConstructorParameters<typeof OneContext>[1]} context
	 */
	constructor(config, context) {
		super(config, context);
		this.testPath = context.testPath;
		/** @type {Set<string>} */
		this.reached = new Set();
	}

	/** @param {{ name: string, test?: { errors: unknown[], mode?: string } }} event */
	async handleTestEvent({ name, test }) {
		if (name === 'test_start' && state.isKilled && test) test.mode = 'skip';
		if (name !== 'test_done') return;
		if (activeMutant() !== undefined) state.isKilled ||= test?.errors.length !== 0;
		const { mutantCoverage, currentTestId } = this.global.__stryker__ ?? {};
		for (const mutant of Object.keys(mutantCoverage?.perTest?.[currentTestId] ?? {}))
			this.reached.add(mutant);
	}

	/** @override */
	async teardown() {
		if (activeMutant() === undefined) note(this.testPath, [...this.reached]);
		await super.teardown();
	}
};
