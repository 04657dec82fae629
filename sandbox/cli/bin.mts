#!/usr/bin/env node
/**
 * `business-messaging-sandbox`. Loads the rest lazily, so that an older Node.js gets a clear
 * message.
 */
import { nodeProblem } from './nodeVersion.mts';

const problem = nodeProblem(process.versions.node);
if (problem === undefined) {
	// Node.js 22 warns that its SQLite may change. That warning does not help a user.
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
