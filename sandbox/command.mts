/** What the ways to start the sandbox from a command line have in common. */
import { parseArgs, type ParseArgsConfig } from 'node:util';

import { StartError } from './core/errors.mts';
import type { Sandbox } from './server.mts';

export const DEFAULT_PORT = 4010;

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * The options of this process's command line.
 *
 * @throws StartError that names the option which there is not, or whose value is missing
 */
export function readOptions<const T extends Options>(options: T) {
	return explained(() => parseArgs({ options }).values);
}

/**
 * Options, and what stands beside them.
 *
 * @throws StartError as `readOptions`
 */
export function readArguments<const T extends Options>(args: string[], options: T) {
	return explained(() => parseArgs({ args, options, allowPositionals: true }));
}

function explained<T>(read: () => T): T {
	try {
		return read();
	} catch (error) {
		throw new StartError(`${error instanceof Error ? error.message : String(error)}. See --help.`);
	}
}

/** The number that --port gives. */
export function readPort(text: string | undefined): number {
	const port = Number(text ?? DEFAULT_PORT);
	if (!/^\d*$/.test(text ?? '') || port > 65_535)
		throw new StartError('--port must be a number from 0 to 65535.');
	return port;
}

/** Runs `main`, and says why it cannot: in one sentence where that is known. */
export function runCommand(main: () => Promise<void>): void {
	main().catch((error: unknown) => {
		console.error(error instanceof StartError ? error.message : error);
		process.exitCode = 1;
	});
}

/** Ends the process when it is asked to, once what is under way is written down. */
export function closeOnSignal({ close }: Sandbox): void {
	const stop = () => {
		void close().then(() => process.exit(0));
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}
