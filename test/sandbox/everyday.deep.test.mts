/** Everyday customers: a right bot passes, and each rule catches its wrong bot in its scene. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { rehearse } from '#sandbox/cli/rehearse.mts';
import { connect } from '#sandbox/client/index.mts';
import { viewOf } from '#sandbox/everyday/guest.mts';
import { playScenes } from '#sandbox/everyday/play.mts';
import { type Finding, inWords, judge } from '#sandbox/everyday/report.mts';
import { RULES } from '#sandbox/everyday/rules.mts';
import { SCENES } from '#sandbox/everyday/scenes.mts';
import { type Sandbox, startSandbox } from '#sandbox/server.mts';
import { until } from '#scripts/until.mts';
import { startEverydayBot } from './everydayBot.mts';
import { listening } from './helpers.mts';

jest.setTimeout(900_000);
const AT_ONCE = 7;

/** The wrong bots, the rules that they break, and the scenes that show it. */
const WRONG: Array<[flaw: string, rule: string, scene: string]> = [
	['unanswered', 'unanswered', 'odd-words'],
	['untaken', 'untaken', 'without-words'],
	['mixed', 'mixed', 'same-name'],
	['answeredAgain', 'twice', 'again'],
	['repeated', 'twice', 'failed-after'],
	['leak', 'leak', 'without-words'],
	['machine', 'machine', 'machine'],
	['afterStop', 'afterStop', 'stop'],
	['afterWindow', 'afterWindow', 'window'],
	['undeliverable', 'undeliverable', 'without-words'],
	['threeAnswers', 'threeAnswers', 'three-in-a-row'],
	['overColleague', 'overColleague', 'colleague'],
	['silentToVoice', 'silent', 'without-words'],
	['silentToStop', 'silent', 'stop'],
	['silentWhenBusy', 'silent', 'busy'],
	['silentAfterWindow', 'silent', 'window'],
];

let service: Sandbox;
const found = new Map<string | undefined, { findings: Finding[]; words: string }>();

beforeAll(async () => {
	service = await startSandbox();
	const waiting = [undefined, ...WRONG.map(([flaw]) => flaw)];
	const lane = async () => {
		while (waiting.length > 0) await tries(waiting.shift());
	};
	await Promise.all(Array.from({ length: AT_ONCE }, lane));
});
afterAll(() => service?.close());

/** Plays all scenes with a bot that has an account of its own. */
async function tries(flaw: string | undefined): Promise<void> {
	const sandbox = await connect(service.url);
	const channel = await sandbox.account();
	const { webhooks, stop } = await startEverydayBot(channel, flaw);
	const view = await viewOf({
		...{ sandbox, channel, webhooks, openings: ['Hello'] },
		// The bot responds once it has answered, so the end of a delivery is the end of its words.
		...{ within: 30_000, settle: 100 },
	});
	const played = await playScenes(SCENES, view);
	const findings = judge(played, [channel.secretKey]);
	found.set(flaw, { findings, words: inWords({ played, findings, seconds: 1 }) });
	await channel.remove();
	await stop();
}

const seenIn = (findings: Finding[]) =>
	findings.map(({ name, seen }) => [name, ...new Set(seen.map(({ scene }) => scene))]);

test('a right bot passes all scenes without a remark', () => {
	const { words = '', findings = [] } = found.get(undefined) ?? {};
	expect(seenIn(findings)).toEqual([]);
	expect(words).toMatch(
		/^The bot passes: no faults \(✘\) and no remarks \(!\) in \d+ scenes, 1 s\.\n\n✓ one-message: /,
	);
});

test.each(WRONG)('the bot "%s" breaks only the rule "%s", in "%s" alone', (flaw, rule, scene) => {
	expect(seenIn(found.get(flaw)?.findings ?? [])).toEqual([[rule, scene]]);
});

test('each rule has a wrong bot', () => {
	expect(Object.keys(RULES)).toEqual([...new Set(WRONG.map(([, rule]) => rule))]);
});

/** The command, in this process. */
async function runs(...given: string[]): Promise<{ code: number; output: string }> {
	const said: string[] = [];
	const hear = (...[line]: unknown[]) => void said.push(String(line));
	const spies = (['log', 'error'] as const).map((kind) =>
		jest.spyOn(console, kind).mockImplementation(hear),
	);
	const code = await rehearse(['--everyday', ...given]);
	for (const spy of spies) spy.mockRestore();
	return { code, output: said.join('\n') };
}

