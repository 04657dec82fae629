import { startSandbox } from '#sandbox/server.mts';
import { type Example, ownAccount } from './examples.mts';
import { hostUnderTest } from './host.mts';

const MINUTE_MS = 60_000;
const TWO_DAYS_MIN = 2 * 24 * 60;

/** An account in a sandbox of its own, because other tests would see a moved clock. */
export async function accountWithClock(channelNames: string[]) {
	const sandbox = await startSandbox();
	const servers = { ...hostUnderTest(), sandboxUrl: sandbox.url };
	const account = await ownAccount(channelNames, servers);
	const moveClock = async (minutesAgo: number): Promise<void> =>
		await account.host.sandbox.post('/_sandbox/clock', {
			now: new Date(Date.now() - minutesAgo * MINUTE_MS).toISOString(),
		});
	return {
		...account,
		moveClock,
		/** Two days ago, because the service delivers nothing older than the webhook. */
		publishEarlier: async (example: Example) => {
			await moveClock(TWO_DAYS_MIN);
			await example.publish();
			await moveClock(0);
		},
		remove: async () => {
			await account.host.cleanUp();
			await sandbox.close();
		},
	};
}
