import { until } from '#scripts/until.mts';
import type { Host } from './host.mts';

const LIMIT_MS = 30_000;

/**
 * Asks for the next attempt of all deliveries to a webhook that are pending, until none is. The
 * service's own attempts may be minutes away.
 */
export async function deliverNow({ sandbox }: Host, webhookId: string): Promise<void> {
	await until(
		'the pending deliveries to be received',
		async () => {
			const { deliveries } = await sandbox.get<{ deliveries: Array<{ id: number }> }>(
				`/_sandbox/deliveries?state=PENDING&webhookId=${webhookId}`,
			);
			for (const { id } of deliveries) await redeliver(sandbox, id);
			return deliveries.length === 0;
		},
		LIMIT_MS,
	);
}

/** Unless an attempt is under way or was the last one, because its time had just come. */
export async function redeliver(sandbox: Host['sandbox'], id: number): Promise<void> {
	try {
		await sandbox.post(`/_sandbox/deliveries/${id}/redeliver`, {});
	} catch (error) {
		if (!(error instanceof Error && error.message.includes('with 409'))) throw error;
	}
}
