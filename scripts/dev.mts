/**
 * n8n's own hot reload needs an n8n that any web page may call. A restart keeps workflows and
 * sessions, and the sandbox keeps running.
 */
import { globSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { compileFunction } from 'node:vm';

import { command, readCommandLine, text } from '../sandbox/core/commandLine.cjs';
import { ExplainedError } from './bootstrap/explained.cjs';
import { assemble, BUNDLE, type Built, typeErrors, writeBuilt } from './build.mts';
import { checkout } from './checkout.mts';
import { type Lifetime, runUntilStopped } from './lifetime.mts';
import {
	communityPackage,
	type PackageManifest,
	readManifest,
	registerPackage,
} from './n8n/package.mts';
import { endedByItself, restartN8n, type Stack } from './n8n/stack.mts';
import { serve, SERVE_OPTIONS } from './serve.mts';

const DEV = command({
	name: 'npm run dev --',
	about:
		'Does the same as npm start. In addition, saving a file of the nodes rebuilds them and restarts n8n.',
	options: {
		...SERVE_OPTIONS,
		sources: { ...text('FOLDER', "folder of the package's sources"), default: '.' },
	},
	example: '--port 5679',
});

const LOOK_MS = 150;

const { values } = readCommandLine(DEV);
const sources = resolve(checkout, values.sources);

/** By path, a value that changes when the file is saved. */
type Saved = Map<string, string>;

/** Polled, because file notices get lost on network drives and when an editor replaces a file. */
function look(): Saved {
	const files = globSync('{nodes,credentials,icons}/**/*.*', { cwd: sources }).map((path) => {
		const stat = statSync(join(sources, path), { throwIfNoEntry: false });
		return [path, `${stat?.mtimeMs} ${stat?.size} ${stat?.ino}`] as const;
	});
	return new Map(files);
}

/** The files that were changed, created or removed between two looks. */
const changed = (before: Saved, now: Saved): string[] =>
	[...new Set([...before.keys(), ...now.keys()])].filter(
		(path) => before.get(path) !== now.get(path),
	);

/** The saved files of the last build. */
let seen = look();
/** The build that n8n has. */
let installed: Built;

const hint = 'Save a file in nodes/, credentials/ or icons/, and n8n restarts with it.\n';
await runUntilStopped(async (life) => {
	await serve(values, { install, hint, work: (stack) => follow(stack, life) }, life);
});

async function install(home: string): Promise<PackageManifest> {
	const built = await assemble(sources).catch((error: unknown) => {
		throw new ExplainedError(`The package cannot be built. ${messageOf(error)}`, error);
	});
	write(home, built);
	return registerPackage(home, readManifest(sources));
}

function write(home: string, built: Built): void {
	writeBuilt(built, join(communityPackage(home), 'dist'));
	installed = built;
}

/** Rebuilds after each save and gives the build to n8n, until a signal ends it. */
async function follow(stack: Stack, life: Lifetime): Promise<void> {
	let check = checkTypes();
	process.once('exit', () => check.abort());
	for (let before = seen; !life.isStopping; await sleep(LOOK_MS)) {
		const failure = endedByItself(stack);
		if (failure) throw failure;
		const now = look();
		// An editor can save many files at once, and git a whole branch.
		const isQuiet = changed(before, now).length === 0;
		before = now;
		const saved = changed(seen, now);
		if (!isQuiet || saved.length === 0) continue;
		console.log(`\nSaved: ${saved.join(', ')}`);
		seen = now;
		check.abort();
		check = checkTypes();
		const started = Date.now();
		if (await reload(stack, life))
			console.log(`n8n has it ${((Date.now() - started) / 1000).toFixed(1)} s after.`);
	}
}

/** @returns whether n8n has a new build */
async function reload(stack: Stack, life: Lifetime): Promise<boolean> {
	let built: Built;
	try {
		built = await assemble(sources);
		load(built);
	} catch (error) {
		console.error(`n8n keeps the last build. ${messageOf(error)}`);
		return false;
	}
	if (isDeepStrictEqual(built, installed)) {
		console.log('The build did not change. n8n keeps running.');
		return false;
	}
	await restartN8n(stack, () => {
		if (life.isStopping) throw new Error('Nothing is started again once everything stops.');
		write(stack.n8n.home, built);
	});
	return true;
}

/**
 * Loads the build as n8n will, because n8n starts without a package that it cannot load, with
 * broken workflows.
 */
function load(built: Built): void {
	const bundle = { exports: {} };
	const names = ['module', 'exports', 'require'];
	const run = compileFunction(String(built.get(BUNDLE)), names, { filename: BUNDLE }) as (
		...parameters: unknown[]
	) => void;
	run(bundle, bundle.exports, createRequire(import.meta.url));
	for (const Type of Object.values<new () => unknown>(bundle.exports)) new Type();
}

/** Prints the compiler's errors, in parallel to everything else. */
function checkTypes(): AbortController {
	const controller = new AbortController();
	const { signal } = controller;
	void typeErrors(sources, signal).then((errors) => {
		if (signal.aborted) return;
		console.log(errors === '' ? 'Types: no errors.' : `Types: errors.\n\n${errors}\n`);
	});
	return controller;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
