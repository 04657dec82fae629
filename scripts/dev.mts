/**
 * Like `npm start`. In addition, saving a file of the nodes rebuilds them and restarts n8n.
 *
 * n8n's own hot reload needs an n8n that any web page may call. A restart keeps workflows and
 * sessions, and the sandbox keeps running.
 */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { compileFunction } from 'node:vm';

import { command, readCommandLine } from '../sandbox/core/commandLine.cjs';
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
import { changedFiles, lookAtSources, quietSources } from './sources.mts';

const DEV = command({
	name: 'npm run dev --',
	about:
		'Does the same as npm start. In addition, saving a file of the nodes rebuilds them and restarts n8n.',
	options: {
		...SERVE_OPTIONS,
		sources: {
			type: 'string',
			value: 'FOLDER',
			default: '.',
			about: "folder of the package's sources",
		},
	},
	example: '--port 5679',
});

const LOOK_MS = 200;
const QUIET_MS = 100;

const { values } = readCommandLine(DEV);
const sources = resolve(checkout, values.sources);

/** The saved files of the last build. */
let seen = lookAtSources(sources);
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
	while (!life.isStopping) {
		const failure = endedByItself(stack);
		if (failure) throw failure;
		const noticed = Date.now();
		if (changedFiles(seen, lookAtSources(sources)).length > 0) {
			const now = await quietSources(sources, QUIET_MS);
			console.log(`\nSaved: ${changedFiles(seen, now).join(', ') || 'no changes'}`);
			seen = now;
			check.abort();
			check = checkTypes();
			if (await reload(stack, life)) console.log(`n8n has it ${seconds(noticed)} s after.`);
		}
		await sleep(LOOK_MS);
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

function seconds(since: number): string {
	return ((Date.now() - since) / 1000).toFixed(1);
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
