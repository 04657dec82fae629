/** Processes of this machine, as Linux shows them. */
import { globSync, readFileSync } from 'node:fs';

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
