import { globSync, readFileSync, readlinkSync } from 'node:fs';

const LISTENING = '0A';

/** The process and all that descend from it. */
function family(pid: number): number[] {
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
function tryTo<T>(look: () => T): T | undefined {
	try {
		return look();
	} catch {
		return undefined;
	}
}

/** Addresses, as the kernel writes them, at which a process or one that it started listens, with their ports. For Linux. */
export function listeningAddresses(pid: number): Array<{ address: string; port: number }> {
	const sockets = new Set<string>();
	for (const member of family(pid)) {
		for (const file of tryTo(() => globSync(`/proc/${member}/fd/*`)) ?? []) {
			const [, inode] = /^socket:\[(\d+)\]$/.exec(tryTo(() => readlinkSync(file)) ?? '') ?? [];
			if (inode !== undefined) sockets.add(inode);
		}
	}
	const lines = ['tcp', 'tcp6'].flatMap((table) =>
		(tryTo(() => readFileSync(`/proc/net/${table}`, 'utf8')) ?? '').split('\n').slice(1),
	);
	return lines.flatMap((line) => {
		const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/ +/);
		if (state !== LISTENING || !sockets.has(inode)) return [];
		const [address = '', port = ''] = local.split(':');
		return [{ address, port: Number.parseInt(port, 16) }];
	});
}
