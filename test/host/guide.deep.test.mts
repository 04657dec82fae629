import {
	createServer,
	request as httpRequest,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';

import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import { CREDENTIAL_TYPE } from '../../scripts/n8n/provision.mts';
import type { WorkflowNode } from '../../scripts/n8n/types.mts';
import { until } from '../../scripts/until.mts';
import { byId, hostUnderTest, TRIGGER } from './harness/host.mts';
import { createAccount, Listener } from './harness/listener.mts';
import { startOwnN8n, type OwnN8n } from './harness/ownN8n.mts';

/**
 * What the operations guide says about n8n's own settings and nodes, tried in an n8n with those
 * settings.
 */
const servers = hostUnderTest();
const isCurrent = servers.generation === 'current';
/**
 * Nothing listens at this address, so a request that reaches the service under it came through the
 * proxy. With SSRF protection n8n looks the name up itself.
 */
const BEHIND_PROXY = 'http://localhost:1';

let proxied: Array<{ asked: string; key: string | undefined }> = [];
/** The keys of the redirected requests. */
let redirected: Array<string | undefined> = [];
const proxy = createServer((incoming, outgoing) => forward(incoming, outgoing));
let n8n: OwnN8n;

beforeAll(async () => {
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	n8n = await startOwnN8n(DEMO_SECRET_KEY, {
		HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
		NO_PROXY: '127.0.0.1,127.0.0.2',
		N8N_SSRF_PROTECTION_ENABLED: 'true',
		N8N_SSRF_ALLOWED_HOSTNAMES: new URL(BEHIND_PROXY).hostname,
		N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
	});
});

afterAll(async () => {
	await n8n?.remove();
	proxy.closeAllConnections();
	await new Promise((resolve) => proxy.close(resolve));
});

/**
 * A forward proxy for requests with a whole URL. For a bare path it is a service that redirects.
 */
function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
	if (incoming.url?.startsWith('/')) {
		redirected.push(incoming.headers.authorization);
		outgoing.writeHead(302, { location: `${BEHIND_PROXY}/v1/channels` }).end();
		return;
	}
	proxied.push({
		asked: `${incoming.method} ${incoming.url}`,
		key: incoming.headers.authorization,
	});
	const { pathname, search } = new URL(incoming.url ?? '/', BEHIND_PROXY);
	const onward = httpRequest(
		new URL(pathname + search, servers.sandboxUrl),
		{ method: incoming.method, headers: incoming.headers },
		(response) => {
			outgoing.writeHead(response.statusCode ?? 502, response.headers);
			response.pipe(outgoing);
		},
	);
	onward.on('error', () => outgoing.destroy());
	incoming.pipe(onward);
}

const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: WorkflowNode['parameters'],
	credentials?: WorkflowNode['credentials'],
): WorkflowNode => ({
	id: randomUUID(),
	name,
	type,
	typeVersion,
	position: [0, 0],
	parameters,
	...(credentials ? { credentials } : {}),
});

test('requests to the service go through the proxy of HTTP_PROXY', async () => {
	const credential = await n8n.host.client.createCredential('Behind the proxy', CREDENTIAL_TYPE, {
		baseUrl: BEHIND_PROXY,
		secretKey: DEMO_SECRET_KEY,
	});
	const { items, error } = await n8n.host.runAction(
		{ resource: 'channel', operation: 'getAll' },
		{ credential },
	);
	expect(error).toBeUndefined();
	expect(items).toContainEqual(expect.objectContaining({ id: DEMO_CHANNEL_ID }));
	expect(proxied).toEqual([
		{
			asked: expect.stringMatching(/^GET http:\/\/localhost:1\/v1\/channels\?/) as string,
			key: `Bearer ${DEMO_SECRET_KEY}`,
		},
	]);
});

