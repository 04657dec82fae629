/** Judges that are commands: what they get, and what is made of what they do. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { commandJudge } from '../../sandbox/rehearsal/judge/command.mts';
import { JudgeError, type Question } from '../../sandbox/rehearsal/judge/judge.mts';
import { checkout } from '../../scripts/checkout.mts';
import { startReceiver, until } from './helpers.mts';
import { isAlive } from './process.mts';

jest.setTimeout(60_000);

const QUESTION: Question = {
	expectation: "refuses, and says 'sorry'",
	customer: 'Ana',
	conversation: [
		{ from: 'customer', text: 'A refund!\n$(touch pwned) `x`' },
		{ from: 'workflow', text: 'Sorry, no. ñ🙂' },
	],
};

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'judge-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let scripts = 0;
/** A command that runs this code. */
function script(code: string): string {
	scripts += 1;
	const file = join(folder, `judge${scripts}.cjs`);
	writeFileSync(file, code);
	return `"${process.execPath}" "${file}"`;
}
const asked = async (code: string, limit?: number, question = QUESTION) =>
	await commandJudge(script(code), limit).judge(question);

const YES = `console.log('{"yes": true, "reason": "it does"}');`;

it('gets the question on its input, and its verdict is taken', async () => {
	const file = join(folder, 'question.json');
	const verdict = await asked(
		`const { readFileSync, writeFileSync } = require('node:fs');
		writeFileSync(${JSON.stringify(file)}, JSON.stringify({ ...JSON.parse(readFileSync(0)), argv: process.argv.slice(2) }));
		console.log(JSON.stringify({ yes: false, reason: 'it\\nonly \\u001b[31mapologises', sure: 1 }));`,
	);
	expect(verdict).toEqual({ yes: false, reason: 'it only [31mapologises' });
	expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...QUESTION, argv: [] });
});

it('need not read a long question', async () => {
	const conversation = [{ from: 'customer' as const, text: 'x'.repeat(5_000_000) }];
	const question = { ...QUESTION, conversation };
	const verdict = await asked(`process.stdin.destroy();${YES}`, undefined, question);
	expect(verdict).toEqual({ yes: true, reason: 'it does' });
});

it("gets the environment without the sandbox's and n8n's variables", async () => {
	const secrets = {
		...{ BUSINESS_MESSAGING_PROBE_KEY: 'sk_1', N8N_ENCRYPTION_KEY: 'sk_2' },
		...{ DB_POSTGRESDB_PASSWORD: 'sk_3', QUEUE_BULL_REDIS_PASSWORD: 'sk_4', MODEL_KEY: 'mine' },
	};
	Object.assign(process.env, secrets);
	try {
		const { reason } = await asked(
			`console.log(JSON.stringify({ yes: true, reason: Object.values(process.env).filter((value) => value.startsWith('sk_') || value === 'mine').join() }));`,
		);
		expect(reason).toBe('mine');
	} finally {
		for (const name of Object.keys(secrets)) delete process.env[name];
	}
});

