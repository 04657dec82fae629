import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import { startSandbox } from '#sandbox/server.mts';
import { clientOf, startTestSandbox } from './helpers.mts';

const OPEN = { host: '0.0.0.0' };

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'sandbox-key-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Whether a key is accepted. */
const takes = async (
	{ call }: Pick<ReturnType<typeof clientOf>, 'call'>,
	key: string | null,
): Promise<boolean> => (await call('/v1/channels', { key })).status === 200;

it.each([
	{ host: '0.0.0.0' },
	{ allowHosts: ['sandbox.example'] },
	// Others call it through a proxy under the name of this machine.
	{ token: 'token-of-this-test' },
])('an open sandbox accepts only a random key: %j', async (options) => {
	const [sandbox, other] = [await startTestSandbox(options), await startTestSandbox(options)];
	try {
		expect(sandbox.secretKey).toMatch(/^sandbox_sk_[\w-]{32}$/);
		expect(sandbox.secretKey).not.toBe(other.secretKey);
		expect(await takes(sandbox, sandbox.secretKey)).toBe(true);
		expect(await takes(sandbox, DEMO_SECRET_KEY)).toBe(false);
		expect(await sandbox.control('/state')).toMatchObject({ demoSecretKey: sandbox.secretKey });
	} finally {
		await sandbox.close();
		await other.close();
	}
});

it('keeps its key over restarts and resets', async () => {
	const dataFile = join(folder, 'data.sqlite');
	const first = await startTestSandbox({ ...OPEN, dataFile });
	await first.control('/reset', { body: { demo: false } });
	expect(await first.control('/state')).toMatchObject({ demoSecretKey: null });
	await first.control('/reset', { body: {} });
	await first.close();
	for (const options of [OPEN, {}]) {
		const again = await startTestSandbox({ ...options, dataFile });
		try {
			expect(again.secretKey).toBe(first.secretKey);
			expect(await takes(again, first.secretKey)).toBe(true);
			expect(await takes(again, DEMO_SECRET_KEY)).toBe(false);
		} finally {
			await again.close();
		}
	}
});

it('replaces the published key when a closed state is opened', async () => {
	const dataFile = join(folder, 'data.sqlite');
	const own = await startTestSandbox({ dataFile });
	await own.close();
	const opened = await startSandbox({ ...OPEN, dataFile });
	const { demoSecretKey: secretKey, token } = opened;
	const client = clientOf(opened.url, { secretKey, token });
	try {
		expect(await takes(client, DEMO_SECRET_KEY)).toBe(false);
		expect(await takes(client, secretKey)).toBe(true);
	} finally {
		await opened.close();
	}
});
