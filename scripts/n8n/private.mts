/** Folders that other users of this machine cannot read. */
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Rights of the owner; the others have none. */
const OWNER_ONLY = 0o700;

/**
 * Creates a folder if it is missing, and takes all rights to it and its contents from other users.
 */
export function keepPrivate(folder: string): void {
	mkdirSync(folder, { recursive: true, mode: OWNER_ONLY });
	const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
	closeToOthers(folder);
	// A link has no rights of its own, and its target may not be ours.
	for (const entry of entries)
		if (!entry.isSymbolicLink()) closeToOthers(join(entry.parentPath, entry.name));
}

/** Takes all rights to a file or folder from other users, but not to its contents. */
export function closeToOthers(path: string): void {
	const { mode } = statSync(path);
	if (mode & ~OWNER_ONLY & 0o777) chmodSync(path, mode & OWNER_ONLY);
}
