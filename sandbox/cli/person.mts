import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

import { KEY_VARIABLE } from '../commands.cjs';
import { StartError } from '../core/errors.mts';
import type { Person } from '../probe/runContext.mts';
import type { Stop } from '../probe/stop.mts';
import { printable } from '../print.mts';

/** Asks whoever is at the terminal. @returns the answer */
export async function answerTo(question: string): Promise<string> {
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	const answer = await terminal.question(printable(question));
	terminal.close();
	return answer.trim();
}

/**
 * Asks for the secret key, which is not shown.
 *
 * @throws StartError without a terminal
 */
export async function askKey(): Promise<string> {
	const missing = () =>
		new StartError(
			`Put the secret key into the variable ${KEY_VARIABLE}. An option would show it to others on this machine.`,
		);
	if (!process.stdin.isTTY) throw missing();
	process.stdout.write('Secret key (not shown): ');
	const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
	const terminal = createInterface({ input: process.stdin, output: unseen, terminal: true });
	const stopped = new AbortController();
	terminal.once('SIGINT', () => stopped.abort());
	try {
		const key = (await terminal.question('', { signal: stopped.signal })).trim();
		if (key === '') throw missing();
		return key;
	} catch {
		throw missing();
	} finally {
		terminal.close();
		process.stdout.write('\n');
	}
}

/** Whoever reads the output of the program. */
export const atTerminal = (say: (line: string) => void, { signal }: Stop): Person => ({
	ask: async (_what, sentence, isSeen) => {
		say(`→ ${sentence}`);
		if (isSeen) return true;
		if (!process.stdin.isTTY) return false;
		const terminal = createInterface({ input: process.stdin, output: process.stdout });
		// Ctrl-C reaches the probe, which removes what it made.
		terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
		try {
			await terminal.question('  Then press Enter. ', { signal });
			return true;
		} catch {
			return false;
		} finally {
			terminal.close();
		}
	},
});
