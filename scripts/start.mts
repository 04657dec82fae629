import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { command, readCommandLine } from '../sandbox/core/commandLine.cjs';
import { print } from '../sandbox/print.mts';
import { type Channel, connect } from '../sandbox/client/index.mts';
import { textOf } from '../sandbox/client/messages.mts';
import { DEMO_CHANNEL_ID } from '../sandbox/seed.mts';
import { build } from './build.mts';
import { writeRehearsalSchema } from './buildSandbox.mts';
import { checkout } from './checkout.mts';
import { type Lifetime, runUntilStopped } from './lifetime.mts';
import { parseGeneration } from './n8n/host.mts';
import { installCommunityPackage, type PackageManifest } from './n8n/package.mts';
import { freePort, stopAll } from './n8n/processes.mts';
import { readExample } from './n8n/provision.mts';
import { endedByItself, type Stack, startStack } from './n8n/stack.mts';
import { serve, SERVE_OPTIONS } from './serve.mts';

const START = command({
	name: 'npm start --',
	about:
		'Runs the package: the sandbox, and a real n8n with the built package and a published workflow that replies to customers.',
	options: {
		...SERVE_OPTIONS,
		check: {
			type: 'boolean',
			about:
				'plays a customer of Auto-Reply and one of the AI agent, with a folder and ports of its own, and ends with 0 only if both replies came',
		},
	},
	example: '--port 5679 --sandbox-port 4011 --model-port 4021',
});

/** The example of an AI agent. */
const AGENT = 'ai-agent';

const { values } = readCommandLine(START);

await runUntilStopped(async (life) => {
	if (values.check) await check(life);
	else await serve(values, { install, work: untilOneEnds }, life);
});

async function install(home: string): Promise<PackageManifest> {
	// The rehearsals name it, and it is not in git.
	writeRehearsalSchema(join(checkout, 'sandbox', 'rehearsal'));
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
		const ports = {
			port: await freePort(),
			sandboxPort: await freePort(),
			modelPort: await freePort(),
		};
		const stack = await startStack({ generation, data, ...ports }, install);
		life.isReady = true;
		const channel = await (await connect(stack.sandbox.url)).channel(DEMO_CHANNEL_ID);
		await playCustomer(channel, 'Ana');
		await publishAgent(stack);
		await playCustomer(channel, 'Ben');
		console.log('\nBoth replies came. The package works in this n8n.');
	} finally {
		await stopAll();
		rmSync(data, { recursive: true, force: true });
	}
}

/** Publishes the AI agent in the place of Auto-Reply. */
async function publishAgent({ n8n: { client }, autoReply }: Stack): Promise<void> {
	const { name } = readExample(AGENT);
	const agent = (await client.listWorkflows()).find((workflow) => workflow.name === name);
	await client.unpublish(autoReply.id);
	await client.publish(agent?.id ?? '');
}

async function playCustomer(channel: Channel, name: string): Promise<void> {
	const customer = channel.customer({ name });
	await customer.write('Hello! Are you open on Saturday?');
	await customer.expectMessage("n8n's reply", () => true, { within: '60s' });
	console.log('\nTranscript');
	for (const { direction, content } of await customer.messages())
		print(
			`  ${(direction === 'in' ? name : 'n8n').padEnd(4)} ${(textOf(content) ?? content.type).replaceAll('\n', '\n       ')}`,
		);
}
