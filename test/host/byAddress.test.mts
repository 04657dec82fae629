/** The tests for an n8n that is known by its address alone, in one that runs: the shared one. */
import { capture } from '../../scripts/bootstrap/npm.cjs';
import { API_KEY_VARIABLE } from '../../scripts/n8n/host.mts';
import { checkout } from '../../scripts/checkout.mts';
import { Host } from './harness/host.mts';

const host = new Host();

/** Runs the host tests by address, those whose name matches. */
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

// The public API of n8n 1 takes this credential's values only with those of n8n's own fields, and changes none.
if (host.underTest.generation === 'current')
	test('with its address and an API key, the tests run in it: sending, receiving, files and examples', async () => {
		const { id, rawApiKey } = await createApiKey();
		try {
			const chosen = [
				'Retry On Fail: the 7th of 10 items',
				'the Retry of the executions list',
				'TEMPLATE leaves n8n',
				'Download Attachments gets files',
				'what a customer writes starts',
				'whoever reads the list cannot find',
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

test('without a key, and with one that n8n does not know, it says so', async () => {
	const without = await runTests('x', undefined);
	expect(without.output).toContain('--n8n-url needs an API key');
	expect(without.code).toBe(1);
	const unknown = await runTests('x', 'unknown');
	expect(unknown.output).toMatch(/n8n answered POST \/credentials with 401/);
	expect(unknown.code).toBe(1);
}, 120_000);
