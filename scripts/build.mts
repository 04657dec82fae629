/**
 * Builds the package into dist/: compiled nodes and credential, icons, codex files for n8n's
 * search, and output schemas.
 */
import {
	existsSync,
	globSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { basename, dirname, join, posix, relative } from 'node:path';

import { minify } from '@swc/core';
import { build as bundle } from 'esbuild';

import { command, readCommandLine } from '../sandbox/core/commandLine.cjs';
import { capture } from './bootstrap/npm.cjs';
import { ExplainedError, runMain } from './bootstrap/explained.cjs';
import { checkout, tool } from './checkout.mts';
import { readManifest } from './n8n/package.mts';
import { outputSchemas } from './outputSchemas.mts';

const BUILD = command({
	name: 'npm run build --',
	about: 'Builds the package into dist/.',
	options: {},
	example: '',
});

/** The bundle of all modules, in dist/. */
export const BUNDLE = 'nodes/BusinessMessaging/bundle.js';

/** Below the oldest Node.js that n8n runs on. */
const TARGET = 'es2022';

/** The files of the package, by their path in dist/. */
export type Built = Map<string, string | Buffer>;

export async function build(): Promise<void> {
	const dist = join(checkout, 'dist');
	const errors = await typeErrors(checkout);
	if (errors !== '') {
		rmSync(dist, { recursive: true, force: true });
		throw new ExplainedError(`The package does not compile:\n\n${errors}`);
	}
	const built = await assemble(checkout);
	built.set(BUNDLE, await minified(String(built.get(BUNDLE))));
	// Another process may be reading it: tests pack it while npm start builds it.
	if (!isIn(built, dist)) writeBuilt(built, dist);
}

/** Whether a folder contains exactly these files. */
function isIn(built: Built, dist: string): boolean {
	const files = existsSync(dist)
		? readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
		: [];
	return (
		files.length === built.size &&
		files.every(({ parentPath, name }) => {
			const path = join(parentPath, name);
			const contents = built.get(relative(dist, path).replaceAll('\\', '/'));
			return contents !== undefined && Buffer.from(contents).equals(readFileSync(path));
		})
	);
}

/** The compiler's errors about the package's sources in a folder, or ''. */
export async function typeErrors(sources: string, signal?: AbortSignal): Promise<string> {
	const { code, output } = await capture(
		process.execPath,
		[tool('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json'],
		{ cwd: sources, ...(signal && { signal }) },
	);
	return code === 0 ? '' : output.trim();
}

/**
 * Builds the package from its sources without checking types.
 *
 * @throws Error that names lines that are not JavaScript or TypeScript
 */
export async function assemble(sources: string): Promise<Built> {
	return new Map([
		...(await compile(sources)),
		...others(sources, 'icons', '.svg'),
		...others(sources, 'nodes', '.node.json'),
		...[...outputSchemas()].map(([path, schema]): [string, string] => [
			posix.join(posix.dirname(BUNDLE), path),
			JSON.stringify(schema),
		]),
	]);
}

export function writeBuilt(built: Built, dist: string): void {
	rmSync(dist, { recursive: true, force: true });
	for (const [path, contents] of built) {
		mkdirSync(dirname(join(dist, path)), { recursive: true });
		writeFileSync(join(dist, path), contents);
	}
}

/**
 * Compiles all modules into one file. Beside it are the files that n8n looks for; each exports its
 * class from it. n8n loads the package at every start, and one file loads three times as fast.
 */
async function compile(sources: string): Promise<Built> {
	const { n8n } = readManifest(sources) as { n8n?: { nodes: string[]; credentials: string[] } };
	const entries = [...(n8n?.credentials ?? []), ...(n8n?.nodes ?? [])].map((file) =>
		file.replace(/^dist\//, ''),
	);
	const { outputFiles } = await bundle({
		stdin: {
			contents: entries.map((file) => `export * from './${file.replace(/\.js$/, '')}';`).join('\n'),
			resolveDir: sources,
		},
		absWorkingDir: sources,
		write: false,
		bundle: true,
		format: 'cjs',
		platform: 'node',
		target: TARGET,
		// n8n's packages, not copies of them.
		packages: 'external',
		charset: 'utf8',
		logLevel: 'silent',
	});
	const built: Built = new Map([[BUNDLE, withSharedImports(outputFiles[0]?.text ?? '')]]);
	for (const file of entries) {
		const [name = ''] = basename(file).split('.');
		const path = posix
			.relative(posix.dirname(file), BUNDLE)
			.replace(/^(?!\.)/, './')
			.replace(/\.js$/, '');
		built.set(
			file,
			`"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\nexports.${name} = require("${path}").${name};\n`,
		);
	}
	return built;
}

/**
 * What the modules import from packages, once for all of them. esbuild requires a package anew in
 * each module, which makes the bundle larger and takes a tenth of the time to load it.
 */
function withSharedImports(javascript: string): string {
	const REQUIRED = /^var (import_\w+) = require\("([^"]+)"\);\n/gm;
	const packages = new Map<string, string>();
	const members = new Map<string, Set<string>>();
	const modules = javascript
		.replace(REQUIRED, (_line, variable: string, from: string) => {
			packages.set(variable, from);
			return '';
		})
		.replace(/\b(import_\w+)\.(\w+)/g, (_use, variable: string, member: string) => {
			const from = packages.get(variable) ?? '';
			members.set(from, (members.get(from) ?? new Set()).add(member));
			return `shared_${member}`;
		});
	const imports = [...members].map(
		([from, names]) =>
			`var { ${[...names].map((name) => `${name}: shared_${name}`).join(', ')} } = require("${from}");\n`,
	);
	return imports.join('') + modules;
}

/** Minified, because every n8n downloads it. The provenance leads readers to the sources. */
async function minified(javascript: string): Promise<string> {
	const { code } = await minify(javascript, {
		ecma: 2022,
		compress: { toplevel: true, passes: 3 },
		mangle: { toplevel: true },
		// Node.js reads a text of ASCII alone faster, and keeps half as much of it.
		format: { asciiOnly: true },
	});
	return code;
}

/** Copies of a folder's files that are not modules. */
function others(sources: string, folder: string, ending: string): Built {
	const files = globSync(`${folder}/**/*${ending}`, { cwd: sources });
	if (files.length === 0)
		throw new ExplainedError(`${folder}/ has no files to copy. The package would be incomplete.`);
	return new Map(files.map((file) => [file, readFileSync(join(sources, file))]));
}

if (import.meta.main) {
	readCommandLine(BUILD);
	await runMain(build);
}
