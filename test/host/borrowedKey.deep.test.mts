import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';

import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import type { CredentialReference, FinishedExecution } from '#scripts/n8n/types.mts';
import { byId, Host, startNode, TRIGGER } from './harness/host.mts';

/**
 * An attacker may use a credential but cannot read it. The attacker tries to send its key to
 * another server with n8n's HTTP Request node.
 */
const host = new Host();
const { credential: type } = host.underTest;
const SECRET_KEY = 'sandbox_sk_borrowed-and-not-taken-91b4';

/** A server that keeps the head of every request as received. */
interface Watched {
	url: string;
	heads: string[];
	close(): Promise<void>;
}

async function watch(respond: (request: IncomingMessage) => object): Promise<Watched> {
	const heads: string[] = [];
	const headOf = ({ method, url, rawHeaders }: IncomingMessage) =>
		[method, url, ...rawHeaders].join('\n');
	const server: Server = createServer((request, response) => {
		heads.push(headOf(request));
		request.resume();
		if (request.url?.endsWith('/silent')) return;
		if (request.url?.endsWith('/moved'))
			return response.writeHead(302, { location: attacker.url }).end();
		response
			.writeHead(request.url?.endsWith('/failing') ? 500 : 200, {
				'content-type': 'application/json',
			})
			.end(JSON.stringify(respond(request)));
	});
	// The proxy gets this request if the service is reached by https.
	server.on('connect', (request, socket) => {
		heads.push(headOf(request));
		socket.end('HTTP/1.1 502 No\r\n\r\n');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		heads,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

let service: Watched;
let attacker: Watched;
let borrowed: CredentialReference;

beforeAll(async () => {
	// TRACE makes the server send back what it received.
	service = await watch((request) => (request.method === 'TRACE' ? request.headers : { ok: true }));
	attacker = await watch((request) => request.headers);
	borrowed = await host.client.createCredential('Borrowed', type.type, {
		baseUrl: service.url,
		secretKey: SECRET_KEY,
	});
});

beforeEach(() => {
	service.heads.length = 0;
	attacker.heads.length = 0;
});

afterAll(async () => {
	await host.cleanUp();
	await Promise.all([service.close(), attacker.close()]);
});

interface Settings {
	credential?: CredentialReference;
	onError?: 'stopWorkflow' | 'continueRegularOutput';
	typeVersion?: number;
}

interface Run {
	execution: FinishedExecution;
	record: string;
}

/** Runs an HTTP Request node by hand, then a node that records what it can find of an error. */
async function request(
	parameters: INodeParameters,
	{ credential = borrowed, onError = 'stopWorkflow', typeVersion = 4.2 }: Settings = {},
): Promise<Run> {
	const given: INodeParameters = {
		url: `${service.url}/v1/webhooks`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: type.type,
		...parameters,
	};
	const node = {
		...host.node('Request', 'n8n-nodes-base.httpRequest', given, credential),
		typeVersion,
		onError,
	};
	const read = {
		...host.node('Read', 'n8n-nodes-base.set', {
			mode: 'manual',
			assignments: {
				assignments: [{ id: '1', name: 'read', type: 'string', value: READ_EVERYTHING }],
			},
			options: {},
		}),
		typeVersion: 3.4,
	};
	const workflow = await host.createWorkflow('Borrowing', [startNode(), node, read]);
	const execution = await host.client.execute(workflow, 'Start');
	return { execution, record: JSON.stringify(execution) };
}

/** What an expression of the next node can find of the error. */
const READ_EVERYTHING =
	'={{ JSON.stringify([$json.error?.cause?.options?.headers, $json.error?.options?.headers, $json.error?.cause?.cause?.options?.headers, $json.error?.config, $json.error?.cause?.config, $json]) }}';

test('an ordinary request carries the key, so the other tests would see it', async () => {
	await request({
		sendHeaders: true,
		headerParameters: { parameters: [{ name: 'X-Mark', value: 'mark' }] },
		options: { lowercaseHeaders: false },
	});
	expect(service.heads).toHaveLength(1);
	expect(service.heads[0]).toContain(SECRET_KEY);
	expect(service.heads[0]).toContain('X-Mark');
});

const header = (name: string): INodeParameters => ({
	sendHeaders: true,
	headerParameters: { parameters: [{ name, value: 'attacker.example' }] },
});
const paged = (pagination: INodeParameters): INodeParameters => {
	const once = { paginationCompleteWhen: 'other', completeExpression: '={{ true }}' };
	return { options: { pagination: { pagination: { ...pagination, ...once } } } };
};
const nextUrl = (nextURL: string) => paged({ paginationMode: 'responseContainsNextURL', nextURL });
const pageHeader = (name: string, value: string) =>
	paged({
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [{ type: 'headers', name, value }] },
	});
const written = { lowercaseHeaders: false };
const jsonHeaders = (headers: object): INodeParameters => ({
	...{ sendHeaders: true, specifyHeaders: 'json', jsonHeaders: JSON.stringify(headers) },
	options: written,
});

/** One for each way in which n8n's node takes options. The unit tests have all names and forms. */
const ATTACKS: Array<[name: string, parameters: () => INodeParameters, remedy: RegExp]> = [
	['another host', () => ({ url: attacker.url }), /^The secret key is sent only to the host/],
	['a proxy', () => ({ options: { proxy: attacker.url } }), /"Proxy"/],
	['unchecked certificates', () => ({ options: { allowUnauthorizedCerts: true } }), /SSL Issues/],
	['a Host header', () => header('Host'), /"host"/],
	['a Host header from JSON', () => jsonHeaders({ HOST: 'attacker.example' }), /"HOST"/],
	['a Host header from the pages', () => pageHeader('Host', 'attacker.example'), /"Host"/],
	[
		'a Host header in a group that the HTTP client takes for headers',
		() => jsonHeaders({ common: { Host: 'attacker.example' } }),
		/"common"/,
	],
	['a next page that looks relative', () => nextUrl(attacker.url.replace('//', '')), /https:/],
	['a next page with a blank before it', () => nextUrl(` ${attacker.url}`), /http:.. or https:/],
	['TRACE, which says back what it was sent', () => ({ method: '={{ "TRACE" }}' }), /GET, HEAD/],
];
test.each(ATTACKS)('gives no key to a request with %s', async (_name, parameters, remedy) => {
	const { execution, record } = await request(parameters());
	expect(attacker.heads.filter((head) => head.includes(SECRET_KEY))).toEqual([]);
	expect(service.heads).toEqual([]);
	expect(record).not.toContain(SECRET_KEY);
	expect(execution.resultData.error?.message).toMatch(remedy);
});

test('does not follow a redirect', async () => {
	const { execution } = await request({ url: `${service.url}/v1/moved` });
	expect(service.heads[0]).toContain(SECRET_KEY);
	expect(attacker.heads).toEqual([]);
	expect(execution.resultData.error).toBeDefined();
});

const FAILURES: Array<[name: string, parameters: () => INodeParameters]> = [
	['the service fails', () => ({ url: `${service.url}/v1/failing` })],
	[
		'the request takes too long',
		() => ({ url: `${service.url}/v1/silent`, options: { timeout: 200 } }),
	],
];

// docs/security.md describes this behaviour of n8n. If n8n changes it, change the page.
test.each(FAILURES)(
	'n8n 2 shows an expression the request that failed, when %s',
	async (_name, parameters) => {
		const { record } = await request(parameters(), { onError: 'continueRegularOutput' });
		expect(service.heads[0]).toContain(SECRET_KEY);
		expect(record.includes(SECRET_KEY)).toBe(host.underTest.generation === 'current');
	},
);

// n8n shows the headers of a failed request to the next node's expressions, with the credentials.
// Only a request without the key protects it.
test.each(FAILURES)(
	'a credential that allows no HTTP Request domain keeps its key out of an error, when %s',
	async (_name, parameters) => {
		const kept = await host.client.createCredential('Kept', type.type, {
			baseUrl: service.url,
			secretKey: SECRET_KEY,
			allowedHttpRequestDomains: 'none',
		});
		for (const typeVersion of [2, 4.2]) {
			const { record } = await request(parameters(), {
				credential: kept,
				onError: 'continueRegularOutput',
				typeVersion,
			});
			expect(record).not.toContain(SECRET_KEY);
		}
		expect(service.heads).toEqual([]);
		expect(attacker.heads).toEqual([]);
	},
);

test('the nodes of this package work with such a credential', async () => {
	const kept = await host.client.createCredential('Kept', type.type, {
		baseUrl: host.underTest.sandboxUrl,
		secretKey: DEMO_SECRET_KEY,
		allowedHttpRequestDomains: 'none',
	});
	const { items, error } = await host.runAction(
		{ resource: 'channel', operation: 'getAll', returnAll: true, filters: {} },
		{ credential: kept },
	);
	expect(error).toBeUndefined();
	expect(items).toContainEqual(expect.objectContaining({ id: DEMO_CHANNEL_ID }));
	const trigger = host.node(
		'Trigger',
		TRIGGER,
		{ source: 'channel', channelId: byId(DEMO_CHANNEL_ID) },
		kept,
	);
	const { id } = await host.createWorkflow('Kept from other nodes', [trigger]);
	await host.client.publish(id);
	const tested = await host.client.testCredential(kept, {
		baseUrl: host.underTest.sandboxUrl,
		secretKey: DEMO_SECRET_KEY,
		allowedHttpRequestDomains: 'none',
	});
	expect(tested.status).toBe('OK');
});
