/** `--help` and a wrong option of every command that people type. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PROBE, REHEARSE, START } from '../../../sandbox/commands.cjs';
import { type Command, helpOf, read } from '../../../sandbox/core/commandLine.cjs';
import { COMMANDS } from '../../../scripts/bootstrap/commands.cjs';
import { capture } from '../../../scripts/bootstrap/npm.cjs';
import { checkout } from '../../../scripts/checkout.mts';
import { readManifest } from '../../../scripts/n8n/package.mts';

/** What answers before anything is installed. */
const BARE = [
	'scripts/bootstrap.mjs',
	'scripts/bootstrap',
	'sandbox/commands.cjs',
	'sandbox/core/commandLine.cjs',
];
const BIN = ['--import', 'tsx', join(checkout, 'sandbox', 'cli', 'bin.mts')];

interface Called {
	described: Command;
	/** For Node.js. */
	parameters: string[];
	/** Whether it is tried where nothing is installed. */
	isBare: boolean;
	/** What comes of a wrong option. */
	refusal: { code: number; see: string };
}

const { scripts } = readManifest(checkout) as unknown as { scripts: Record<string, string> };
const npmScripts = Object.entries(scripts).filter(([name]) => name !== 'prepack');
const named = npmScripts.map(([name, script]): [string, Called] => {
	const [, ...parameters] = script.split(' ');
	const described = COMMANDS[parameters[1] ?? ''] as Command;
	return [
		`npm run ${name}`,
		{ described, parameters, isBare: true, refusal: refusalBy(described) },
	];
});
const others = Object.entries(COMMANDS)
	.filter(([name]) => !named.some(([, { parameters }]) => parameters[1] === name))
	.map(([name, described]): [string, Called] => {
		const parameters = ['scripts/bootstrap.mjs', name];
		return [described.name, { described, parameters, isBare: true, refusal: refusalBy(described) }];
	});
const published: Array<[string, Called]> = [
	publishedAs(START, BIN, 1),
	publishedAs(REHEARSE, [...BIN, 'rehearse'], 2),
	publishedAs(PROBE, [...BIN, 'probe'], 2),
];
const commands = [...named, ...others, ...published];

function publishedAs(described: Command, parameters: string[], code: number): [string, Called] {
	return [
		described.name,
		{ described, parameters, isBare: false, refusal: { code, see: '--help' } },
	];
}

function refusalBy({ name }: Command) {
	return { code: 2, see: `${name} --help` };
}

type Answer = Awaited<ReturnType<typeof capture>>;
let folder = '';
const helps = new Map<string, Answer>();
const refusals = new Map<string, Answer>();

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'business-messaging-command-line-'));
	for (const file of BARE) cpSync(join(checkout, file), join(folder, file), { recursive: true });
	await Promise.all(
		commands.map(async ([name, { parameters, isBare }]) => {
			const cwd = isBare ? folder : checkout;
			const env = { ...process.env, BUSINESS_MESSAGING_CACHE: join(folder, 'cache') };
			const run = async (option: string) =>
				await capture(process.execPath, [...parameters, option], { cwd, env });
			helps.set(name, await run('--help'));
			refusals.set(name, await run('--nonsense'));
		}),
	);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every npm script is among them, and is called as its help says', () => {
	expect(named.length).toBeGreaterThan(15);
	for (const [name, { described }] of named)
		expect(described.name).toBe(`${name.replace(/^npm run (start|test)$/, 'npm $1')} --`);
});

test.each(commands)('%s --help prints what it does, its options and an example', (name, called) => {
	const { code, output } = helps.get(name) ?? { output: '' };
	const { described } = called;
	expect(output).toBe(`${helpOf(described)}\n`);
	const lines = output.split('\n');
	expect(lines[0]).toMatch(/^[A-Z].{9}/);
	expect(lines.find((line) => line.startsWith(`  ${described.name}`))).toBeDefined();
	for (const option of [...Object.keys(described.options), 'help'])
		expect(output).toMatch(new RegExp(`^ {2}--${option} .*\\w`, 'm'));
	expect(lines.filter((line) => line.startsWith(`Example: ${described.name}`))).toHaveLength(1);
	expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
	expect(code).toBe(0);
});

test.each(commands)('%s refuses a wrong option in one line', (name, { refusal }) => {
	expect(refusals.get(name)).toEqual({
		code: refusal.code,
		output: `Unknown option '--nonsense'. See ${refusal.see}.\n`,
	});
});

test.each(commands)('%s takes its example', (_name, { described }) => {
	expect(() => read(described, described.example.split(' ').filter(Boolean))).not.toThrow();
});

describe('what a command is given', () => {
	const described: Command = {
		...{ name: 'try', about: 'Tries it.', example: 'one' },
		words: { usage: '[part ...]', name: 'part', among: ['one', 'two', 'three'], most: 2 },
		rest: 'options for another',
		options: {
			port: { type: 'string', value: 'PORT', about: 'port', default: '80' },
			fix: { type: 'boolean', about: 'fixes' },
		},
	};

	test('is read, with what comes after -- untouched', () => {
		const given = ['two', '--fix', 'one', '--', '--nonsense', '--', 'x'];
		const { values, words, rest } = read(described, given);
		expect({ ...values }).toEqual({ port: '80', fix: true });
		expect({ words, rest }).toEqual({ words: ['two', 'one'], rest: ['--nonsense', '--', 'x'] });
	});

	test.each<[string, string[], string]>([
		['an unknown option', ['--colour'], "Unknown option '--colour'"],
		['an option without its value', ['--port'], "Option '--port <value>' argument missing"],
		['another option for a value', ['--port', '--fix'], "Option '--port' argument missing"],
		['a value for a switch', ['--fix=no'], "Option '--fix' does not take an argument"],
		['an unknown word', ['four'], "Unknown part 'four'. Use one of one, two, three"],
		['a word too many', ['one', 'two', 'three'], "Unexpected argument 'three'"],
	])('is refused in a sentence: %s', (_what, given, sentence) => {
		expect(() => read(described, given)).toThrow(new Error(sentence));
	});

	test('is refused where no word is taken', () => {
		const { words, ...wordless } = described;
		expect(words?.most).toBe(2);
		expect(() => read(wordless, ['one'])).toThrow(new Error("Unexpected argument 'one'"));
	});
});
