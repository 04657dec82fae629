/** Shared by the commands that start the sandbox. */
import { DEFAULT_PORT } from './commands.cjs';
import { type Command, helpOf, type Options, read, UsageError } from './core/commandLine.cjs';
import { StartError } from './core/errors.mts';
import { print, printError } from './print.mts';
import type { Sandbox } from './server.mts';

/**
 * What was given to a command. Prints the help if that was asked for.
 *
 * @returns undefined after the help
 * @throws StartError that names an unknown option or one without its value
 */
export function readCommand<O extends Options, W extends string>(
	command: Command<O, W>,
	given = process.argv.slice(2),
) {
	try {
		const all = read(command, given);
		if (!('help' in all.values)) return all;
	} catch (error) {
		throw error instanceof UsageError ? new StartError(`${error.message}. See --help.`) : error;
	}
	print(helpOf(command));
	return undefined;
}

/** The number that --port gives. */
export function readPort(text: string | undefined): number {
	const port = Number(text ?? DEFAULT_PORT);
	if (!/^\d*$/.test(text ?? '') || port > 65_535)
		throw new StartError('--port must be a number from 0 to 65535.');
	return port;
}

/** Runs `main`. A known error ends it with one sentence. */
export function runCommand(main: () => Promise<void>): void {
	main().catch((error: unknown) => {
		printError(error instanceof StartError ? error.message : error);
		process.exitCode = 1;
	});
}

/** Ends the process on a signal, after pending work is written. */
export function closeOnSignal({ close }: Sandbox): void {
	const stop = () => {
		void close().then(() => process.exit(0));
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}
