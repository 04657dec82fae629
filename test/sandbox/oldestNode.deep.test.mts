import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { nodeOf } from '../../scripts/bootstrap/node24.cjs';
import { DEMO_CHANNEL_ID } from '../../sandbox/seed.mts';
import { clientOf, startReceiver, until } from './helpers.mts';
import { installSandbox } from './installed.mts';
import { addressOf, spawnProgram } from './process.mts';

/** The oldest Node.js that the package supports. Features of newer ones fail here. */
const OLDEST = '22.13.0';
const CUSTOMER = '5500000000101';
const LIMIT_MS = 120_000;

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'sandbox-oldest-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it(
	'the package runs on the oldest supported Node.js without a warning',
	async () => {
		const node = await nodeOf(OLDEST, "the sandbox's package must run on");
		const { program } = await installSandbox(folder);
		const sandbox = spawnProgram([program, '--memory', '--port', '0'], {}, node);
		const receiver = await startReceiver();
		try {
			const client = clientOf(await addressOf(sandbox));
			await client.call(`/v1/channels/${DEMO_CHANNEL_ID}/webhooks`, {
				body: { url: receiver.url, events: ['MESSAGE_RECEIVED', 'MESSAGE_STATUS'], signing: true },
			});
			await client.inbound(CUSTOMER, 'Hello');
			expect((await client.send(CUSTOMER, 'Welcome')).status).toBe(200);
			await until('it is delivered', async () => {
				const { messages } = await client.control<{ messages: Array<{ status: string }> }>(
					'/messages?limit=1',
				);
				return messages[0]?.status === 'DELIVERED';
			});
			// The customer's message, and two states of the business's message.
			await until('all is told', () => receiver.received.length >= 3);
			for (const path of ['/state', '/deliveries', '/message-templates', '/export', '/requests'])
				await client.control(path);
			expect((await client.call('/openapi.json')).status).toBe(200);
			expect(sandbox.output()).not.toMatch(/warning|failed/i);
		} finally {
			sandbox.child.kill('SIGKILL');
			await sandbox.ended;
			await receiver.close();
		}
	},
	LIMIT_MS,
);
