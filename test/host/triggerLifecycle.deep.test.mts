import { randomUUID } from 'node:crypto';

import { until } from '#scripts/until.mts';
import { number } from './harness/conversations.mts';
import { deliverNow } from './harness/deliverNow.mts';
import { byId, Host, hostUnderTest, TRIGGER } from './harness/host.mts';
import { createAccount, Listener, type ListedWebhook } from './harness/listener.mts';
import { type OwnN8n, startOwnN8n } from './harness/ownN8n.mts';

/**
 * When n8n 2 starts, or the trigger did not change, it leaves a healthy registration alone. n8n 1
 * checks it anew.
 */
const isCurrent = hostUnderTest().generation === 'current';
const LIMIT_MS = 30_000;

// One n8n for the whole sequence. Each test begins where the last one ended, with the workflow
// published.
let n8n: OwnN8n;
let listener: Listener;
let tenantId: string;
let channel: string;
let otherChannel: string;
let strangers: ListedWebhook[];
let production: ListedWebhook;

beforeAll(async () => {
	const account = await createAccount(new Host(), ['First', 'Second']);
	[channel = '', otherChannel = ''] = account.channels;
	tenantId = account.tenantId;
	n8n = await startOwnN8n(account.secretKey);
	listener = await Listener.create(n8n.host, account.secretKey, channel);
	const { n8nUrl } = n8n.host.underTest;
	const mark = { n8n: { instanceId: 'another', workflowId: 'another', nodeId: 'another' } };
	// One of another n8n, and one of another workflow of this n8n.
	for (const url of [
		`http://127.0.0.1:9/webhook/${randomUUID()}/webhook`,
		`${n8nUrl}/webhook/${randomUUID()}/webhook`,
	]) {
		const { id } = await n8n.host.callService<ListedWebhook>(
			`/v1/channels/${channel}/webhooks`,
			account.secretKey,
			{
				method: 'POST',
				body: { url, events: ['CONNECTED'], description: "A stranger's", customAttributes: mark },
			},
		);
		listener.foreign.add(id);
	}
	strangers = await listener.list(channel);
}, 300_000);

afterEach(async () => {
	// After each test: the strangers' webhooks are unchanged, nothing came twice or unexpectedly, and
	// a signature proved every event.
	expect((await listener.list(channel)).filter(({ id }) => listener.foreign.has(id))).toEqual(
		strangers,
	);
	expect((await listener.received()).sort()).toEqual([...listener.expected].sort());
	expect(n8n.log()).not.toContain('accepted by its token alone');
	// A webhook on a channel that is no longer chosen would go on sending.
	expect(await listener.own(otherChannel)).toEqual([]);
});

afterAll(async () => await n8n?.remove());

test('fails to publish with the reason if the service refuses the key; then publishes', async () => {
	const { host } = n8n;
	const { type } = host.underTest.credential;
	const data = { baseUrl: host.underTest.sandboxUrl, secretKey: 'sandbox_sk_wrong' };
	const wrong = await host.client.createCredential('A wrong key', type, data);
	const refused = await Listener.create(host, listener.secretKey, channel, wrong);
	await expect(host.client.publish(refused.workflow.id)).rejects.toThrow(/secret key/i);
	expect(await listener.list(channel)).toEqual(strangers);
	await n8n.host.client.publish(listener.workflow.id);
	production = await listener.registered(channel);
	await listener.receives(channel);
});

test('publishes again with other events', async () => {
	await listener.republish({ channelEvents: ['MESSAGE_RECEIVED', 'DISCONNECTED'] });
	await listener.registered(channel, ['MESSAGE_RECEIVED', 'DISCONNECTED']);
	await listener.receives(channel);
});

test('publishes again with another channel, and back', async () => {
	await listener.republish({ channelId: byId(otherChannel) });
	await listener.registered(otherChannel, ['MESSAGE_RECEIVED', 'DISCONNECTED']);
	await listener.unregistered(channel);
	await listener.write(channel);
	await listener.receives(otherChannel);
	await listener.republish({ channelId: byId(channel), channelEvents: ['MESSAGE_RECEIVED'] });
	production = await listener.registered(channel);
	await listener.unregistered(otherChannel);
	await listener.write(otherChannel);
	await listener.receives(channel);
});

const listenForTest = async (): Promise<void> => {
	expect(
		await n8n.host.client.runManually(
			await n8n.host.client.getWorkflow(listener.workflow.id),
			listener.nodeName,
		),
	).toBeUndefined();
	await until(
		'the webhook of the test',
		async () => (await listener.own(channel)).length === 2,
		LIMIT_MS,
	);
	const [test] = (await listener.own(channel)).filter(({ id }) => id !== production.id);
	expect(test?.url).toContain('/webhook-test/');
	expect(await listener.own(channel)).toContainEqual(production);
};

test('a test while published: both receive, and the end of the test leaves production alone', async () => {
	await listenForTest();
	const text = await listener.write(channel);
	await listener.arrival(text);
	await until(
		'the test to receive it too',
		async () => (await listener.received('manual')).includes(text),
		LIMIT_MS,
	);
	expect(await listener.registered(channel)).toEqual(production);
	await listener.receives(channel);
	expect(await listener.received('manual')).toEqual([text]);
});