const BY_HAND = /\. Try the command by hand: sandbox\/docs\/free-words\.md/;
const NO = `${YES} console.error('no such model'); process.exitCode = 3;`;
const ENDLESS = `const more = () => process.stdout.write('{'.repeat(10_000), more); more();`;
it.each<[string, string, RegExp]>([
	['ends with an error', NO, /^The judge ended with exit code 3: no such model\./],
	[
		'is ended',
		`${YES} process.kill(process.pid, 'SIGKILL');`,
		/^The judge (?:was ended by SIGKILL|ended with exit code 137)/,
	],
	['prints nothing', '', /^The judge printed nothing instead of \{"yes"/],
	['prints words', `console.log('Yes!');`, /^The judge printed 'Yes!' instead of/],
	['prints other JSON', `console.log('{"yes": "true", "reason": "x"}');`, /^The judge printed '\{/],
	['gives no reason', `console.log('{"yes": true}');`, /^The judge printed '\{"yes": true\}'/],
	['prints two verdicts', YES + YES, /^The judge printed/],
	['prints without end', ENDLESS, /^The judge printed more than 64 KB\./],
	[
		'prints a long word',
		`console.log('x'.repeat(60_000));`,
		/^The judge printed 'x{300} … x{300}'/,
	],
])('that %s is an error', async (_name, code, sentence) => {
	const error = await asked(code).catch((thrown: unknown) => thrown);
	expect(error).toBeInstanceOf(JudgeError);
	expect((error as Error).message).toMatch(sentence);
	expect((error as Error).message).toMatch(BY_HAND);
});

it('that cannot be found is an error', async () => {
	const { judge } = commandJudge(join(folder, 'nowhere'));
	await expect(judge(QUESTION)).rejects.toThrow(/^The judge ended with exit code \d+: .*not found/);
});

/** A shell's command that starts a child, and writes its process id into a file. */
const startsChild = (file: string) => `sleep 1000 & echo $! > '${file}'`;
const VERDICT = `echo '{"yes": true, "reason": "it does"}'`;
const pidIn = async (file: string): Promise<number> =>
	await until(
		`${file} is written`,
		() => existsSync(file) && (Number(readFileSync(file, 'utf8')) || undefined),
	);
const ends = async (pid: number) => await until(`${pid} has ended`, () => !isAlive(pid));

it.each([
	['hangs', 'wait'],
	['leaves its output open', VERDICT],
])('that %s is ended with its children at the limit', async (name, rest) => {
	const file = join(folder, `${name}.pid`);
	const { judge } = commandJudge(`${startsChild(file)}; ${rest}`, 3000);
	await expect(judge(QUESTION)).rejects.toThrow(
		/^The judge gave no verdict within 3 s and was ended\. Let its model answer sooner/,
	);
	await ends(await pidIn(file));
});

it('leaves no child behind after its verdict', async () => {
	const file = join(folder, 'behind.pid');
	const quiet = startsChild(file).replace('sleep 1000', 'sleep 1000 > /dev/null 2>&1');
	const { judge } = commandJudge(`${quiet}; ${VERDICT}`);
	expect(await judge(QUESTION)).toEqual({ yes: true, reason: 'it does' });
	await ends(await pidIn(file));
});

it('is in the guide, which works with a model', async () => {
	const guide = readFileSync(join(checkout, 'sandbox', 'docs', 'free-words.md'), 'utf8');
	const [, code = ''] = /^```js\n([^]*?)^```$/m.exec(guide) ?? [];
	const [, question = ''] = /^```json\n([^]*?)^```$/m.exec(guide) ?? [];
	writeFileSync(join(folder, 'guide.mjs'), code);
	let content = JSON.stringify({ yes: true, reason: 'It does.' });
	const model = await startReceiver(() => ({
		...{ status: 200, headers: { 'content-type': 'application/json' } },
		body: JSON.stringify({ choices: [{ message: { content } }] }),
	}));
	const url = new URL(model.url).origin;
	Object.assign(process.env, { JUDGE_URL: `${url}/v1`, JUDGE_KEY: 'mine', JUDGE_MODEL: 'any' });
	try {
		const { judge } = commandJudge(`"${process.execPath}" "${join(folder, 'guide.mjs')}"`);
		const verdict = await judge(JSON.parse(question) as Question);
		expect(verdict).toEqual({ yes: true, reason: 'It does.' });
		const [asked] = model.received;
		const { messages } = asked?.json as { messages: Array<{ content: string }> };
		expect(JSON.parse(messages[1]!.content)).toEqual(JSON.parse(question));
		content = 'Certainly!';
		await expect(judge(QUESTION)).rejects.toThrow(/^The judge printed 'Certainly!' instead of/);
	} finally {
		for (const name of ['JUDGE_URL', 'JUDGE_KEY', 'JUDGE_MODEL']) delete process.env[name];
		await model.close();
	}
});
