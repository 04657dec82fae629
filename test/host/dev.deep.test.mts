import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DEMO_CHANNEL_ID } from '../../sandbox/seed.mts';
import { checkout } from '../../scripts/checkout.mts';
import { installHost } from '../../scripts/n8n/host.mts';
import { freePort } from '../../scripts/n8n/processes.mts';
import { until } from '../../scripts/until.mts';
import { hostUnderTest } from './harness/host.mts';
import { provideDatabase } from './harness/newN8n.mts';
import { npmStart, START_LIMIT_MS, type Started, startParameters } from './harness/npmStart.mts';

const TRIGGER = 'nodes/BusinessMessaging/BusinessMessagingTrigger.node.ts';
/** What n8n shows of it, exactly as the file has it. */
const DESCRIPTION = /\bdescription:\s+'[^']*'/;
const LIMIT_MS = 120_000;

let folder: string;
let sources: string;
let ports: [number, number];
let dev: Started;
beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'business-messaging-dev-'));
	// Works on a copy, so that a killed test leaves the checkout intact.
	sources = join(folder, 'sources');
	for (const name of ['package.json', 'tsconfig.json', 'nodes', 'credentials', 'icons'])
		cpSync(join(checkout, name), join(sources, name), { recursive: true });
	symlinkSync(join(checkout, 'node_modules'), join(sources, 'node_modules'), 'junction');
	ports = [await freePort(), await freePort()];
	const command = [...startParameters('scripts/dev.mts'), '--sources', sources];
	const data = join(folder, 'data');
	const { generation } = hostUnderTest();
	await provideDatabase(await installHost(generation), join(data, `n8n-${generation}`));
	dev = await npmStart(data, ...ports, command);
}, START_LIMIT_MS);
afterAll(async () => {
	await dev?.interrupt();
	rmSync(folder, { recursive: true, force: true });
});

const saved = (): string => readFileSync(join(sources, TRIGGER), 'utf8');
const save = (text: string): void => writeFileSync(join(sources, TRIGGER), text);

function saveDescription(description: string): void {
	expect(saved()).toMatch(DESCRIPTION);
	save(saved().replace(DESCRIPTION, `description: '${description}'`));
}

/** Waits until the command prints something that it had not printed before `work`. */
async function says(sentence: string, work: () => void): Promise<void> {
	const before = dev.output().length;
	work();
	await until(`"${sentence}"`, () => dev.output().slice(before).includes(sentence), LIMIT_MS);
}

/** What n8n shows of the trigger, if n8n is up. */
async function servedDescription(): Promise<string | undefined> {
	const types = await dev.client.nodeTypeDescriptions().catch(() => []);
	return types.find(({ name }) => name.endsWith('.businessMessagingTrigger'))?.description;
}

const served = async (description: string): Promise<void> =>
	void (await until(
		`n8n to serve '${description}'`,
		async () => (await servedDescription()) === description,
		LIMIT_MS,
	));

const startsOf = (log: string, line: string): number =>
	readFileSync(join(folder, 'data', log), 'utf8').split(line).length - 1;

test(
	'serves a saved text to the same session, keeps workflows published and the sandbox running',
	async () => {
		const { session } = dev.client;
		const before = await dev.client.listWorkflows();
		expect(before.filter(({ active }) => active)).toHaveLength(1);
		saveDescription('Said otherwise');
		await served('Said otherwise');
		expect(await dev.client.listWorkflows()).toEqual(before);
		expect(dev.client.session).toBe(session);
		await dev.control.customerWrites({
			channelId: DEMO_CHANNEL_ID,
			from: '5511900001234',
			name: 'Ana',
			text: 'Hello',
		});
		await until(
			'the reply',
			async () =>
				(await dev.control.messages(DEMO_CHANNEL_ID)).some(({ direction }) => direction === 'out'),
			30_000,
		);
		expect(startsOf('service/sandbox.log', 'Sandbox ready at')).toBe(1);
	},
	2 * LIMIT_MS,
);

test(
	'shows what is wrong, and n8n keeps the last build',
	async () => {
		const right = saved();
		await says('n8n keeps the last build. Build failed', () => save(`${right}\nconst = 1;`));
		await says('n8n keeps the last build. Not to be loaded', () =>
			save(`${right}\nthrow new Error('Not to be loaded');`),
		);
		await says("error TS2322: Type 'string' is not assignable", () =>
			save(`${right}\nexport const wrong: number = 'text';`),
		);
		expect(await servedDescription()).toBe('Said otherwise');
		await says('Types: no errors', () => save(right));
	},
	5 * LIMIT_MS,
);

test(
	'restarts once for several saves, and leaves nothing listening after Ctrl-C',
	async () => {
		const startsBefore = dev.output().split('n8n has it').length;
		for (const round of [1, 2, 3]) saveDescription(`Round ${round}`);
		await served('Round 3');
		await until(
			'the next look',
			() => dev.output().split('n8n has it').length > startsBefore,
			LIMIT_MS,
		);
		expect(dev.output().split('n8n has it')).toHaveLength(startsBefore + 1);
		expect(await dev.interrupt()).toBe(0);
		for (const port of ports)
			await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
	},
	2 * LIMIT_MS,
);
