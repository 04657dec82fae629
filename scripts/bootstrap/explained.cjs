/**
 * A failure that the person at the terminal can act on. Its message is one or two whole sentences: what happened and what to do.
 * The commands print it alone, without a stack trace.
 */
class ExplainedError extends Error {
	/** @param {string} message @param {unknown} [cause] */
	constructor(message, cause) {
		super(message, cause === undefined ? undefined : { cause });
		this.name = 'ExplainedError';
	}
}

/**
 * Prints what ended a command: the sentence alone for an ExplainedError, everything for what nobody expected.
 *
 * @param {unknown} error
 */
function reportFailure(error) {
	if (error instanceof ExplainedError) console.error(`\n${error.message}`);
	else console.error(error);
}

/**
 * Runs a command's main function. A failure is printed and becomes exit code 1; the process ends by itself once nothing is left open.
 *
 * @param {() => Promise<void>} main
 */
async function runMain(main) {
	try {
		await main();
	} catch (error) {
		reportFailure(error);
		process.exitCode = 1;
	}
}

module.exports = { ExplainedError, reportFailure, runMain };
