import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { checkout } from '#scripts/checkout.mts';
import {
	composition,
	dockerfile,
	execForm,
	instructionsOf,
	stagesOf,
} from '../support/containers.mts';
import { addressOf, spawnProgram } from './process.mts';
import { rawCall } from './rawCall.mts';

const TOKEN = 'a-token-of-this-test';

it('starts as in its container, is healthy, and responds under its names', async () => {
	const stage = stagesOf(dockerfile).find(({ name }) => name === 'sandbox')!;
	const [entry] = instructionsOf(stage, 'ENTRYPOINT').map(execForm);
	const [health] = instructionsOf(stage, 'HEALTHCHECK').map(execForm);
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-container-'));
	const data = (word: string) => (word === '/data' ? folder : word);
	const { command = [] } = composition.services.sandbox!;
	const sandbox = spawnProgram(
		[
			...['--import', 'tsx', join(checkout, 'sandbox', 'cli', 'bin.mts')],
			...entry!.slice(2).map(data),
			...command,
			...['--port', '0'],
		],
		{ BUSINESS_MESSAGING_SANDBOX_TOKEN: TOKEN },
	);
	const isHealthy = (url: string) =>
		spawnSync(
			process.execPath,
			health!.slice(1).map((word) => word.replace('http://127.0.0.1:4010/', `${url}/`)),
		).status === 0;
	try {
		const url = await addressOf(sandbox);
		const { port } = new URL(url);
		expect(isHealthy(url)).toBe(true);
		const state = async (host: string, token: string) =>
			(
				await rawCall({
					...{ target: '/_sandbox/state', host, address: '127.0.0.1', port },
					headers: { 'x-sandbox-token': token },
				})
			).status;
		expect(await state('sandbox', TOKEN)).toBe(200);
		expect(await state('sandbox', 'another-token-of-it')).toBe(401);
		expect(await state('elsewhere', TOKEN)).toBe(403);
		sandbox.child.kill('SIGTERM');
		expect(await sandbox.ended).toBe(0);
		expect(isHealthy(url)).toBe(false);
	} finally {
		sandbox.child.kill('SIGKILL');
		await sandbox.ended;
		rmSync(folder, { recursive: true, force: true });
	}
});
