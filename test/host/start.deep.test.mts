import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import { capture, cleanEnvironment } from '#scripts/bootstrap/npm.cjs';
import { checkout } from '#scripts/checkout.mts';
import { noteHere, noteOfChoices } from '#scripts/n8n/exampleNotes.mts';
import { freePort } from '#scripts/n8n/processes.mts';
import { exampleNames, readExample } from '#scripts/n8n/provision.mts';
import type { StoredWorkflow } from '#scripts/n8n/types.mts';
import { until } from '#scripts/until.mts';
import { hostUnderTest } from './harness/host.mts';
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
	'--check plays a customer of Auto-Reply and one of the AI agent, shows the conversations and exits with 0',
	async () => {
		const { code, output } = await capture(process.execPath, [...START, '--check'], {
			cwd: checkout,
			env: cleanEnvironment(),
		});
		expect(output).toMatch(/Ana {2}Hello! Are you open on Saturday\?\n {2}n8n {2}Hello Ana!/);
		expect(output).toMatch(
			/Ben {2}Hello! Are you open on Saturday\?\n {2}n8n {2}Hello! I am a \*stand-in\*/,
		);
		expect(code).toBe(0);
	},
	LIMIT_MS,
);

const webhooks = async ({ control }: Started): Promise<Array<{ url: string }>> => {
	const headers = { authorization: `Bearer ${DEMO_SECRET_KEY}` };
	const response = await fetch(`${control.url}/v1/channels/${DEMO_CHANNEL_ID}/webhooks`, {
		headers,
	});
	return (await response.json()) as Array<{ url: string }>;
};

const noteOf = async ({ client }: Started, { id }: StoredWorkflow): Promise<string> =>
	String(noteOfChoices(await client.getWorkflow(id))?.parameters.content);

describe('with the same data', () => {
	let ports: [number, number];
	beforeAll(async () => (ports = [await freePort(), await freePort()]));

	let starts = 0;
	/** Workflows. The user wrote into the note of one. */
	let mine: StoredWorkflow;
	let other: StoredWorkflow;

	/** A credential leads to the stand-in for a model, and the examples have it. */
	async function hasModel(started: Started) {
		const { client, modelPort } = started;
		const url = `http://127.0.0.1:${modelPort}/v1`;
		expect(started.output()).toContain(`${url}\n`);
		const credentials = await client.listCredentials();
		expect(credentials.map(({ name }) => name).sort()).toEqual([
			'Business Messaging account',
			'Stand-In Model',
			'Stand-In Transcription',
		]);
		const model = credentials.find(({ type }) => type === 'openAiApi');
		if (!model) throw new Error('there is no credential for a model');
		const { data } = await client.request<{ data: Record<string, string> }>(
			'GET',
			`/credentials/${model.id}?includeData=true`,
		);
		expect(data.url).toBe(url);
		const tested = { id: model.id, name: model.name, type: model.type };
		expect((await client.testCredential(tested, data)).status).toBe('OK');
		for (const example of ['AI Agent', 'Voice Notes']) {
			const workflow = (await client.listWorkflows()).find(({ name }) => name === example);
			const { nodes } = await client.getWorkflow(workflow?.id ?? '');
			const chat = nodes.find(({ name }) => name === 'Chat Model');
			expect(chat?.credentials?.openAiApi?.id).toBe(model.id);
			expect(JSON.stringify(nodes)).not.toContain('"id":""');
		}
	}

	/** What is true after each start, and after its Ctrl-C. */
	async function hasEverythingOnce(started: Started, [port, sandboxPort]: [number, number]) {
		const workflows = await started.client.listWorkflows();
		expect(workflows.map(({ name }) => name).sort()).toEqual(
			exampleNames(hostUnderTest().generation)
				.map((example) => readExample(example).name)
				.sort(),
		);
		expect(workflows.filter(({ active }) => active).map(({ name }) => name)).toEqual([
			'Auto-Reply',
		]);
		await hasModel(started);
		expect(await webhooks(started)).toEqual([
			expect.objectContaining({
				url: expect.stringContaining(`:${port}/`) as string,
				status: 'ENABLED',
			}),
		]);
		const said = await started.control.messages(DEMO_CHANNEL_ID);
		expect(said.filter(({ customer }) => customer === '5500000000010')).toHaveLength(1);
		expect(await answersTo(started, `551190000100${starts++}`)).toBe(1);
		expect(await started.interrupt()).toBe(0);
		for (const closed of [port, sandboxPort, started.modelPort])
			expect(await isListening(closed)).toBe(false);
	}

	test(
		'n8n’s list begins with Auto-Reply, its address and the next commands are printed, and the notes link to the other pages',
		async () => {
			const started = await npmStart(data, ...ports);
			const { client } = started;
			const listed = await client.request<Array<StoredWorkflow & { updatedAt: string }>>(
				'GET',
				'/workflows',
			);
			const [newest] = listed.sort((one, another) =>
				another.updatedAt.localeCompare(one.updatedAt),
			);
			expect(newest?.name).toBe('Auto-Reply');
			expect(started.output()).toContain(`http://127.0.0.1:${ports[0]}/home/workflows\n`);
			expect(started.output()).toContain(`http://127.0.0.1:${ports[0]}/workflow/${newest?.id}\n`);
			const names = exampleNames(hostUnderTest().generation).map(
				(example) => readExample(example).name,
			);
			const places = {
				sandboxUrl: started.control.url,
				workflows: listed.sort(
					(one, another) => names.indexOf(one.name) - names.indexOf(another.name),
				),
			};
			for (const workflow of listed)
				expect(await noteOf(started, workflow)).toBe(noteHere(workflow.name, places));
			const [first, second] = listed.filter(({ active }) => !active);
			if (!first || !second) throw new Error('nothing was imported');
			[mine, other] = [first, second];
			const changed = await client.getWorkflow(mine.id);
			const note = noteOfChoices(changed);
			if (note) note.parameters.content = 'Mine';
			await client.updateWorkflow(changed);
			const [, rehearse = ''] = /^ +(npm run rehearse .*)$/m.exec(started.output()) ?? [];
			const [, , , , ...parameters] = rehearse.split(' ');
			expect(
				await capture(
					process.execPath,
					['scripts/bootstrap.mjs', 'sandbox/rehearse.mts', ...parameters],
					{ cwd: checkout, env: cleanEnvironment() },
				),
			).toMatchObject({ code: 0, output: expect.stringContaining('1 of 1 passed.') as string });
			const [, messages = ''] = /^ +curl (\S+)$/m.exec(started.output()) ?? [];
			expect(await (await fetch(messages)).json()).toMatchObject({ messages: expect.any(Array) });
			await hasEverythingOnce(started, ports);
		},
		LIMIT_MS,
	);

	test(
		'another start makes nothing twice, and moves the notes to new ports unless the user wrote in them',
		async () => {
			const others: [number, number] = [await freePort(), await freePort()];
			for (const here of [ports, others]) {
				const started = await npmStart(data, ...here);
				expect(started.control.url).toBe(`http://127.0.0.1:${here[1]}`);
				expect(await noteOf(started, mine)).toBe('Mine');
				expect(await noteOf(started, other)).toContain(`[The page](${started.control.url})`);
				await hasEverythingOnce(started, here);
			}
		},
		2 * LIMIT_MS,
	);
});

test(
	'says in one sentence what to do about a taken port',
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
				`Port ${port} for n8n is already in use. Stop the program that uses it, or choose another port with -- --port <number>.`,
			);
			expect(code).toBe(1);
		} finally {
			blocker.close();
		}
	},
	LIMIT_MS,
);
