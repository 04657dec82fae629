/**
 * Large programs outside the checkout's node_modules. The checkout has the manifest and lock of
 * each. The cache has the installed program, once for the machine.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { cacheEntry } from './bootstrap/cache.cjs';
import { npm } from './bootstrap/npm.cjs';
import { checkout } from './checkout.mts';

export interface Program {
	/** Beginning of the cache entry's name, before the hash of its manifest and lock. */
	name: string;
	/** Its name in messages: "n8n 2.41.1". */
	what: string;
	/** Duration and size of the installation for messages: "two minutes, 1 GB". */
	takes: string;
	/** Free space in GB that installing needs. */
	gigabytes: number;
	compiled?: CompiledPackage;
}

/** A package of a program that must be compiled. This happens while the others are fetched. */
export interface CompiledPackage {
	name: string;
	/** The file that compiling makes, in the package's folder. */
	product: string;
	/** Installs a folder that has the lock, and this package alone in its manifest. */
	build(folder: string): Promise<void>;
}

const MANIFEST = 'package.json';
const LOCK = 'package-lock.json';

/**
 * Installs a program on first use.
 *
 * @param manifests folder of its package.json and package-lock.json
 * @returns the folder that holds its node_modules
 */
export async function installPinned(manifests: string, program: Program): Promise<string> {
	const files = [MANIFEST, LOCK].map(
		(file) => [file, readFileSync(join(manifests, file), 'utf8')] as const,
	);
	// Only what the lock names, by its hash.
	return await install(files, 'ci', program);
}

/** The same for a tool in scripts/pins/. */
export const installTool = (name: string, program: Omit<Program, 'name'>): Promise<string> =>
	installPinned(join(checkout, 'scripts', 'pins', name), { name, ...program });

/** Imports a package of an installed tool. Its types are not in the checkout. */
export async function importFrom(folder: string, name: string): Promise<unknown> {
	const file = createRequire(join(folder, 'package.json')).resolve(name);
	return await import(pathToFileURL(file).href);
}

/**
 * The same for a program without a lock. The registry chooses the dependencies, so two
 * installations can differ.
 */
export async function installUnpinned(manifest: object, program: Program): Promise<string> {
	return await install([[MANIFEST, JSON.stringify(manifest)]], 'install', program);
}

async function install(
	files: ReadonlyArray<readonly [name: string, content: string]>,
	command: 'ci' | 'install',
	{ name, what, takes, gigabytes, compiled }: Program,
): Promise<string> {
	const hash = createHash('sha256');
	for (const [, content] of files) hash.update(content);
	const build = async (folder: string): Promise<void> => {
		const started = Date.now();
		console.log(`Installing ${what}, once for this machine (${takes}) ...`);
		for (const [file, content] of files) writeFileSync(join(folder, file), content);
		// No install scripts, because several packages download programs that are not needed here.
		const fetching = npm([command, '--legacy-peer-deps', '--ignore-scripts'], {
			...{ cwd: folder, what: `install ${what}` },
		});
		// Without a lock, the version of what is compiled is known when the packages are there.
		if (command === 'install') await fetching;
		const compiling = compiled && compile(folder, compiled);
		// If one of them fails, the other must not go on in a folder that is removed.
		for (const end of await Promise.allSettled([fetching, compiling]))
			if (end.status === 'rejected') throw end.reason;
		if (compiled) putInPlace(folder, compiled);
		console.log(`Installed ${what} in ${Math.round((Date.now() - started) / 1000)} s.`);
	};
	return await cacheEntry(`${name}-${hash.digest('hex').slice(0, 12)}`, { gigabytes, what, build });
}

interface Manifest {
	overrides?: Record<string, string>;
}

/** Where a package is compiled, in the folder of its program. */
const ALONE = 'compiled';

async function compile(folder: string, compiled: CompiledPackage): Promise<void> {
	const alone = join(folder, ALONE);
	mkdirSync(alone);
	copyFileSync(join(folder, LOCK), join(alone, LOCK));
	const { overrides } = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Manifest;
	// npm installs what this needs of the lock, and leaves out the rest.
	const manifest = { private: true, dependencies: { [compiled.name]: '*' }, overrides };
	writeFileSync(join(alone, MANIFEST), JSON.stringify(manifest));
	await compiled.build(alone);
}

function putInPlace(folder: string, { name, product }: CompiledPackage): void {
	const file = join('node_modules', name, product);
	mkdirSync(dirname(join(folder, file)), { recursive: true });
	renameSync(join(folder, ALONE, file), join(folder, file));
	rmSync(join(folder, ALONE), { recursive: true });
}
