/** The command in its own process, and its JSON Schema. */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

import { rehearsalJsonSchema } from '#sandbox/rehearsal/jsonSchema.mts';
import { parseScript } from '#sandbox/rehearsal/parse.mts';
import { junit, type Outcome } from '#sandbox/rehearsal/report.mts';
import { checkout } from '#scripts/checkout.mts';
import { startTestSandbox } from './helpers.mts';
import { type Bot, startBot, text } from './playedBot.mts';
import { spawnProgram } from './process.mts';

const LIMIT_MS = 60_000;
jest.setTimeout(LIMIT_MS);
const GREEN = `name: Green & good
customers: { ana: { name: Ana } }
steps:
  - ana: writes Hello
  - ana: gets You said Hello
`;

let service: Awaited<ReturnType<typeof startTestSandbox>>;
let bot: Bot;
let folder: string;
beforeAll(async () => {
	service = await startTestSandbox();
	bot = await startBot(service.url, ({ text: said }) => {
		if (said === 'Steer') return [text('copied \u001b]52;c;eA==\u0007\n::error::x')];
		if (said === 'Twice') return [text('Well'), text('Well')];
		return [text(`You said ${said}`)];
	});
	folder = mkdtempSync(join(tmpdir(), 'rehearse-'));
});
afterAll(async () => {
	await bot?.stop();
	await service?.close();
	rmSync(folder, { recursive: true, force: true });
});

function script(name: string, content: string): string {
	writeFileSync(join(folder, name), content);
	return join(folder, name);
}

/** @param env has the addresses of the sandbox and the channel, unless the options have them */
async function rehearse(
	parameters: string[],
	env: NodeJS.ProcessEnv = {
		BUSINESS_MESSAGING_SANDBOX_URL: service.url,
		BUSINESS_MESSAGING_SANDBOX_CHANNEL: bot.account.channelId,
	},
): Promise<{ code: unknown; output: string }> {
	const bin = join(checkout, 'sandbox', 'cli', 'bin.mts');
	const { ended, output } = spawnProgram(['--import', 'tsx', bin, 'rehearse', ...parameters], env);
	return { code: await ended, output: output().replaceAll(`${folder}/`, '') };
}

it('plays several scripts side by side, prints each result, and exits with 0, or 1 if one failed', async () => {
	const green = script('green.yaml', GREEN);
	const steps = GREEN.replace('writes Hello', 'writes Twice').replace('You said Hello', 'Well');
	const twice = script('twice.yaml', steps.replace('Green & good', 'Twice'));
	const where = ['--url', service.url, '--channel', bot.account.channelId];
	const times = ['--within', '20s', '--settle', '1500ms'];
	const file = ['--junit', join(folder, 'junit.xml')];
	const both = await rehearse([green, twice, ...where, ...times, ...file], {});
	expect(both.output).toMatch(/^✓ Green & good \(green\.yaml\), [\d.]+ s$/m);
	expect(both.output).toContain(
		"  unexpected: the same answer twice to Ana: 'Well'\n\n  The chat of Ana (",
	);
	expect(both.output).toMatch(/^ {2}! [\d:.]+ {2}business {2}Well \(came twice\)$/m);
	expect(both.output).toContain('\n1 of 2 passed.');
	expect(both.code).toBe(1);
	const xml = readFileSync(join(folder, 'junit.xml'), 'utf8');
	expect(xml).toContain('<testsuite name="Rehearsals" tests="2" failures="1" errors="0"');
	expect(xml).toContain('<testcase name="Green &amp; good"');
	const chats = `/conversations?channelId=${bot.account.channelId}`;
	// Of the failed script nobody is left.
	expect((await service.control<{ conversations: [] }>(chats)).conversations).toHaveLength(1);
	expect(await rehearse([green])).toMatchObject({ code: 0 });
});

