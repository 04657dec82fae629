#!/usr/bin/env node
/** `business-messaging-sandbox`. Loads the rest only where it runs: an older Node.js would fail over an import, without a word to a person. */
import { nodeProblem } from './nodeVersion.mts';

const problem = nodeProblem(process.versions.node);
if (problem === undefined) {
	// Node.js 22 says of its SQLite that it may change, which is nothing to a person who starts a program.
	const emitWarning = process.emitWarning.bind(process);
	process.emitWarning = (warning: string | Error, ...more: never[]) => {
		if (!String(warning).startsWith('SQLite is an experimental feature'))
			emitWarning(warning, ...more);
	};
	await import('./program.mts');
} else {
	console.error(problem);
	process.exitCode = 1;
}
