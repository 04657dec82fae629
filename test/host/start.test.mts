import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import { capture, cleanEnvironment } from '../../scripts/bootstrap/npm.cjs';
import { checkout } from '../../scripts/checkout.mts';
import { noteHere, noteOfChoices } from '../../scripts/n8n/exampleNotes.mts';
import { freePort } from '../../scripts/n8n/processes.mts';
import { exampleNames, readExample } from '../../scripts/n8n/provision.mts';
import type { StoredWorkflow } from '../../scripts/n8n/types.mts';
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

const webhooks = async ({ control }: Started): Promise<Array<{ url: string }>> => {
	const headers = { authorization: `Bearer ${DEMO_SECRET_KEY}` };
	const response = await fetch(`${control.url}/v1/channels/${DEMO_CHANNEL_ID}/webhooks`, {
		headers,
	});
	return (await response.json()) as Array<{ url: string }>;
};

const noteOf = async ({ client }: Started, { id }: StoredWorkflow): Promise<string> =>
	String(noteOfChoices(await client.getWorkflow(id))?.parameters.content);

describe('on the same data', () => {
	let ports: [number, number];
	beforeAll(async () => (ports = [await freePort(), await freePort()]));

	let starts = 0;
	/** Workflows of which the user wrote into the note of one. */
	let mine: StoredWorkflow;
	let other: StoredWorkflow;

	/** What holds after each start, and after its Ctrl-C. */
	async function hasEverythingOnce(started: Started, [port, sandboxPort]: [number, number]) {
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
		expect(await answersTo(started, `551190000100${starts++}`)).toBe(1);
		expect(await started.interrupt()).toBe(0);
		expect([await isListening(port), await isListening(sandboxPort)]).toEqual([false, false]);
	}

	test(
		'Auto-Reply stands first in n8n’s list, its address is printed, and the notes link to where things are',
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
			const names = exampleNames().map((example) => readExample(example).name);
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
			await hasEverythingOnce(started, ports);
		},
		LIMIT_MS,
	);

	test(
		'starting again makes nothing twice, on other ports too, where the notes lead there, but for one that the user wrote into',
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
