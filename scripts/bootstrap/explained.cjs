const { inspect } = require('node:util');

/**
 * A failure that the person at the terminal can fix. Its message says in one or two sentences what
 * happened and what to do. The commands print it without a stack trace.
 */
class ExplainedError extends Error {
	/** @param {string} message @param {unknown} [cause] */
	constructor(message, cause) {
		super(message, cause === undefined ? undefined : { cause });
		this.name = 'ExplainedError';
	}
}

/**
 * Prints the error that ended a command: only the sentence of an ExplainedError, everything of
 * another error.
 *
 * @param {unknown} error
 * @param {(text: string) => string} [printable] for an error that holds words of others
 */
function reportFailure(error, printable = String) {
	const text = error instanceof ExplainedError ? `\n${error.message}` : inspect(error);
	console.error(printable(text));
}

/**
 * Runs a command's main function. A failure is printed and sets exit code 1. The process ends when
 * nothing is open.
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
