/**
 * How a command ends that runs other programs: by itself, by Ctrl-C, or with the process that
 * started it.
 */
import { printable } from '../sandbox/print.mts';
import { reportFailure } from './bootstrap/explained.cjs';
import { whenParentEnds } from './bootstrap/parent.cjs';
import { stopAll } from './n8n/processes.mts';

export interface Lifetime {
	/** Set by the command when everything runs. From then on, being stopped is a normal end. */
	isReady: boolean;
	/** Set when a signal asks for the end, so that the end of other programs is expected. */
	isStopping: boolean;
}

/** Runs a command's main function. At the end, the programs that it started end too. */
export async function runUntilStopped(main: (life: Lifetime) => Promise<void>): Promise<void> {
	const life: Lifetime = { isReady: false, isStopping: false };
	const stop = async (): Promise<void> => {
		life.isStopping = true;
		console.log('\nStopping ...');
		await stopAll();
		console.log('Stopped.');
		process.exit(life.isReady ? 0 : 130);
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
		process.once(signal, () => void stop());
	whenParentEnds(() => void stop());
	try {
		await main(life);
	} catch (error) {
		if (life.isStopping) return;
		// It can hold the end of n8n's log.
		reportFailure(error, printable);
		process.exitCode = 1;
	} finally {
		await stopAll();
	}
}
