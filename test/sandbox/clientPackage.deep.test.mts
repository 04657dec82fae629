import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { capture } from '#scripts/bootstrap/npm.cjs';
import { checkout, tool } from '#scripts/checkout.mts';
import { installTool } from '#scripts/pinned.mts';
import { connect } from '#sandbox/client/index.mts';
import { startSandbox } from '#sandbox/server.mts';
import { type Installed, installSandbox } from './installed.mts';

const LIMIT_MS = 300_000;
jest.setTimeout(LIMIT_MS);
const readme = readFileSync(join(checkout, 'sandbox', 'README.md'), 'utf8');
/** The README's files, by the names in their first lines. */
const examples = new Map(
	[...readme.matchAll(/```js\n\/\/ (\S+)\n([^]*?)```/g)].map(([, name, code]) => [name!, code!]),
);

let folder: string;
let installed: Installed;
let vitest: string;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'sandbox-client-'));
	[installed, vitest] = await Promise.all([
		installSandbox(folder),
		installTool('vitest', { what: 'Vitest', takes: 'ten seconds, 0.1 GB', gigabytes: 0.3 }),
	]);
	sandbox = await startSandbox();
	for (const [name, code] of examples) writeFileSync(join(installed.app, name), code);
}, LIMIT_MS);
afterAll(async () => {
	await sandbox?.close();
	rmSync(folder, { recursive: true, force: true });
});

/** Runs a program in the folder with the installed package, like another project. */
async function run(...parameters: string[]): Promise<{ code: number; output: string }> {
	const { NODE_OPTIONS: _ours, JEST_WORKER_ID: _worker, NODE_ENV: _env, ...env } = process.env;
	return await capture(process.execPath, parameters, {
		cwd: installed.app,
		env: { ...env, SANDBOX_URL: sandbox.url, NO_COLOR: '1' },
	});
}

it('has an example for each runner in the README', () => {
	expect([...examples.keys()]).toEqual([
		...['bot.cjs', 'bot.test.cjs', 'bot.test.mjs', 'node.test.mjs'],
	]);
});

it.each<[string, () => string[], RegExp]>([
	[
		'Jest',
		() => [tool('jest/bin/jest.js'), '--rootDir', '.', '--testMatch', '**/bot.test.cjs'],
		/Tests: +2 passed, 2 total/,
	],
	[
		'Vitest',
		() => [join(vitest, 'node_modules', 'vitest', 'vitest.mjs'), 'run', 'bot.test.mjs'],
		/Tests +2 passed \(2\)/,
	],
	['node:test', () => ['--test', 'node.test.mjs'], /pass 1\n[^]*fail 0\n/],
])("passes the README's example for %s", async (_name, parameters, passed) => {
	const { code, output } = await run(...parameters());
	expect(output).toMatch(passed);
	expect(code).toBe(0);
});

it.each([
	['its conversation', ['conversation.yaml'], /✓ Orders \(conversation\.yaml\)[^]*1 of 1 passed\./],
	['everyday customers', ['--everyday', '--yes', '--settle', '1s'], /The bot passes: no faults/],
])("rehearses %s with the README's bot", async (_what, given, passed) => {
	const [, conversation = ''] = /```yaml\n# conversation\.yaml\n([^]*?)```/.exec(readme) ?? [];
	writeFileSync(join(installed.app, 'conversation.yaml'), conversation);
	const { baseUrl, secretKey, channelId } = await (await connect(sandbox.url)).account();
	const account = { baseUrl, secretKey, channelId };
	const options = ['--url', sandbox.url, '--within', '30s', '--channel', channelId];
	const command = [installed.program, 'rehearse', ...given, ...options];
	const { code, output } = await run(
		'--eval',
		`require('./bot.cjs').startBot(${JSON.stringify(account)}).then((bot) =>
			require('node:child_process')
				.spawn(process.execPath, ${JSON.stringify(command)}, { stdio: 'inherit' })
				.on('close', (code) => { process.exitCode = code; bot.stop(); }));`,
	);
	expect(output).toMatch(passed);
	expect(code).toBe(0);
});

it.each(['mts', 'cts'])(
	'types a .%s file of another project',
	async (extension) => {
		writeFileSync(
			join(installed.app, `typed.${extension}`),
			`import { connect, type Message } from 'business-messaging-sandbox/client';
export async function use(): Promise<Message> {
	const sandbox = await connect('http://127.0.0.1:4010', { within: '1s' });
	const account = await sandbox.account();
	await account.faults.set({ on: 'route', kind: 'latency', ms: 5, every: 2 });
	// @ts-expect-error a latency has no status
	await account.faults.set({ on: 'route', kind: 'latency', status: 5 });
	const { content } = await account.customer().expectTemplate('welcome');
	content.template.name satisfies string;
	// @ts-expect-error not a pattern
	return await account.customer().expectText(5);
}
`,
		);
		const compilerOptions = {
			...{ strict: true, module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'] },
			...{ types: [], noEmit: true },
		};
		writeFileSync(
			join(installed.app, 'tsconfig.json'),
			JSON.stringify({ compilerOptions, files: [`typed.${extension}`] }),
		);
		const { code, output } = await run(tool('typescript/bin/tsc'), '-p', '.');
		expect(output).toBe('');
		expect(code).toBe(0);
	},
	LIMIT_MS,
);
