import { rmSync } from 'node:fs';

import { stopAll } from '#scripts/n8n/processes.mts';
import { hostUnderTest } from './host.mts';

/** Runs in the process of the set-up, which owns the servers. */
export default async function tearDown(): Promise<void> {
	await stopAll();
	rmSync(hostUnderTest().folder, { recursive: true, force: true });
}
