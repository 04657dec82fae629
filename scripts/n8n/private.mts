/** Folders that no other user of this machine can look into. */
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Rights of the owner; the others have none. */
const OWNER_ONLY = 0o700;

/** Makes a folder of ours when it is missing, and takes from other users every right to it and to all that is in it. */
export function keepPrivate(folder: string): void {
	mkdirSync(folder, { recursive: true, mode: OWNER_ONLY });
	const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
	closeToOthers(folder);
	// A link has no rights of its own, and what it leads to need not be ours.
	for (const entry of entries)
		if (!entry.isSymbolicLink()) closeToOthers(join(entry.parentPath, entry.name));
}

/** Takes from other users every right to a file or folder, not to what is in it. */
export function closeToOthers(path: string): void {
	const { mode } = statSync(path);
	if (mode & ~OWNER_ONLY & 0o777) chmodSync(path, mode & OWNER_ONLY);
}