it("shows what steers a terminal or a build server, in the bot's words and in the script's", async () => {
	const steering = GREEN.replace('Green & good', '"::error::named\\e[2J"');
	const { code, output } = await rehearse([
		script('steering.yaml', steering.replace('You said Hello', 'Something else')),
		script('steered.yaml', GREEN.replace('writes Hello', 'writes Steer')),
		...['--within', '50ms'],
	]);
	expect(code).toBe(1);
	expect(output).toContain(String.raw`✗ ::error::named\x1b[2J (steering.yaml)`);
	expect(output).toContain(String.raw`copied \x1b]52;c;eA==\x07`);
	expect(output).toMatch(/^ +\\::error::x/m);
	expect(output).not.toMatch(/^\s*::/m);
	expect(output.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

/** Parameters, with the script that they name. */
it.each<[string, string[], string, RegExp]>([
	['no script', [], '', /^Give the file of a script to rehearse\. See rehearse --help\.$/],
	['a missing file', ['nowhere.yaml'], '', /^nowhere\.yaml cannot be read: ENOENT/],
	['a script without steps', ['a.yaml'], 'name: x\n', /^a\.yaml:1: steps: is missing$/],
	['an unknown channel', ['a.yaml', '--channel', 'f'], GREEN, /^The sandbox has no channel f+$/],
	[
		'an address where nothing listens',
		['a.yaml', '--url', 'http://127.0.0.1:1'],
		GREEN,
		/^No sandbox listens at http:\/\/127\.0\.0\.1:1 within 10 s\. .* --url\.$/,
	],
	[
		'the address of another program',
		['a.yaml', '--url', '<sandbox>/page/app.js?'],
		GREEN,
		/app\.js\? is not a sandbox\. .* --url\.$/,
	],
	[
		'a script that needs a person',
		['a.yaml'],
		`${GREEN}  - manually: Look\n`,
		/asks a person to do something\. Play it in a terminal/,
	],
])('exits with 2 and one sentence for %s', async (_name, parameters, content, sentence) => {
	if (content !== '') script('a.yaml', content);
	const given = parameters.map((one) =>
		one === 'a.yaml' ? join(folder, one) : one.replace('<sandbox>', service.url),
	);
	const { code, output } = await rehearse(given);
	expect(output.trim()).toMatch(sentence);
	expect(code).toBe(2);
});

it('reports an aborted script as a JUnit error, and replaces characters that XML forbids', () => {
	const outcome: Outcome = {
		...{ file: 'a.yaml', name: 'A "script"', seconds: 1.5, problems: [], newcomers: [] },
		...{ transcripts: ['Ana: <b>\u0000\ud800]]> 🙂'], broken: 'no\nway' },
	};
	expect(junit([outcome]).split('\n')).toEqual([
		'<?xml version="1.0" encoding="UTF-8"?>',
		'<testsuites name="Rehearsals" tests="1" failures="0" errors="1" time="1.500">',
		'\t<testsuite name="Rehearsals" tests="1" failures="0" errors="1" time="1.500">',
		'\t\t<testcase name="A &quot;script&quot;" classname="a.yaml" file="a.yaml" time="1.500">',
		'\t\t\t<error message="could not go on: no&#10;way">could not go on: no&#10;way&#10;&#10;Ana: &lt;b&gt;\ufffd\ufffd]]&gt; 🙂</error>',
		'\t\t</testcase>',
		'\t</testsuite>',
		'</testsuites>',
		'',
	]);
});

describe('the JSON Schema for editors', () => {
	let isValid: ValidateFunction;
	beforeAll(() => {
		isValid = new Ajv2020({ strict: false }).compile(rehearsalJsonSchema());
	});

	it.each([
		...globSync('workflows/rehearsals/*.yaml', { cwd: checkout }),
		'sandbox/docs/rehearsal.md',
	])('accepts %s, as the command does', (file) => {
		const content = readFileSync(join(checkout, file), 'utf8');
		const blocks = [...content.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, block]) => block!);
		for (const conversation of file.endsWith('.md') ? blocks : [content]) {
			expect(() => parseScript(conversation, file)).not.toThrow();
			isValid(parse(conversation));
			expect(isValid.errors).toBeNull();
		}
		expect(blocks).toHaveLength(file.endsWith('.md') ? 1 : 0);
	});

	it.each([
		'- ana: shouts Hello',
		'- ana: { getz: Hello }',
		'- ana: { writes: 5 }',
		'- ana: { gets: { containsNone: x } }',
		'- faults: { on: route, kind: status }',
		'- together: []',
		'- business: { writes: x }',
	])('marks %s', (step) => {
		expect(isValid(parse(`name: x\nsteps:\n  ${step}`))).toBe(false);
	});
});
