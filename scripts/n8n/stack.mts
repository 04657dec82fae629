/**
 * The running package: the sandbox, and a real n8n with the package and a published workflow that
 * replies to customers.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { type Model, startModel } from '../../sandbox/model/server.mts';
import { DEMO_CHANNEL_ID, DEMO_CHANNEL_NAME, DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import { ExplainedError } from '../bootstrap/explained.cjs';
import { type Generation, installHost, type N8nHost } from './host.mts';
import { provideNote } from './exampleNotes.mts';
import { signInOwner } from './owner.mts';
import type { PackageManifest } from './package.mts';
import { endOf } from './processes.mts';
import {
	exampleNames,
	provideCredential,
	provideExample,
	provideModelCredentials,
	providePublication,
	readExample,
} from './provision.mts';
import { type RunningSandbox, SandboxControl, startSandbox } from './sandbox.mts';
import { type RunningN8n, startN8n, urlAt } from './server.mts';
import type { Owner, StoredWorkflow } from './types.mts';

/** Schedules and hours are those of this machine, and not of New York, as n8n has them. */
const HERE = { GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone };

/** Whom the examples ask. Those who have not written yet get no question in the chat. */
const COLLEAGUE = {
	...{ channelId: DEMO_CHANNEL_ID, to: '5500000000010', name: 'Colleague' },
	text: 'The examples ask you here. Write something first, which opens the 24-hour window.',
};

export interface Setting {
	generation: Generation;
	/** Folder of everything that is kept between runs. */
	data: string;
	port: number;
	sandboxPort: number;
	modelPort: number;
}

/** Builds the package and installs it into the n8n with this home. */
export type Install = (home: string) => Promise<PackageManifest>;

export interface Stack {
	host: N8nHost;
	/** Replaced by a restart. */
	n8n: RunningN8n;
	owner: Owner;
	sandbox: RunningSandbox;
	/** The stand-in for a language model. It runs in this process. */
	model: Model;
	/** The workflow that is published at the first start. */
	autoReply: StoredWorkflow;
}

/** Starts everything. On existing data, it reuses what is there and changes nothing. */
export async function startStack(setting: Setting, install: Install): Promise<Stack> {
	const { generation, data, port, sandboxPort, modelPort } = setting;
	const home = join(data, `n8n-${generation}`);
	console.log('Building the package ...');
	// At the first start, n8n's packages are still being fetched.
	const [host, { name, version }] = await Promise.all([installHost(generation), install(home)]);
	console.log(`Starting n8n ${host.version} with ${name} ${version}, and the sandbox ...`);
	const service = join(data, 'service');
	const isNew = !existsSync(service);
	const [sandbox, n8n, model] = await Promise.all([
		startSandbox(service, { n8n: urlAt(port), port: sandboxPort }),
		startN8n({ host, home, port, env: HERE }),
		startModel({ port: modelPort }),
	]);
	if (isNew) await new SandboxControl(sandbox.url).post('/_sandbox/from-phone', COLLEAGUE);
	const owner = await signInOwner(n8n);
	const autoReply = await provideWorkflows(generation, n8n, sandbox, model);
	return { host, n8n, owner, sandbox, model, autoReply };
}

/** @returns the workflow that is published at the first start */
async function provideWorkflows(
	generation: Generation,
	n8n: RunningN8n,
	sandbox: RunningSandbox,
	model: Model,
): Promise<StoredWorkflow> {
	const credential = await provideCredential(n8n.client, sandbox.url, DEMO_SECRET_KEY);
	const channel = { id: DEMO_CHANNEL_ID, name: DEMO_CHANNEL_NAME };
	const autoReply = await provideExample(n8n.client, 'auto-reply', credential, channel);
	// The others are for trying one at a time, because together all would reply to the same customer.
	const settings = {
		n8nUrl: `${n8n.url}/`,
		workflowIds: [autoReply.id],
		channelIds: [channel.id],
		transcriptionUrl: `${model.url}/audio/transcriptions`,
	};
	const more = { settings, credentials: await provideModelCredentials(n8n.client, model.url) };
	const examples = exampleNames(generation).filter((example) => example !== 'auto-reply');
	const provided = new Map<string, StoredWorkflow>();
	for (const example of examples)
		provided.set(example, await provideExample(n8n.client, example, credential, channel, more));
	// Last, because n8n lists the last changed workflow first, and users should begin with this one.
	provided.set('auto-reply', autoReply);
	const places = { sandboxUrl: sandbox.url, workflows: [...provided.values()] };
	for (const [example, workflow] of provided)
		await provideNote(n8n.client, workflow, readExample(example), places);
	const active = await providePublication(n8n, autoReply, {
		baseUrl: sandbox.url,
		secretKey: DEMO_SECRET_KEY,
		channelId: channel.id,
	});
	return { ...autoReply, active };
}

/**
 * Restarts n8n at the same address. Workflows and sessions stay, because n8n keeps its signing key
 * in its home.
 *
 * @param meanwhile runs while n8n is down. If it throws, n8n stays down
 */
export async function restartN8n(stack: Stack, meanwhile: () => void): Promise<void> {
	const { host, n8n } = stack;
	await n8n.stop();
	meanwhile();
	const port = Number(new URL(n8n.url).port);
	stack.n8n = await startN8n({ host, home: n8n.home, port, env: HERE });
}

/** The error if n8n or the sandbox ended by itself. */
export function endedByItself({ n8n, sandbox }: Stack): ExplainedError | undefined {
	const ended = Object.entries({ n8n, sandbox }).find(([, program]) => !program.isRunning());
	if (!ended) return undefined;
	const [name, program] = ended;
	return new ExplainedError(
		`The ${name} ended by itself. Its log ends with:\n\n${endOf(program.log())}`,
	);
}