describe('the HTTP Request node, which borrows the credential,', () => {
	/** The version whose requests take their credentials along to other hosts by default. */
	const ask = async (url: string, credential = n8n.host.underTest.credential) => {
		const borrower = node(
			'HTTP Request',
			'n8n-nodes-base.httpRequest',
			4.2,
			{
				url,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: CREDENTIAL_TYPE,
				options: {},
			},
			{ [CREDENTIAL_TYPE]: { id: credential.id, name: credential.name } },
		);
		const start = node('Start', 'n8n-nodes-base.manualTrigger', 1, {});
		return await n8n.host.client.execute(
			await n8n.host.createWorkflow('A borrower', [start, borrower]),
			'Start',
		);
	};
	beforeEach(() => {
		proxied = [];
		redirected = [];
	});

	test('can call the service', async () => {
		expect(
			await ask(`${servers.sandboxUrl}/v1/channels/${DEMO_CHANNEL_ID}/webhooks`),
		).toMatchObject({
			status: 'success',
		});
	});

	test('cannot send the key to another host', async () => {
		const { status, resultData } = await ask(`${BEHIND_PROXY}/v1/channels`);
		expect(status).toBe('error');
		expect(resultData.error?.message).toContain(
			'The secret key is sent only to the host of the Base URL in the credential',
		);
		expect(proxied).toEqual([]);
	});

	test('cannot take the key along when the service redirects', async () => {
		const baseUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
		const redirecting = await n8n.host.client.createCredential('Redirecting', CREDENTIAL_TYPE, {
			baseUrl,
			secretKey: DEMO_SECRET_KEY,
		});
		await ask(`${baseUrl}/v1/channels`, redirecting);
		expect(redirected).toEqual([`Bearer ${DEMO_SECRET_KEY}`]);
		// Not even without the key, because it follows no redirect.
		expect(proxied).toEqual([]);
	});
});

test('Remove Duplicates after the trigger keeps deduplication over a restart', async () => {
	const { client } = n8n.host;
	const { secretKey, channels } = await createAccount(n8n.host, ['Deduplicated']);
	const channel = channels[0] ?? '';
	const credential = await client.createCredential('Deduplicated', CREDENTIAL_TYPE, {
		baseUrl: servers.sandboxUrl,
		secretKey,
	});
	const trigger = n8n.host.node(
		'Trigger',
		TRIGGER,
		{ source: 'channel', channelId: byId(channel), channelEvents: ['MESSAGE_RECEIVED'] },
		credential,
	);
	const once = node('Once', 'n8n-nodes-base.removeDuplicates', 2, {
		operation: 'removeItemsSeenInPreviousExecutions',
		logic: 'removeItemsWithAlreadySeenKeyValues',
		dedupeValue: '={{ $json.messageId }}',
		options: {},
	});
	const listener = new Listener(
		n8n.host,
		secretKey,
		await n8n.host.createWorkflow('Once for all', [trigger, once]),
	);
	await client.publish(listener.workflow.id);
	const { id: webhookId } = await listener.registered(channel);
	await listener.receives(channel);

	await n8n.restart();
	const { deliveries } = await n8n.host.sandbox.get<{ deliveries: Array<{ id: number }> }>(
		`/_sandbox/deliveries?webhookId=${webhookId}`,
	);
	await n8n.host.sandbox.post(`/_sandbox/deliveries/${deliveries[0]?.id}/redeliver`, {});
	// The trigger has forgotten the event, so the workflow runs again. The node is for this case.
	await until(
		'the second execution',
		async () => (await client.listExecutions(listener.workflow.id)).length === 2,
		30_000,
	);
	const executions = await Promise.all(
		(await client.listExecutions(listener.workflow.id)).map(
			async ({ id }) => await client.finishedExecution(id),
		),
	);
	expect(
		executions
			.map(({ resultData }) => resultData.runData.Once?.[0]?.data?.main[0]?.length ?? 0)
			.sort(),
	).toEqual([0, 1]);
	await client.unpublish(listener.workflow.id);
});

test('the SSRF protection of n8n 2 refuses a forbidden address with the reason, and takes an allowed one', async () => {
	const refused = await n8n.host.client.createCredential('Not allowed', CREDENTIAL_TYPE, {
		baseUrl: servers.sandboxUrl.replace('127.0.0.1', '127.0.0.2'),
		secretKey: DEMO_SECRET_KEY,
	});
	const { error } = await n8n.host.runAction(
		{ resource: 'channel', operation: 'getAll' },
		{ credential: refused },
	);
	const isRefusedByN8n = error?.message.includes('n8n does not allow requests to this host');
	// Nothing listens there, so n8n 1 reports another error.
	expect(isRefusedByN8n).toBe(isCurrent);
	const { items } = await n8n.host.runAction({ resource: 'channel', operation: 'getAll' });
	expect(items).toContainEqual(expect.objectContaining({ id: DEMO_CHANNEL_ID }));
});
