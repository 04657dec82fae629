import { until } from '#scripts/until.mts';
import type { Host } from './host.mts';

const LIMIT_MS = 30_000;

/**
 * Asks the sandbox for the next attempt of every pending delivery until none is pending. The
 * service's own attempts may be minutes away.
 *
 * @param query narrows the deliveries: "&webhookId=..."
 */
export async function deliverNow({ sandbox }: Host, query = ''): Promise<void> {
	await until(
		'the pending deliveries to be received',
		async () => {
			const { deliveries } = await sandbox.get<{ deliveries: Array<{ id: number }> }>(
				`/_sandbox/deliveries?state=PENDING${query}`,
			);
			for (const { id } of deliveries) {
				try {
					await sandbox.post(`/_sandbox/deliveries/${id}/redeliver`, {});
				} catch (error) {
					// Its time had just come: an attempt is under way, or was the last one.
					if (!(error instanceof Error && error.message.includes('with 409'))) throw error;
				}
			}
			return deliveries.length === 0;
		},
		LIMIT_MS,
	);
}
