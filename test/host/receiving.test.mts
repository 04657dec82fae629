/**
 * What a published trigger does, seen from outside: at the service, and in the list of executions.
 */
import { until } from '#scripts/until.mts';
import { deliverNow } from './harness/deliverNow.mts';
import { ownAccount } from './harness/examples.mts';
import type { Host } from './harness/host.mts';
import { Listener } from './harness/listener.mts';

const LIMIT_MS = 60_000;

let host: Host | undefined;
afterAll(async () => await host?.cleanUp());

test("a customer's message starts one execution, redelivered or not, until the trigger is unpublished", async () => {
	const account = await ownAccount(['Receiving']);
	({ host } = account);
	const { secretKey, channels } = account;
	const [channelId = ''] = channels;
	const listener = await Listener.create(host, secretKey, channelId);
	const isRegistered = async () => {
		const [webhook, ...more] = await listener.list(channelId);
		expect(more).toEqual([]);
		return webhook?.status === 'ENABLED' && webhook.signing;
	};
	await host.client.publish(listener.workflow.id);
	await until('the trigger to register', isRegistered, LIMIT_MS);

	// The account and its webhook are new, so each delivery comes twice.
	const tenant = account.tenantId;
	await host.sandbox.post('/_sandbox/faults', { on: 'webhook', kind: 'duplicate', tenant });
	await listener.receives(channelId);
	await listener.receives(channelId);
	await until(
		'every delivery to be answered',
		async () => {
			const webhookId = (await listener.list(channelId))[0]!.id;
			// Its counts are of all webhooks; the list is of this one.
			const { deliveries } = await host!.sandbox.get<{ deliveries: Array<{ state: string }> }>(
				`/_sandbox/deliveries?webhookId=${webhookId}`,
			);
			const isPending = deliveries.some(({ state }) => state === 'PENDING');
			// On a slow machine a copy is refused twice, and the third try comes after minutes.
			if (isPending) await deliverNow(host!, webhookId);
			const delivered = deliveries.filter(({ state }) => state === 'DELIVERED').length;
			return delivered >= listener.expected.length && !isPending;
		},
		LIMIT_MS,
	);
	expect(await listener.received()).toEqual(listener.expected);

	await host.client.unpublish(listener.workflow.id);
	await until(
		'the webhook to be gone',
		async () => (await listener.list(channelId)).length === 0,
		LIMIT_MS,
	);
});
