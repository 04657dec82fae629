/**
 * What the operations guide says about n8n's own settings and nodes, tried in an n8n with those
 * settings: a proxy, and SSRF protection.
 */
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';

import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import { CREDENTIAL_TYPE } from '../../scripts/n8n/provision.mts';
import type { CredentialReference } from '../../scripts/n8n/types.mts';
import { until } from '../../scripts/until.mts';
import { byId, hostUnderTest, startNode, TRIGGER } from './harness/host.mts';
import { createAccount, Listener } from './harness/listener.mts';
import { startOwnN8n, type OwnN8n } from './harness/ownN8n.mts';

const servers = hostUnderTest();
/**
 * Nothing listens at this address, so a request that reaches the service under it came through the
 * proxy. With SSRF protection n8n looks the name up itself.
 */
const SERVICE = 'http://localhost:1';
const KEY_SENT = { host: new URL(SERVICE).host, key: `Bearer ${DEMO_SECRET_KEY}` };

/** What the proxy was asked for, and with which key. */
const asked: Array<{ host: string; key: string | undefined }> = [];
const proxy = createServer((request, response) => {
	const { host, pathname, search } = new URL(request.url ?? '', 'http://not-by-a-proxy.example');
	asked.push({ host, key: request.headers.authorization });
	const { method, headers } = request;
	const onward = send(
		new URL(pathname + search, servers.sandboxUrl),
		{ method, headers },
		(given) => {
			given.pipe(response.writeHead(given.statusCode ?? 502, given.headers));
		},
	);
	request.pipe(onward.on('error', () => response.destroy()));
});
let n8n: OwnN8n;
let credential: CredentialReference;

const credentialFor = async (baseUrl: string, secretKey = DEMO_SECRET_KEY) =>
	await n8n.host.client.createCredential(baseUrl, CREDENTIAL_TYPE, { baseUrl, secretKey });

beforeAll(async () => {
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	n8n = await startOwnN8n(DEMO_SECRET_KEY, {
		HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
		NO_PROXY: '127.0.0.1,127.0.0.2',
		N8N_SSRF_PROTECTION_ENABLED: 'true',
		N8N_SSRF_ALLOWED_HOSTNAMES: new URL(SERVICE).hostname,
		N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
	});
	credential = await credentialFor(SERVICE);
}, 300_000);
beforeEach(() => void (asked.length = 0));
afterAll(async () => {
	await n8n?.remove();
	proxy.closeAllConnections();
	await new Promise((resolve) => proxy.close(resolve));
});

const getChannels = { resource: 'channel', operation: 'getAll', returnAll: true, filters: {} };

test("the node and the credential's test go through the proxy of HTTP_PROXY", async () => {
	const { items, error } = await n8n.host.runAction(getChannels, { credential });
	expect(error).toBeUndefined();
	expect(items).toContainEqual(expect.objectContaining({ id: DEMO_CHANNEL_ID }));
	expect(asked.splice(0)).toEqual([KEY_SENT]);
	const data = { baseUrl: SERVICE, secretKey: DEMO_SECRET_KEY };
	expect(await n8n.host.client.testCredential(credential, data)).toMatchObject({ status: 'OK' });
	expect(asked).toContainEqual(KEY_SENT);
});

/** n8n's HTTP Request node with the credential. */
async function borrow(url: string, headers: Record<string, string> = {}) {
	const parameters = {
		...{ url, authentication: 'predefinedCredentialType', nodeCredentialType: CREDENTIAL_TYPE },
		...{ sendHeaders: true, specifyHeaders: 'json', jsonHeaders: JSON.stringify(headers) },
	};
	const node = {
		...n8n.host.node('Request', 'n8n-nodes-base.httpRequest', parameters, credential),
		typeVersion: 4.2,
	};
	const workflow = await n8n.host.createWorkflow('Borrowing', [startNode(), node]);
	return (await n8n.host.client.execute(workflow, 'Start')).resultData.error;
}

// n8n's proxy client puts the path after the Host header, and reads a path that begins with two
// slashes as a host.
test('a node that borrows the credential goes through the proxy, to the service alone', async () => {
	expect(await borrow(`${SERVICE}/v1/webhooks`)).toBeUndefined();
	expect(asked.splice(0)).toEqual([KEY_SENT]);
	for (const error of [
		await borrow(`${SERVICE}//attacker.example/v1`),
		await borrow(`${SERVICE}/v1/webhooks`, { Host: 'attacker.example' }),
	])
		expect(error?.message).toMatch(/^The secret key is sent only to the host of the Base URL/);
	expect(asked).toEqual([]);
});

test('Remove Duplicates after the trigger keeps deduplication over a restart', async () => {
	const { client } = n8n.host;
	const { secretKey, channels } = await createAccount(n8n.host, ['Deduplicated']);
	const [channel = ''] = channels;
	const parameters = {
		...{ source: 'channel', channelId: byId(channel), channelEvents: ['MESSAGE_RECEIVED'] },
	};
	const own = await credentialFor(servers.sandboxUrl, secretKey);
	const once = {
		...{ id: randomUUID(), name: 'Once', position: [0, 0] as [number, number] },
		...{ type: 'n8n-nodes-base.removeDuplicates', typeVersion: 2 },
		parameters: {
			operation: 'removeItemsSeenInPreviousExecutions',
			logic: 'removeItemsWithAlreadySeenKeyValues',
			dedupeValue: '={{ $json.messageId }}',
			options: {},
		},
	};
	const trigger = n8n.host.node('Trigger', TRIGGER, parameters, own);
	const workflow = await n8n.host.createWorkflow('Once for all', [trigger, once]);
	const listener = new Listener(n8n.host, secretKey, workflow);
	await client.publish(workflow.id);
	const { id: webhookId } = await listener.registered(channel);
	await listener.receives(channel);

	await n8n.restart();
	const { deliveries } = await n8n.host.sandbox.get<{ deliveries: Array<{ id: number }> }>(
		`/_sandbox/deliveries?webhookId=${webhookId}`,
	);
	await n8n.host.sandbox.post(`/_sandbox/deliveries/${deliveries[0]?.id}/redeliver`, {});
	// The trigger has forgotten the event, so the workflow runs again. The node is for this case.
	const executions = await until(
		'the second execution',
		async () => ((all) => all.length === 2 && all)(await client.listExecutions(workflow.id)),
		30_000,
	);
	const passed = executions.map(async ({ id }) => {
		const { resultData } = await client.finishedExecution(id);
		return resultData.runData.Once?.[0]?.data?.main[0]?.length ?? 0;
	});
	expect((await Promise.all(passed)).sort()).toEqual([0, 1]);
	await client.unpublish(workflow.id);
});

test('the SSRF protection of n8n 2 refuses a forbidden address with the reason, and takes an allowed one', async () => {
	const refused = await credentialFor(servers.sandboxUrl.replace('127.0.0.1', '127.0.0.2'));
	const { error } = await n8n.host.runAction(getChannels, { credential: refused });
	const isRefusedByN8n = error?.message.includes('n8n does not allow requests to this host');
	// Nothing listens there, so n8n 1 reports another error.
	expect(isRefusedByN8n).toBe(servers.generation === 'current');
	const { items } = await n8n.host.runAction(getChannels);
	expect(items).toContainEqual(expect.objectContaining({ id: DEMO_CHANNEL_ID }));
});
