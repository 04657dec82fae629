/** `--help` of every command, and what a command makes of what it is given. */
import { join } from 'node:path';

import { PROBE, REHEARSE, START } from '../../../sandbox/commands.cjs';
import { type Command, helpOf, read } from '../../../sandbox/core/commandLine.cjs';
import { COMMANDS } from '../../../scripts/bootstrap/commands.cjs';
import { capture } from '../../../scripts/bootstrap/npm.cjs';
import { checkout } from '../../../scripts/checkout.mts';
import { readManifest } from '../../../scripts/n8n/package.mts';

const { scripts } = readManifest(checkout) as unknown as { scripts: Record<string, string> };
const npmScripts = Object.entries(scripts).filter(([name]) => name !== 'prepack');
const commands = [...Object.values(COMMANDS), START, REHEARSE, PROBE].map(
	(described): [string, Command] => [described.name, described],
);

test.each(npmScripts)('npm run %s is called as its help says', (name, script) => {
	const called = COMMANDS[script.split(' ')[2] ?? ''];
	expect(called?.name).toBe(`npm ${/^(?:start|test)$/.test(name) ? '' : 'run '}${name} --`);
});

test.each(commands)(
	'the help of %s has its options and an example that it takes',
	(name, described) => {
		const lines = helpOf(described).split('\n');
		expect(lines[0]).toMatch(/^[A-Z].{9}/);
		for (const option of [...Object.keys(described.options), 'help'])
			expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^ {2}--${option} .*\\w`)));
		expect(lines.filter((line) => line.startsWith(`Example: ${name}`))).toHaveLength(1);
		expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
		expect(() => read(described, described.example.split(' ').filter(Boolean))).not.toThrow();
	},
);

test.each<[string, string[], Command, number, string]>([
	['npm', ['scripts/bootstrap.mjs', 'start'], COMMANDS.start!, 2, 'npm start -- --help'],
	['npx', ['--import', 'tsx', join('sandbox', 'cli', 'bin.mts')], START, 1, '--help'],
])(
	'by %s: --help prints it, a wrong option ends in one line',
	async (_by, parameters, described, wrong, see) => {
		const run = async (option: string) =>
			await capture(process.execPath, [...parameters, option], { cwd: checkout, env: process.env });
		expect(await run('--help')).toEqual({ code: 0, output: `${helpOf(described)}\n` });
		const output = `Unknown option '--nonsense'. See ${see}.\n`;
		expect(await run('--nonsense')).toEqual({ code: wrong, output });
	},
);

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
