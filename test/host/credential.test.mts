import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import { freePort } from '../../scripts/n8n/processes.mts';
import type { CredentialTestResult } from '../../scripts/n8n/types.mts';
import { Host } from './harness/host.mts';
import { createTenant } from './harness/tenants.mts';

const host = new Host();
const { sandboxUrl, credential } = host.underTest;

const testWith = async (data: {
	baseUrl?: string;
	secretKey?: string;
}): Promise<CredentialTestResult> =>
	await host.client.testCredential(credential, {
		baseUrl: sandboxUrl,
		secretKey: DEMO_SECRET_KEY,
		...data,
	});

/** Tests the credential against a server that is not the service. */
async function testAgainst(listener: RequestListener): Promise<CredentialTestResult> {
	const server = createServer(listener);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	try {
		return await testWith({
			baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		});
	} finally {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
}

describe('the test of the credential', () => {
	test('succeeds for an accepted key if there are no template webhooks', async () => {
		expect(await host.callService('/v1/webhooks', DEMO_SECRET_KEY)).toEqual([]);
		expect(await testWith({})).toMatchObject({ status: 'OK' });
	});

	test('succeeds for an accepted key if there are template webhooks', async () => {
		const { id } = await host.callService<{ id: string }>('/v1/webhooks', DEMO_SECRET_KEY, {
			method: 'POST',
			body: { url: 'http://127.0.0.1:9/nowhere', events: ['UPDATE_TEMPLATE_STATUS'] },
		});
		try {
			expect(await testWith({})).toMatchObject({ status: 'OK' });
		} finally {
			await host.callService(`/v1/webhooks/${id}`, DEMO_SECRET_KEY, { method: 'DELETE' });
		}
	});

	test.each(['0', 'U', 'F'])(
		'succeeds for a list whose first webhook has only an id of %s',
		async (character) => {
			const list = JSON.stringify([
				{ id: character.repeat(32), url: 'http://127.0.0.1:9/nowhere', events: [] },
			]);
			expect(await testAgainst((_request, response) => response.end(list))).toMatchObject({
				status: 'OK',
			});
		},
	);

	test('accepts slashes at the end of the base URL', async () => {
		expect(await testWith({ baseUrl: `${sandboxUrl}//` })).toMatchObject({ status: 'OK' });
	});

	test('succeeds for an account without the ENTERPRISE role, because it can connect and send', async () => {
		const secretKey = 'sandbox_sk_without-role';
		await createTenant(host, { name: 'Without the role', secretKey, enterprise: false });
		await expect(host.callService('/v1/webhooks', secretKey)).rejects.toThrow('422');
		expect(await testWith({ secretKey })).toMatchObject({ status: 'OK' });
	});

	test('fails for a refused key, and says so', async () => {
		const { status, message } = await testWith({ secretKey: 'sandbox_sk_wrong' });
		expect(status).toBe('Error');
		expect(message).toMatch(/refused the secret key/);
		expect(message).not.toContain('sandbox_sk_wrong');
	});

	test('fails for an unreachable host', async () => {
		const { status, message } = await testWith({ baseUrl: `http://127.0.0.1:${await freePort()}` });
		expect(status).toBe('Error');
		expect(message).not.toContain(DEMO_SECRET_KEY);
	});

	test('fails for another host that responds with an HTML page', async () => {
		const { status, message } = await testAgainst((_request, response) =>
			response.end('<!doctype html><p>Hello'),
		);
		expect(status).toBe('Error');
		expect(message).toMatch(/not the messaging service/);
	});

	// In n8n 1, a declarative test that accepts a 422 sees no other status either. There the nodes
	// report the error when they run.
	const seesStatuses = host.underTest.generation === 'current';
	test.each<[string, RequestListener, RegExp]>([
		[
			'another host that responds 404',
			(_request, response) => response.writeHead(404).end('not here'),
			/not the messaging service/,
		],
		[
			'a redirect',
			(_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
			/not the messaging service/,
		],
		[
			'a service that is down',
			(_request, response) => response.writeHead(503).end(),
			/not available/,
		],
	])(seesStatuses ? 'fails for %s' : 'cannot tell %s', async (_name, listener, words) => {
		const { status, message } = await testAgainst(listener);
		expect(status).toBe(seesStatuses ? 'Error' : 'OK');
		if (seesStatuses) expect(message).toMatch(words);
	});
});
