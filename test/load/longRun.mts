import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runMain } from '#scripts/bootstrap/explained.cjs';
import { whenParentEnds } from '#scripts/bootstrap/parent.cjs';
import { build } from '#scripts/build.mts';
import { installHost, type N8nHost } from '#scripts/n8n/host.mts';
import { stopAll } from '#scripts/n8n/processes.mts';
import { startSandbox } from '#scripts/n8n/sandbox.mts';
import { Report } from './report.mts';

/** What a run works with. */
export interface Place {
	program: N8nHost;
	/** Is removed afterwards. */
	folder: string;
	sandboxUrl: string;
	report: Report;
}

/**
 * Runs a program's main function with a sandbox, and ends whatever it started, however it ends.
 * @param play returns the title of its report
 */
export async function longRun(play: (place: Place) => Promise<string>): Promise<void> {
	const end = () => void stopAll().then(() => process.exit(130));
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
	whenParentEnds(end);
	await runMain(async () => {
		const program = await installHost('current');
		const folder = mkdtempSync(join(tmpdir(), 'business-messaging-long-run-'));
		const report = new Report();
		const started = Date.now();
		try {
			await build();
			const { url: sandboxUrl } = await startSandbox(join(folder, 'service'));
			const title = await play({ program, folder, sandboxUrl, report });
			report.figure('seconds', Math.round((Date.now() - started) / 1000));
			report.close(title);
		} finally {
			await stopAll();
			rmSync(folder, { recursive: true, force: true });
		}
	});
}
