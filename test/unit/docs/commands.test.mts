/** What the pages tell people to type exists, and is not refused. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { COMMANDS } from '../../../scripts/bootstrap/commands.cjs';
import { checkout } from '../../../scripts/checkout.mts';
import { read } from '../../../sandbox/core/commandLine.cjs';

const readPage = (page: string): string => readFileSync(join(checkout, page), 'utf8');
const pages = globSync(['{*,{docs,sandbox,workflows,skills,.github}/**/*}.md'], {
	cwd: checkout,
	exclude: ['**/node_modules/**', 'dist-sandbox/**'],
});
const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> };

/** In code of a line or a block: `npm …`, and what it runs itself. */
const typed = pages.flatMap((page) =>
	[
		...readPage(page)
			.replaceAll('\\\n', ' ')
			.matchAll(/(?:`|^|=\S+ )((?:npm (?:run|start|test)|node scripts\/bootstrap)\b[^`\n#]*)/gm),
	].map(([, line = '']) => ({ page, line: line.trim() })),
);

/** The words of a line, of which quotes can hold several. */
const wordsOf = (line: string): string[] =>
	[...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word);

test.each(typed)('$page: $line', ({ line }) => {
	const [program, ...words] = wordsOf(line);
	const name = program === 'node' || words[0] === 'run' ? words[1] : words[0];
	const rest = words.slice(program === 'node' || words[0] === 'run' ? 2 : 1);
	const run = program === 'node' ? `node ${words[0]} ${name}` : scripts[name ?? ''];
	const [, command = ''] = /^node scripts\/bootstrap\.mjs (\S+)$/.exec(run ?? '') ?? [];
	expect(Object.keys(COMMANDS)).toContain(command);
	if (rest[0] === '--') rest.shift();
	expect(() => read(COMMANDS[command]!, rest)).not.toThrow();
});

test('no page but that of the package offers what is not at npm yet', () => {
	expect(typed.length).toBeGreaterThan(40);
	const offers = /npx business-messaging|npm (?:i|install) \S*business-messaging/;
	const offering = pages.filter((page) => offers.test(readPage(page)));
	expect(offering.sort()).toEqual(['sandbox/CHANGELOG.md', 'sandbox/README.md']);
	const named = pages.filter((page) => /`n8n-nodes-business-messaging`/.test(readPage(page)));
	expect(named).toEqual(['README.md']);
	for (const page of ['README.md', 'sandbox/README.md'])
		expect(readPage(page)).toContain('not at npm yet');
});
