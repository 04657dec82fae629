import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '#scripts/until.mts';
import type { Cluster } from './cluster.mts';
import type { Run } from './run.mts';

/** Milliseconds until a killed process restarts: longer than any single request. */
const ABSENCE_MS = 4000;
const LOST_RESPONSES = 60;
const PHASE_LIMIT_MS = 600_000;

/**
 * Writes the events in as many parts as there are disturbances, and brings each about in the middle
 * of its part.
 */
export async function disturb(cluster: Cluster, run: Run, events: number): Promise<void> {
	const { main, workers, processors, redis } = cluster;
	const killAndStart = async (member: {
		kill(): Promise<void>;
		start(): Promise<void>;
	}): Promise<void> => {
		await member.kill();
		await sleep(ABSENCE_MS);
		await member.start();
	};
	const disturbances: Array<[string, () => Promise<void>]> = [
		[
			'responses to the service get lost',
			async () => await run.writeWithLostResponses(LOST_RESPONSES),
		],
		['a worker is killed', async () => await killAndStart(workers[0])],
		['a webhook processor is killed', async () => await killAndStart(processors[0])],
		['the main process is killed', async () => await killAndStart(main)],
		['Redis is killed', async () => await killAndStart(redis)],
		[
			'a worker is stopped and started',
			async () => {
				await workers[1].stop();
				await workers[1].start();
			},
		],
	];
	const share = Math.ceil(events / disturbances.length);
	for (const [what, happens] of disturbances) {
		console.log(`  ${share} events, and ${what} ...`);
		const before = run.replying.traffic.written;
		const writing = run.begin(share);
		await until(
			'a third of the part to be written',
			() => run.replying.traffic.written >= before + share / 3,
			PHASE_LIMIT_MS,
		);
		await happens();
		await writing.done;
		await run.strangers.forge();
	}
}
