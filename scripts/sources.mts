/** The files that the package is made of, and which of them were saved. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const FOLDERS = ['nodes', 'credentials', 'icons'];

/** By path, what changes when the file is saved. */
export type Saved = Map<string, string>;

/** Looked at again and again: notices of the system are lost over network drives and for files that an editor replaces. */
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

/** The files that were changed, made or removed between two looks. */
export const changedFiles = (before: Saved, now: Saved): string[] =>
	[...new Set([...before.keys(), ...now.keys()])].filter(
		(path) => before.get(path) !== now.get(path),
	);

/** Waits until nothing is saved any more: an editor can save many files at once, and git a whole branch. */
export async function quietSources(sources: string, quietMs: number): Promise<Saved> {
	for (let before = lookAtSources(sources); ;) {
		await sleep(quietMs);
		const now = lookAtSources(sources);
		if (changedFiles(before, now).length === 0) return now;
		before = now;
	}
}