test('an abandoned test leaves production alone', async () => {
	await listenForTest();
	await n8n.host.client.stopListening(listener.workflow.id);
	expect(await listener.registered(channel)).toEqual(production);
	await listener.receives(channel);
});

test('unpublishes and publishes again', async () => {
	await n8n.host.client.unpublish(listener.workflow.id);
	await listener.unregistered(channel);
	await listener.write(channel);
	await n8n.host.client.publish(listener.workflow.id);
	production = await listener.registered(channel);
	await listener.receives(channel);
});

test('keeps receiving after a restart of n8n; ten triggers of one workflow keep their channels, and unregister', async () => {
	const { host } = n8n;
	const names = Array.from({ length: 10 }, (_, at) => `Channel ${at}`);
	const { secretKey, channels } = await createAccount(host, names);
	const data = { baseUrl: host.underTest.sandboxUrl, secretKey };
	const { type } = host.underTest.credential;
	const own = await host.client.createCredential('Of ten channels', type, data);
	const triggers = channels.map((id, at) => {
		const parameters = { source: 'channel', channelEvents: ['MESSAGE_RECEIVED'] };
		return host.node(`Channel ${at}`, TRIGGER, { ...parameters, channelId: byId(id) }, own);
	});
	const workflow = await host.createWorkflow('Ten channels', triggers, [{}], {});
	const urls = async (): Promise<string[]> => {
		const list = async (id: string): Promise<ListedWebhook[]> =>
			await host.callService(`/v1/channels/${id}/webhooks`, secretKey);
		return (await Promise.all(channels.map(list))).flat().map(({ url }) => url);
	};
	await host.client.publish(workflow.id);
	const before = await urls();
	expect(new Set(before).size).toBe(10);
	await n8n.restart();
	for (const url of [...before, production.url]) await listener.reachable(url);
	expect(await urls()).toEqual(before);
	expect(await listener.registered(channel)).toEqual(production);
	await listener.receives(channel);
	await Promise.all(
		channels.map((channelId) =>
			host.sandbox.customerWrites({ channelId, from: number(1), name: 'Ana', text: 'Hello' }),
		),
	);
	const executions = await until(
		'an execution for each channel',
		async () => ((all) => all.length === 10 && all)(await host.client.listExecutions(workflow.id)),
		LIMIT_MS,
	);
	const started = await Promise.all(
		executions.map(async ({ id }) => {
			const { resultData } = await host.client.finishedExecution(id);
			return Object.entries(resultData.runData).map(([name, runs]) => {
				return [name, runs[0]?.data?.main[0]?.[0]?.json.channelId];
			});
		}),
	);
	const wanted = names.map((name, at) => [name, channels[at]]);
	expect(started.flat().sort()).toEqual(wanted);
	await host.client.unpublish(workflow.id);
	expect(await urls()).toEqual([]);
}, 240_000);

test('receives once what was written between kill -9 and the restart', async () => {
	await n8n.kill();
	const text = await listener.write(channel);
	const attempted = async () => {
		const path = `/_sandbox/deliveries?webhookId=${production.id}&state=PENDING`;
		const { deliveries } = await n8n.host.sandbox.get<{
			deliveries: Array<{ attempts: number }>;
		}>(path);
		return deliveries.some(({ attempts }) => attempts > 0);
	};
	await until('a failed attempt', attempted, LIMIT_MS);
	await n8n.start();
	await listener.reachable(production.url);
	expect(await listener.registered(channel)).toEqual(production);
	await deliverNow(n8n.host, production.id);
	await listener.arrival(text);
	await listener.receives(channel);
}, 240_000);

test('a restart of n8n 1 repairs a webhook that was deleted in the dashboard; n8n 2 does not check', async () => {
	await n8n.host.callService(
		`/v1/channels/${channel}/webhooks/${production.id}`,
		listener.secretKey,
		{ method: 'DELETE' },
	);
	await n8n.restart();
	await listener.reachable(production.url);
	if (isCurrent) {
		expect(await listener.own(channel)).toEqual([]);
		await n8n.host.client.unpublish(listener.workflow.id);
		await n8n.host.client.publish(listener.workflow.id);
	}
	production = await listener.registered(channel);
	await listener.receives(channel);
}, 240_000);

test('signature and token work after the secret key is rotated, before and after the credential changes', async () => {
	const { underTest, sandbox, client } = n8n.host;
	const secretKey = `sandbox_sk_${randomUUID()}`;
	await sandbox.post('/_sandbox/secret-key', { secretKey, tenant: tenantId });
	listener.secretKey = secretKey;
	await listener.receives(channel);
	await client.updateCredential(underTest.credential, { baseUrl: underTest.sandboxUrl, secretKey });
	await listener.receives(channel);
	expect(await listener.registered(channel)).toEqual(production);
});

test('unpublishes for good with the new key', async () => {
	await n8n.host.client.unpublish(listener.workflow.id);
	await listener.unregistered(channel);
	expect(await listener.list(channel)).toEqual(strangers);
});
