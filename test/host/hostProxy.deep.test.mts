import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import { startNode } from './harness/host.mts';
import { type OwnN8n, startOwnN8n } from './harness/ownN8n.mts';

/**
 * A name that only the proxy knows, so a request that reaches the service under it came through the
 * proxy.
 */
const SERVICE = 'api.messaging.example';

/** What the proxy was asked for, and with which key. */
const asked: Array<{ host: string; key: string | undefined }> = [];
const proxy = createServer((request, response) => {
	const target = new URL(request.url ?? '', 'http://not-by-a-proxy.example');
	asked.push({ host: target.host, key: request.headers.authorization });
	if (target.host !== SERVICE) {
		request.resume();
		response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
		return;
	}
	const { hostname, port } = new URL(own.host.underTest.sandboxUrl);
	const { 'proxy-connection': _hop, ...headers } = request.headers;
	const passedOn = send(
		{
			hostname,
			port,
			path: target.pathname + target.search,
			method: request.method,
			headers: { ...headers, host: `${hostname}:${port}` },
		},
		(upstream) => {
			response.writeHead(upstream.statusCode ?? 502, upstream.headers);
			upstream.pipe(response);
		},
	);
	passedOn.on('error', () => response.destroy());
	request.pipe(passedOn);
});
let own: OwnN8n;
let credential: Awaited<ReturnType<OwnN8n['host']['client']['createCredential']>>;

beforeAll(async () => {
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
	own = await startOwnN8n(DEMO_SECRET_KEY, {
		HTTP_PROXY: address,
		http_proxy: address,
		NO_PROXY: '127.0.0.1,localhost',
		no_proxy: '127.0.0.1,localhost',
	});
	credential = await own.host.client.createCredential(
		'Behind a proxy',
		own.host.underTest.credential.type,
		{ baseUrl: `http://${SERVICE}`, secretKey: DEMO_SECRET_KEY },
	);
}, 300_000);

beforeEach(() => void (asked.length = 0));

afterAll(async () => {
	await own?.remove();
	proxy.closeAllConnections();
	await new Promise((resolve) => proxy.close(resolve));
});

const KEY_SENT = { host: SERVICE, key: `Bearer ${DEMO_SECRET_KEY}` };

test("the node calls the service through n8n's proxy", async () => {
	const { items, error } = await own.host.runAction(
		{ resource: 'channel', operation: 'getAll', returnAll: true, filters: {} },
		{ credential },
	);
	expect(error).toBeUndefined();
	expect(items).toContainEqual(expect.objectContaining({ id: DEMO_CHANNEL_ID }));
	expect(asked).toContainEqual(KEY_SENT);
});

test("the credential's test goes through the proxy", async () => {
	const { status } = await own.host.client.testCredential(credential, {
		baseUrl: `http://${SERVICE}`,
		secretKey: DEMO_SECRET_KEY,
	});
	expect(status).toBe('OK');
	expect(asked).toContainEqual(KEY_SENT);
});

/** n8n's HTTP Request node with the credential. */
async function borrow(url: string, headers: Record<string, string> = {}) {
	const parameters = {
		url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: own.host.underTest.credential.type,
		sendHeaders: true,
		specifyHeaders: 'json',
		jsonHeaders: JSON.stringify(headers),
	};
	const node = {
		...own.host.node('Request', 'n8n-nodes-base.httpRequest', parameters, credential),
		typeVersion: 4.2,
	};
	return await own.host.client.execute(
		await own.host.createWorkflow('Borrowing', [startNode(), node]),
		'Start',
	);
}

test('a node that borrows the credential goes through the proxy', async () => {
	const { resultData } = await borrow(`http://${SERVICE}/v1/webhooks`);
	expect(resultData.error).toBeUndefined();
	expect(asked).toContainEqual(KEY_SENT);
});

// n8n's proxy client puts the path after the Host header, and reads a path that begins with two
// slashes as a host.
test.each([
	['a path of two slashes', `http://${SERVICE}//attacker.example/v1`, {}],
	['a Host header', `http://${SERVICE}/v1/webhooks`, { Host: 'attacker.example' }],
])('sends the key to no other host: %s', async (_name, url, headers) => {
	const { resultData } = await borrow(url, headers);
	expect(asked).toEqual([]);
	expect(resultData.error?.message).toMatch(
		/^The secret key is sent only to the host of the Base URL/,
	);
});