describe('the command', () => {
	const here = (channelId: string) => ['--url', service.url, '--channel', channelId];

	test('names what will run, plays, reports, writes JUnit, and leaves no customer and no fault', async () => {
		const sandbox = await connect(service.url);
		const channel = await sandbox.account();
		const bot = await startEverydayBot(channel, 'repeated');
		const folder = mkdtempSync(join(tmpdir(), 'everyday-'));
		const [junit, html] = [join(folder, 'junit.xml'), join(folder, 'report.html')];
		const scenes = ['--only', 'one-message', '--only', 'failed-after', '--settle', '500ms'];
		const given = [...here(channel.channelId), ...scenes];
		const asked = await runs(...given);
		expect(asked).toEqual({ code: 2, output: expect.stringContaining('add --yes') as string });
		const files = ['--junit', junit, '--html', html];
		const { code, output } = await runs(...given, '--yes', ...files, '--first', '<b>Good day');
		expect(output).toMatch(
			/^2 scenes with what listens at http:\S+: .+ stay in the sandbox\. Everything else .+ is real/,
		);
		expect(output).toMatch(/^✓ one-message: .+\n✘ failed-after: /m);
		expect(output).toContain('Turn off *Retry On Fail*');
		expect(output).toMatch(/^ +The phone of Customer 2:$/m);
		expect(code).toBe(1);
		expect(readFileSync(junit, 'utf8')).toMatch(/tests="2" failures="1" errors="0"/);
		expect(readFileSync(html, 'utf8')).toMatch(/<h1>The bot does not pass[^]+&lt;b&gt;Good day/);
		expect(readFileSync(html, 'utf8')).not.toMatch(/<script|<b>/);
		expect(await channel.messages()).toEqual([]);
		const { faults } = await sandbox.control<{ faults: unknown[] }>('GET', '/faults');
		expect(faults).toEqual([]);
		await channel.remove();
		await bot.stop();
	});

	test('stops after the first scene if nothing answers, and says what is probably missing', async () => {
		const sandbox = await connect(service.url);
		const channel = await sandbox.account();
		const nothing = await runs(...here(channel.channelId), '--yes');
		expect(nothing.output).toContain('Publish the workflow');
		const bot = await startEverydayBot(channel, 'unanswered');
		const given = [...here(channel.channelId), '--yes', '--first', '...', '--within', '1s'];
		const { code, output } = await runs(...given);
		expect(output).toContain('Nothing answered, so the other scenes were not played.');
		expect([nothing.code, code]).toEqual([2, 1]);
		await channel.remove();
		await bot.stop();
	});

	test.each(['sandbox', 'bot'])('exits with 2 and one sentence if the %s stops', async (which) => {
		const own = await startSandbox();
		const channel = await (await connect(own.url)).account();
		const bot = await startEverydayBot(channel);
		const given = ['--channel', channel.channelId, '--yes', '--only', 'machine'];
		const ended = runs('--url', own.url, ...given);
		await until('an answer', async () => (await channel.messages()).length > 1, 60_000);
		const began = performance.now();
		await (which === 'bot' ? bot.stop() : own.close());
		const { code, output } = await ended;
		expect(output).toMatch(
			/\nThe scene 'machine' broke off: (?:No sandbox listens at http\S+|nothing listens at the webhook URL .+)\. So nothing is judged\./,
		);
		expect(output).not.toContain('✘');
		expect(code).toBe(2);
		expect(performance.now() - began).toBeLessThan(20_000);
		await (which === 'bot' ? own.close() : bot.stop());
	});

	test('asks no answer of a bot that may be silent, and waits for none', async () => {
		const sandbox = await connect(service.url);
		const channel = await sandbox.account();
		const bot = await startEverydayBot(channel, 'unanswered');
		const scenes = ['--only', 'one-message', '--only', 'machine', '--only', 'busy'];
		const given = [...here(channel.channelId), '--yes', '--settle', '200ms', '--first', '...'];
		const began = performance.now();
		const { code, output } = await runs(...given, ...scenes, '--silent');
		expect(output).toContain('no faults (✘) and no remarks (!) in 3 scenes');
		expect(code).toBe(0);
		expect(performance.now() - began).toBeLessThan(15_000);
		await channel.remove();
		await bot.stop();
	});

	test('refuses what is not a sandbox, and a scene that it does not know', async () => {
		const other = await listening(createServer((_, response) => response.end('{}')));
		const { code, output } = await runs('--url', other.url, '--yes');
		expect(output).toContain(`${other.url} is not a sandbox`);
		const unknown = await runs('--url', service.url, '--only', 'nobody');
		expect(unknown.output).toMatch(/no scene 'nobody'\. --only takes one-message, /);
		expect([code, unknown.code]).toEqual([2, 2]);
		await other.close();
	});
});
