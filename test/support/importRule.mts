/**
 * Lints with the rules of eslint.config.mjs that refuse imports, syntax and slow expressions. A
 * program of its own, since ESLint loads its configuration by `import()`, which fails in Jest.
 * Reads files, which need not exist, as JSON from standard input, and writes what the rules say.
 */
import { text } from 'node:stream/consumers';

import { ESLint } from 'eslint';

import { checkout } from '#scripts/checkout.mts';

export interface LintedFile {
	filePath: string;
	code: string;
}

const eslint = new ESLint({
	cwd: checkout,
	ruleFilter: ({ ruleId }) => /^no-restricted-|super-linear/.test(ruleId),
	// The rule needs no types, and the files no project.
	overrideConfig: { languageOptions: { parserOptions: { project: null } } },
});
const messages: string[][] = [];
for (const { filePath, code } of JSON.parse(await text(process.stdin)) as LintedFile[]) {
	const [result] = await eslint.lintText(code, { filePath });
	messages.push(result?.messages.map(({ message }) => message) ?? []);
}
process.stdout.write(JSON.stringify(messages));
