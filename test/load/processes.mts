/** Processes of this machine, as Linux shows them. */
import { globSync, readFileSync } from 'node:fs';

/** Ticks of the kernel in a second, on every Linux that Node.js runs on. */
const TICKS = 100;

/** The process and all that descend from it. */
export function family(pid: number): number[] {
	const parents = new Map<number, number>();
	for (const file of globSync('/proc/[0-9]*/stat')) {
		const stat = tryTo(() => readFileSync(file, 'utf8'));
		// The name in brackets can hold anything.
		const [, parent = ''] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
		parents.set(Number(file.split('/')[2]), Number(parent));
	}
	const found = [pid];
	for (const member of found)
		found.push(...[...parents].filter(([, parent]) => parent === member).map(([child]) => child));
	return found;
}

/** Processes come and go while they are looked at. */
export function tryTo<T>(look: () => T): T | undefined {
	try {
		return look();
	} catch {
		return undefined;
	}
}

/** What tells a process from others. */
export interface ProcessFacts {
	/** The program and its parameters. */
	command: string;
	/** The variables that it was started with, `NAME=value` each. */
	environment: string[];
}

/**
 * Seconds of processor time that this process and all that descend from it have used so far, added
 * up by name.
 * @param nameOf undefined for those that do not count
 */
export function processorSeconds(
	nameOf: (facts: ProcessFacts, pid: number) => string | undefined,
): Map<string, number> {
	const seconds = new Map<string, number>();
	for (const pid of family(process.pid)) {
		const read = (file: string) => tryTo(() => readFileSync(`/proc/${pid}/${file}`, 'utf8')) ?? '';
		const command = read('cmdline').replaceAll('\0', ' ').trim();
		const name = nameOf({ command, environment: read('environ').split('\0') }, pid);
		const stat = read('stat');
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		// In user mode, and in the kernel.
		const ticks = Number(fields[11]) + Number(fields[12]);
		if (name !== undefined && ticks >= 0)
			seconds.set(name, (seconds.get(name) ?? 0) + ticks / TICKS);
	}
	return seconds;
}
