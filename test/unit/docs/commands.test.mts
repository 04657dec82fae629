/** What the pages tell people to type exists, and takes what they say. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '#scripts/checkout.mts';

const readPage = (page: string): string => readFileSync(join(checkout, page), 'utf8');
const pages = globSync('{*,{docs,sandbox,workflows,skills,.github}/**/*}.md', {
	cwd: checkout,
	exclude: ['**/node_modules/**'],
});
const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> };

const COMMAND = /(?:`|^|=\S+ )((?:npm (?:run|start|test)|node scripts\/bootstrap)\b[^`\n#]*)/gm;
const typed = pages.flatMap((page) =>
	[...readPage(page).replaceAll('\\\n', ' ').matchAll(COMMAND)].map(([, line = '']) => line.trim()),
);

test.each([...new Set(typed)])('%s', (line) => {
	const run = line.replace(/^npm (?:run )?(\S+)( --)?/, (_, name: string) => scripts[name] ?? name);
	const [, program = '', given = ''] = /^node scripts\/bootstrap\.mjs (\S+) *(.*)$/.exec(run) ?? [];
	expect(existsSync(join(checkout, program))).toBe(true);
	// The sandbox's commands are described in one file, the others in their programs.
	const described = readPage(program.startsWith('sandbox/') ? 'sandbox/commands.cjs' : program);
	for (const [, option = ''] of given.matchAll(/(?<=^| )--(?!help)(\w[\w-]*)/g))
		expect(described).toMatch(new RegExp(`(?<![\\w-])'?${option}'?: (?:\\{|text\\()`));
});

test('what is not at npm yet is offered in one place, which says so', () => {
	expect(typed.length).toBeGreaterThan(40);
	const offering = (offer: RegExp): string[] =>
		pages.filter((page) => !page.endsWith('CHANGELOG.md') && offer.test(readPage(page)));
	expect(offering(/npx business-messaging|npm (?:i|install) business-/)).toEqual([
		'sandbox/README.md',
	]);
	expect(offering(/`n8n-nodes-business-messaging`/)).toEqual(['README.md']);
	expect(offering(/not at npm yet/)).toEqual(
		expect.arrayContaining(['README.md', 'sandbox/README.md']),
	);
});
