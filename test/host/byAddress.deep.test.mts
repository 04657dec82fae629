/** Runs the tests for an n8n that is known by its address alone. Here it is the shared n8n. */
import { capture } from '../../scripts/bootstrap/npm.cjs';
import { API_KEY_VARIABLE } from '../../scripts/n8n/host.mts';
import { checkout } from '../../scripts/checkout.mts';
import { Host } from './harness/host.mts';

const host = new Host();

/** Runs the host tests by address whose name matches. */
const runTests = async (pattern: string, apiKey: string | undefined) =>
	await capture(
		process.execPath,
		[
			...['--import', 'tsx', 'scripts/test.mts', 'host'],
			...['--n8n-url', host.underTest.n8nUrl, '--', '--testNamePattern', pattern],
		],
		{
			cwd: checkout,
			env: { ...process.env, TEST_HOST: undefined, [API_KEY_VARIABLE]: apiKey },
		},
	);

async function createApiKey(): Promise<{ id: string; rawApiKey: string }> {
	const scopes = await host.client.request<string[]>('GET', '/api-keys/scopes');
	return await host.client.request('POST', '/api-keys', {
		...{ label: 'Tests by address', scopes, expiresAt: null },
	});
}

// The public API of n8n 1 takes this credential's values only together with n8n's own fields, and
// cannot change them.
if (host.underTest.generation === 'current')
	test('run in an n8n with its address and an API key: sending, receiving and files', async () => {
		const { id, rawApiKey } = await createApiKey();
		try {
			const chosen = [
				'the Retry of the executions list',
				'TEMPLATE leaves n8n',
				'Download Attachments gets files',
				"a customer's message starts one execution",
			];
			const { code, output } = await runTests(chosen.join('|'), rawApiKey);
			expect(output).toMatch(/^host +\d+ passed +0 failed/m);
			const [, passed] = /^host +(\d+) passed/m.exec(output) ?? [];
			expect(Number(passed)).toBeGreaterThanOrEqual(chosen.length);
			expect(code).toBe(0);
		} finally {
			await host.client.request('DELETE', `/api-keys/${id}`);
		}
	}, 300_000);

test('fail with the reason without an API key, or with an unknown one', async () => {
	const without = await runTests('x', undefined);
	expect(without.output).toContain('--n8n-url needs an API key');
	expect(without.code).toBe(1);
	const unknown = await runTests('x', 'unknown');
	expect(unknown.output).toMatch(/n8n answered POST \/credentials with 401/);
	expect(unknown.code).toBe(1);
}, 120_000);
