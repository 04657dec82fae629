import { globSync, readFileSync, readlinkSync } from 'node:fs';

import { family, tryTo } from '../../load/processes.mts';

const LISTENING = '0A';

/**
 * Addresses and ports at which a process or its children listen, as the kernel writes them. For
 * Linux.
 */
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
