/**
 * What the operations guide says about n8n's own settings and nodes, tried in an n8n with those
 * settings: a proxy, and SSRF protection.
 */
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import { CREDENTIAL_TYPE } from '#scripts/n8n/provision.mts';
import type { CredentialReference } from '#scripts/n8n/types.mts';
import { hostUnderTest, startNode } from './harness/host.mts';
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

test('the SSRF protection of n8n 2 refuses a forbidden address with the reason, and takes an allowed one', async () => {
	const refused = await credentialFor(servers.sandboxUrl.replace('127.0.0.1', '127.0.0.2'));
	const { error } = await n8n.host.runAction(getChannels, { credential: refused });
	const isRefusedByN8n = error?.message.includes('n8n does not allow requests to this host');
	// Nothing listens there, so n8n 1 reports another error.
	expect(isRefusedByN8n).toBe(servers.generation === 'current');
	const { items } = await n8n.host.runAction(getChannels);
	expect(items).toContainEqual(expect.objectContaining({ id: DEMO_CHANNEL_ID }));
});
