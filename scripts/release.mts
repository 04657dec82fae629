import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { command, readCommandLine, text } from '../sandbox/core/commandLine.cjs';
import { build } from './build.mts';
import { buildSandbox } from './buildSandbox.mts';
import { ExplainedError, runMain } from './bootstrap/explained.cjs';
import { capture, cleanEnvironment } from './bootstrap/npm.cjs';
import { checkout } from './checkout.mts';
import { gapsIn, readRuns } from './compatibility.mts';
import { packPackage, readManifest, type PackageManifest } from './n8n/package.mts';
import { judge, scanTarball } from './scan.mts';
import { withTemporaryFolder } from './temporary.mts';

const RELEASE = command({
	name: 'npm run release:check --',
	about: 'Checks everything before publishing a version, except the tests.',
	options: {
		sandbox: { type: 'boolean', about: "checks the sandbox's package instead of the nodes" },
		tag: text('TAG', "the release's tag: the version, or sandbox-<version>"),
		out: text('FOLDER', 'keeps the tarball there; emptied first'),
	},
	example: '--out release',
});

await runMain(async () => {
	const { tag, out, sandbox = false } = readCommandLine(RELEASE).values;
	const source = sandbox ? 'sandbox' : '.';
	const manifest = readManifest(join(checkout, source));
	const wanted = `${sandbox ? 'sandbox-' : ''}${manifest.version}`;
	if (tag !== undefined && tag !== wanted)
		throw new ExplainedError(
			`The release's tag is '${tag}', but by the version in ${join(source, 'package.json')} it must be '${wanted}'.`,
		);
	requireChangelogEntry(source, manifest);
	if (!sandbox) requireRecordedRuns(manifest);
	await requireUnpublished(manifest);
	const packInto = async (folder: string): Promise<void> => {
		const tarball = await (sandbox ? packSandbox(folder) : packNodes(folder));
		await rehearse(tarball);
		console.log(`\n${manifest.name} ${manifest.version} can be published.`);
		if (out !== undefined)
			console.log(
				`${tarball}\nsha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`,
			);
	};
	if (out === undefined) await withTemporaryFolder('release', packInto);
	else await packInto(emptyFolder(resolve(out)));
});

/** @returns the tarball, checked */
async function packNodes(folder: string): Promise<string> {
	await build();
	const tarball = await packPackage(folder);
	judge(await scanTarball(tarball));
	return tarball;
}

async function packSandbox(folder: string): Promise<string> {
	return await withTemporaryFolder('sandbox', async (source) => {
		await buildSandbox(source);
		return await packPackage(folder, source);
	});
}

function requireChangelogEntry(source: string, { version }: PackageManifest): void {
	const file = join(source, 'CHANGELOG.md');
	const changelog = readFileSync(join(checkout, file), 'utf8');
	if (changelog.split('\n').some((line) => line.startsWith(`## [${version}] - `))) return;
	throw new ExplainedError(
		`${file} has no entry '## [${version}] - <date>'. Describe there what is new.`,
	);
}

function requireRecordedRuns({ version }: PackageManifest): void {
	const runs = readRuns();
	const stale = runs.filter((run) => run.package !== version);
	const problems = [
		...gapsIn(runs),
		...stale.map(
			(run) =>
				`The recorded run in n8n ${run.n8n} is for version ${run.package}. Record one for ${version}, or delete its line in README.md.`,
		),
	];
	if (problems.length > 0) throw new ExplainedError(problems.join('\n'));
}

/** Fails closed: only npm's "no such package or version" lets the release continue. */
async function requireUnpublished({ name, version }: PackageManifest): Promise<void> {
	const { code, output } = await runNpm(['view', `${name}@${version}`, 'version', '--json']);
	if (code === 0 && output.includes(`"${version}"`)) {
		throw new ExplainedError(
			`${name} ${version} is already published. Set a new version in package.json, and describe it in CHANGELOG.md.`,
		);
	}
	// For a package with other versions, npm prints nothing or reports it as not found.
	const isUnknown = /\bE404\b/.test(output) || (code === 0 && output.trim() === '');
	if (!isUnknown)
		throw new ExplainedError(
			`npm could not tell whether ${name} ${version} is published. Its output:\n\n${output.trim()}`,
		);
}

async function rehearse(tarball: string): Promise<void> {
	const { code, output } = await runNpm(['publish', tarball, '--dry-run', '--ignore-scripts']);
	console.log(output.trim());
	if (code !== 0)
		throw new ExplainedError('npm would not publish the tarball. The reason is above.');
}

async function runNpm(parameters: string[]) {
	const env = cleanEnvironment();
	return await capture('npm', [...parameters, '--no-update-notifier'], { cwd: checkout, env });
}

/** A folder for only the tarball, so that no other one is published by mistake. */
function emptyFolder(folder: string): string {
	mkdirSync(folder, { recursive: true });
	if (readdirSync(folder).length === 0) return folder;
	throw new ExplainedError(`${folder} is not empty. Use an empty folder for the tarball.`);
}
