/**
 * The package at work: the sandbox, and a real n8n with the built package and a published workflow that replies to customers.
 *
 *     npm start [-- --check] [--port 5678] [--sandbox-port 4010] [--data .sandbox] [--n8n current|oldest]
 *
 * State is kept in the data folder between runs. `--check` uses a folder and ports of its own, plays one customer message and ends with 0
 * only if the reply came.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { summaryOf } from '../sandbox/store/content.mts';
import { DEMO_CHANNEL_ID } from '../sandbox/seed.mts';
import { build } from './build.mts';
import { type Lifetime, runUntilStopped } from './lifetime.mts';
import { parseGeneration } from './n8n/host.mts';
import { installCommunityPackage, type PackageManifest } from './n8n/package.mts';
import { freePort, stopAll } from './n8n/processes.mts';
import { SandboxControl, type SandboxMessage } from './n8n/sandbox.mts';
import { endedByItself, type Stack, startStack } from './n8n/stack.mts';
import { SERVE_OPTIONS, serve } from './serve.mts';
import { until } from './until.mts';

const REPLY_LIMIT_MS = 30_000;

const { values } = parseArgs({
	options: { ...SERVE_OPTIONS, check: { type: 'boolean', default: false } },
});

await runUntilStopped(async (life) => {
	if (values.check) await check(life);
	else await serve(values, { install, work: untilOneEnds }, life);
});

async function install(home: string): Promise<PackageManifest> {
	await build();
	return await installCommunityPackage(home);
}

async function untilOneEnds(stack: Stack): Promise<void> {
	await Promise.race([stack.n8n.ended, stack.sandbox.ended]);
	const failure = endedByItself(stack);
	if (failure) throw failure;
}

async function check(life: Lifetime): Promise<void> {
	const data = mkdtempSync(join(tmpdir(), 'business-messaging-check-'));
	try {
		const generation = parseGeneration(values.n8n);
		const ports = { port: await freePort(), sandboxPort: await freePort() };
		const { sandbox } = await startStack({ generation, data, ...ports }, install);
		life.isReady = true;
		await playCustomer(new SandboxControl(sandbox.url));
	} finally {
		await stopAll();
		rmSync(data, { recursive: true, force: true });
	}
}

async function playCustomer(control: SandboxControl): Promise<void> {
	const customer = { from: '5511900001234', name: 'Ana' };
	await control.customerWrites({
		channelId: DEMO_CHANNEL_ID,
		...customer,
		text: 'Hello! Are you open on Saturday?',
	});
	const conversation = async (): Promise<SandboxMessage[]> =>
		(await control.messages(DEMO_CHANNEL_ID)).filter(
			(message) => message.customer === customer.from,
		);
	const messages = await until(
		"n8n's reply to reach the customer",
		async () => {
			const now = await conversation();
			return now.some(({ direction }) => direction === 'out') && now;
		},
		REPLY_LIMIT_MS,
	);
	console.log('\nTranscript');
	for (const { direction, content } of messages)
		console.log(
			`  ${(direction === 'in' ? customer.name : 'n8n').padEnd(4)} ${summaryOf(content)}`,
		);
	console.log('\nThe reply came: the package works in this n8n.');
}
