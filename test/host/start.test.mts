import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import { capture, cleanEnvironment } from '../../scripts/bootstrap/npm.cjs';
import { checkout } from '../../scripts/checkout.mts';
import { freePort } from '../../scripts/n8n/processes.mts';
import { exampleNames, readExample } from '../../scripts/n8n/provision.mts';
import { until } from '../../scripts/until.mts';
import {
	npmStart,
	START_LIMIT_MS as LIMIT_MS,
	type Started,
	startParameters,
} from './harness/npmStart.mts';

const START = startParameters();

let data = '';
beforeAll(() => (data = mkdtempSync(join(tmpdir(), 'business-messaging-start-'))));
afterAll(() => rmSync(data, { recursive: true, force: true }));

async function isListening(port: number): Promise<boolean> {
	return await fetch(`http://127.0.0.1:${port}/`).then(
		() => true,
		() => false,
	);
}

async function answersTo({ control }: Started, customer: string): Promise<number> {
	await control.customerWrites({
		channelId: DEMO_CHANNEL_ID,
		from: customer,
		name: 'Ana',
		text: 'Hello',
	});
	const answers = async (): Promise<number> =>
		(await control.messages(DEMO_CHANNEL_ID)).filter(
			(message) => message.customer === customer && message.direction === 'out',
		).length;
	return await until('the answer', answers, 30_000);
}

test(
	'--check plays a customer, shows the conversation and ends with 0',
	async () => {
		const { code, output } = await capture(process.execPath, [...START, '--check'], {
			cwd: checkout,
			env: cleanEnvironment(),
		});
		expect(output).toMatch(/Ana {2}Hello! Are you open on Saturday\?\n {2}n8n {2}Hello Ana!/);
		expect(code).toBe(0);
	},
	LIMIT_MS,
);

test(
	'starting again on the same data makes nothing twice, on other ports too, and Ctrl-C leaves nothing listening',
	async () => {
		const webhooks = async ({ control }: Started): Promise<Array<{ url: string }>> => {
			const headers = { authorization: `Bearer ${DEMO_SECRET_KEY}` };
			const response = await fetch(`${control.url}/v1/channels/${DEMO_CHANNEL_ID}/webhooks`, {
				headers,
			});
			return (await response.json()) as Array<{ url: string }>;
		};
		const first = [await freePort(), await freePort()] as const;
		const second = [await freePort(), await freePort()] as const;
		for (const [round, [port, sandboxPort]] of [first, first, second].entries()) {
			const started = await npmStart(data, port, sandboxPort);
			const workflows = await started.client.listWorkflows();
			expect(workflows.map(({ name }) => name).sort()).toEqual(
				exampleNames()
					.map((example) => readExample(example).name)
					.sort(),
			);
			expect(workflows.filter(({ active }) => active).map(({ name }) => name)).toEqual([
				'Auto-Reply',
			]);
			expect(await started.client.listCredentials()).toHaveLength(1);
			expect(await webhooks(started)).toEqual([
				expect.objectContaining({
					url: expect.stringContaining(`:${port}/`) as string,
					status: 'ENABLED',
				}),
			]);
			expect(await answersTo(started, `551190000100${round}`)).toBe(1);
			expect(await started.interrupt()).toBe(0);
			expect([await isListening(port), await isListening(sandboxPort)]).toEqual([false, false]);
		}
	},
	3 * LIMIT_MS,
);

test(
	'a taken port is one sentence that says what to do',
	async () => {
		const blocker = createServer();
		const port = await new Promise<number>((resolve) =>
			blocker.listen(0, '127.0.0.1', () => resolve((blocker.address() as { port: number }).port)),
		);
		try {
			const { code, output } = await capture(process.execPath, [...START, '--port', String(port)], {
				cwd: checkout,
				env: cleanEnvironment(),
			});
			expect(output.trim()).toBe(
				`Port ${port}, wanted for n8n, is taken: stop what uses it, or choose another one with -- --port <number>.`,
			);
			expect(code).toBe(1);
		} finally {
			blocker.close();
		}
	},
	LIMIT_MS,
);
