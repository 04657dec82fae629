import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs `work` with a folder of its own, which is gone at the end. */
export async function withTemporaryFolder<T>(
	name: string,
	work: (folder: string) => Promise<T>,
): Promise<T> {
	const folder = mkdtempSync(join(tmpdir(), `business-messaging-${name}-`));
	try {
		return await work(folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
