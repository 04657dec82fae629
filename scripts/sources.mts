/** The source files of the package, and which of them were saved. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const FOLDERS = ['nodes', 'credentials', 'icons'];

/** By path, a value that changes when the file is saved. */
export type Saved = Map<string, string>;

/** Polled, because file notices get lost on network drives and when an editor replaces a file. */
export function lookAtSources(sources: string): Saved {
	const paths = FOLDERS.flatMap((folder) =>
		readdirSync(join(sources, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
			join(folder, file),
		),
	);
	return new Map(
		paths.flatMap((path) => {
			const stat = statSync(join(sources, path), { throwIfNoEntry: false });
			return stat?.isFile() ? [[path, `${stat.mtimeMs} ${stat.size} ${stat.ino}`]] : [];
		}),
	);
}

/** The files that were changed, created or removed between two polls. */
export const changedFiles = (before: Saved, now: Saved): string[] =>
	[...new Set([...before.keys(), ...now.keys()])].filter(
		(path) => before.get(path) !== now.get(path),
	);

/**
 * Waits until saving stops, because an editor can save many files at once, and git a whole branch.
 */
export async function quietSources(sources: string, quietMs: number): Promise<Saved> {
	for (let before = lookAtSources(sources); ;) {
		await sleep(quietMs);
		const now = lookAtSources(sources);
		if (changedFiles(before, now).length === 0) return now;
		before = now;
	}
}
