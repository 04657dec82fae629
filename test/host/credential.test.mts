import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import { freePort } from '#scripts/n8n/processes.mts';
import type { CredentialTestResult } from '#scripts/n8n/types.mts';
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

const page: RequestListener = (_request, response) => response.end('<!doctype html><p>Hello');

test('succeeds for an accepted key, also with slashes behind the base URL and without the ENTERPRISE role', async () => {
	expect(await testWith({ baseUrl: `${sandboxUrl}//` })).toMatchObject({ status: 'OK' });
	const secretKey = 'sandbox_sk_without-role';
	await createTenant(host, { name: 'Without the role', secretKey, enterprise: false });
	await expect(host.callService('/v1/webhooks', secretKey)).rejects.toThrow('422');
	expect(await testWith({ secretKey })).toMatchObject({ status: 'OK' });
});

test.each(['0', 'U', 'F'])(
	'succeeds for a list whose first webhook has an id of %s',
	async (id) => {
		const list = [{ id: id.repeat(32), url: 'http://127.0.0.1:9/nowhere', events: [] }];
		expect(
			await testAgainst((_request, response) => response.end(JSON.stringify(list))),
		).toMatchObject({ status: 'OK' });
	},
);

test('fails for a refused key, an unreachable host and a page of another host, and shows no key', async () => {
	const unreachable = `http://127.0.0.1:${await freePort()}`;
	const failed = [
		await testWith({ secretKey: 'sandbox_sk_wrong' }),
		await testAgainst(page),
		await testWith({ baseUrl: unreachable }),
	];
	expect(failed).toMatchObject([
		{ status: 'Error', message: expect.stringContaining('refused the secret key') },
		{ status: 'Error', message: expect.stringContaining('not the messaging service') },
		{ status: 'Error' },
	]);
	for (const { message } of failed) expect(message).not.toMatch(/sandbox_sk/);
});

// In n8n 1, a declarative test that accepts a 422 sees no other status either. There the nodes
// report the error when they run.
const seesStatuses = host.underTest.generation === 'current';
test.each<[string, number, RegExp]>([
	['another host that responds 404', 404, /not the messaging service/],
	['a redirect', 302, /not the messaging service/],
	['a service that is down', 503, /not available/],
])(seesStatuses ? 'fails for %s' : 'cannot tell %s', async (_name, code, words) => {
	const { status, message } = await testAgainst((_request, response) =>
		response.writeHead(code, { location: 'http://127.0.0.1:9/' }).end(),
	);
	expect(status).toBe(seesStatuses ? 'Error' : 'OK');
	if (seesStatuses) expect(message).toMatch(words);
});
