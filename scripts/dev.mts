/**
 * As `npm start`, and whenever a file of the nodes is saved, they are built anew and n8n is restarted with them.
 *
 *     npm run dev [-- --port 5678] [--sandbox-port 4010] [--data .sandbox] [--n8n current|oldest] [--sources .]
 *
 * n8n's own hot reload works only in an n8n that any web page may call. After a restart the workflows and sessions are as before, and the
 * sandbox runs on. `--sources` is the folder of the package's sources when they are not this checkout's.
 */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { compileFunction } from 'node:vm';

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
import { SERVE_OPTIONS, serve } from './serve.mts';
import { changedFiles, lookAtSources, quietSources } from './sources.mts';

const LOOK_MS = 200;
const QUIET_MS = 100;

const { values } = parseArgs({
	options: { ...SERVE_OPTIONS, sources: { type: 'string', default: checkout } },
});
const sources = resolve(values.sources);

/** The saved files that the last build was made of. */
let seen = lookAtSources(sources);
/** What n8n has. */
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

/** Gives n8n what is saved, until a signal asks for the end. */
async function follow(stack: Stack, life: Lifetime): Promise<void> {
	let check = checkTypes();
	process.once('exit', () => check.abort());
	while (!life.isStopping) {
		const failure = endedByItself(stack);
		if (failure) throw failure;
		const noticed = Date.now();
		if (changedFiles(seen, lookAtSources(sources)).length > 0) {
			const now = await quietSources(sources, QUIET_MS);
			console.log(`\nSaved: ${changedFiles(seen, now).join(', ') || 'as it was'}`);
			seen = now;
			check.abort();
			check = checkTypes();
			if (await reload(stack, life)) console.log(`n8n has it ${seconds(noticed)} s after.`);
		}
		await sleep(LOOK_MS);
	}
}

/** @returns whether n8n now has something new */
async function reload(stack: Stack, life: Lifetime): Promise<boolean> {
	let built: Built;
	try {
		built = await assemble(sources);
		load(built);
	} catch (error) {
		console.error(`n8n goes on with the last build. ${messageOf(error)}`);
		return false;
	}
	if (isDeepStrictEqual(built, installed)) {
		console.log('The build is the same: n8n goes on with it.');
		return false;
	}
	await restartN8n(stack, () => {
		if (life.isStopping) throw new Error('Nothing is started again once everything stops.');
		write(stack.n8n.home, built);
	});
	return true;
}

/** Loads what n8n will load: from what it cannot load, n8n would start without the package, and with its workflows broken. */
function load(built: Built): void {
	const bundle = { exports: {} };
	const names = ['module', 'exports', 'require'];
	const run = compileFunction(String(built.get(BUNDLE)), names, { filename: BUNDLE }) as (
		...parameters: unknown[]
	) => void;
	run(bundle, bundle.exports, createRequire(import.meta.url));
	for (const Type of Object.values<new () => unknown>(bundle.exports)) new Type();
}

/** Says what the compiler finds, beside everything else. */
function checkTypes(): AbortController {
	const controller = new AbortController();
	const { signal } = controller;
	void typeErrors(sources, signal).then((errors) => {
		if (signal.aborted) return;
		console.log(errors === '' ? 'Types: no errors.' : `Types: wrong.\n\n${errors}\n`);
	});
	return controller;
}

function seconds(since: number): string {
	return ((Date.now() - since) / 1000).toFixed(1);
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
