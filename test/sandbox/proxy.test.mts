import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

import { testSandbox } from './deliveryHarness.mts';
import { type Client, startTestSandbox } from './helpers.mts';

const TOKEN = 'token-of-this-test';
const CONTROLLED = ['/_sandbox/state', '/_sandbox/events', '/', '/page/app.js'];

/**
 * A proxy on this machine that sets Host to its upstream, as nginx does, and adds these headers.
 */
async function startProxy(upstream: string, added: IncomingHttpHeaders) {
	const { host } = new URL(upstream);
	const proxy = createServer((incoming, response) => {
		const headers = { ...incoming.headers, host, connection: 'close', ...added };
		const onward = request(
			new URL(incoming.url!, upstream),
			{ method: incoming.method, headers },
			(answer) => {
				response.writeHead(answer.statusCode!, answer.headers);
				answer.pipe(response);
			},
		);
		response.on('close', () => onward.destroy());
		incoming.pipe(onward);
	});
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
		close: () => {
			proxy.closeAllConnections();
			proxy.close();
		},
	};
}

/** Statuses of the routes for this machine only, and of the service. */
async function through(sandbox: Client, added: IncomingHttpHeaders, token?: string) {
	const proxy = await startProxy(sandbox.url, added);
	const own: Record<string, string> = token === undefined ? {} : { 'x-sandbox-token': token };
	const status = async (path: string, method = 'GET', headers: Record<string, string> = own) => {
		const response = await fetch(proxy.url + path, { method, headers });
		const isText = response.headers.get('content-type')?.startsWith('application/json');
		const body = isText ? await response.text() : '';
		await response.body?.cancel().catch(() => undefined);
		return { status: response.status, body };
	};
	try {
		const controlled = [];
		for (const path of CONTROLLED) controlled.push(await status(path));
		controlled.push(await status('/_sandbox/reset', 'POST'));
		const key = { authorization: `Bearer ${sandbox.secretKey}` };
		return { controlled, service: (await status('/v1/channels', 'GET', key)).status };
	} finally {
		proxy.close();
	}
}

const closed = testSandbox();
it.each([
	...['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'],
	...['cf-connecting-ip', 'true-client-ip'],
])('refuses control through a proxy that sends %s, without a token', async (name) => {
	await closed.inbound('5500000000101', 'Kept');
	const { controlled, service } = await through(closed, { [name]: '203.0.113.10' });
	expect(controlled.map(({ status }) => status)).toEqual(controlled.map(() => 403));
	expect(controlled[0]!.body).toContain(
		'To use a proxy, start the sandbox with --host, --allow-host or --token',
	);
	// Its routes need a key anyway.
	expect(service).toBe(200);
	expect((await closed.control<{ messages: unknown[] }>('/messages')).messages).toHaveLength(1);
});

it.each([
	['open', { host: '0.0.0.0', token: TOKEN }],
	['listening to this machine only', { token: TOKEN }],
])('needs its token through a proxy without headers, when it is %s', async (_name, options) => {
	const sandbox = await startTestSandbox(options);
	try {
		const without = await through(sandbox, {});
		const statuses = ({ controlled }: typeof without) => controlled.map(({ status }) => status);
		expect(new Set(statuses(without))).toEqual(new Set([401]));
		const withToken = await through(sandbox, { 'x-forwarded-for': '203.0.113.10' }, TOKEN);
		expect(new Set(statuses(withToken))).toEqual(new Set([200]));
		expect([without.service, withToken.service]).toEqual([200, 200]);
	} finally {
		await sandbox.close();
	}
});
