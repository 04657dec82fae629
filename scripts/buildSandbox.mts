import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { build as bundle, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

import { command, readCommandLine, text } from '../sandbox/core/commandLine.cjs';
import { rehearsalJsonSchema } from '../sandbox/rehearsal/jsonSchema.mts';
import { capture } from './bootstrap/npm.cjs';
import { ExplainedError, runMain } from './bootstrap/explained.cjs';
import { checkout, tool } from './checkout.mts';
import { noticesOf } from './licences.mts';

const BUILD_SANDBOX = command({
	name: 'node scripts/bootstrap.mjs scripts/buildSandbox.mts',
	about: 'Builds the package business-messaging-sandbox, complete for npm.',
	options: {
		out: { ...text('FOLDER', 'folder for it, emptied first'), default: 'dist-sandbox' },
	},
	example: '--out /tmp/sandbox',
});

const SOURCES = join(checkout, 'sandbox');
/**
 * As deep as sandbox/http in the sources, because page.mts finds the page and the icon relative to
 * itself.
 */
const SERVER = 'lib/server';
const COMMON: BuildOptions = {
	absWorkingDir: checkout,
	bundle: true,
	platform: 'node',
	target: 'node22.13',
	charset: 'utf8',
	// Small, but with names, so that a stack in a bug report helps.
	minifyWhitespace: true,
	minifySyntax: true,
	legalComments: 'none',
	metafile: true,
	logLevel: 'silent',
};

/** @param folder is emptied first */
export async function buildSandbox(folder: string): Promise<void> {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const metafile = await buildServer(folder);
	await buildClient(join(folder, 'lib', 'client'));
	await buildPage(join(folder, 'lib', 'page'));
	for (const file of ['package.json', 'README.md', 'CHANGELOG.md'])
		cpSync(join(SOURCES, file), join(folder, file));
	for (const file of ['LICENSE.md', 'icons/business-messaging.svg'])
		cpSync(join(checkout, file), join(folder, file));
	writeRehearsalSchema(folder);
	writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.md'), noticesOf(Object.keys(metafile.inputs)));
}

/** The JSON Schema of rehearsals, for editors. */
export function writeRehearsalSchema(folder: string): void {
	const schema = JSON.stringify(rehearsalJsonSchema(), null, 2);
	writeFileSync(join(folder, 'rehearsal.schema.json'), `${schema}\n`);
}

/** Modules that differ between the package and the repository. */
const otherwise: Plugin = {
	name: 'otherwise',
	setup: (build) => {
		// undici's decompression needs a newer Node.js than the package, and the package does not use
		// it.
		build.onLoad({ filter: /undici[\\/]lib[\\/]interceptor[\\/]decompress\.js$/ }, () => ({
			contents: 'module.exports = undefined;',
		}));
		// The page's modules have no types in the package.
		build.onLoad({ filter: /http[\\/]withoutTypes\.mts$/ }, () => ({
			contents: 'export const withoutTypes = undefined;',
		}));
		// In a bundle, all modules share one zod.
		build.onLoad({ filter: /openapi[\\/]contractZod\.mts$/ }, () => ({
			contents: "export { z as contractZod } from 'zod';",
			resolveDir: checkout,
		}));
	},
};

/** With its dependencies: one package for `npx`, and few files for Node.js to load. */
async function buildServer(folder: string): Promise<Metafile> {
	const { metafile } = await bundle({
		...COMMON,
		entryPoints: { bin: join(SOURCES, 'cli', 'bin.mts') },
		outdir: join(folder, SERVER),
		format: 'esm',
		outExtension: { '.js': '.mjs' },
		// Modules that are loaded on demand stay separate.
		splitting: true,
		// Some dependencies are CommonJS modules that require Node.js's modules.
		banner: {
			js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
		},
		plugins: [otherwise],
		metafile: true,
	});
	return metafile;
}

/** A module for a module, as the browser asks for them. */
async function buildPage(folder: string): Promise<void> {
	await bundle({
		...COMMON,
		...{ bundle: false, platform: 'browser', target: 'es2022' },
		loader: { '.css': 'copy', '.html': 'copy', '.webp': 'copy', '.mp3': 'copy' },
		entryPoints: [join(SOURCES, 'page', '*')],
		outdir: folder,
	});
}

/** For `import` and `require`, with types for each. */
async function buildClient(folder: string): Promise<void> {
	for (const [format, extension] of [
		['esm', '.mjs'],
		['cjs', '.cjs'],
	] as const)
		await bundle({
			...COMMON,
			entryPoints: [join(SOURCES, 'client', 'index.mts')],
			outdir: folder,
			outExtension: { '.js': extension },
			format,
		});
	const { code, output } = await capture(process.execPath, [
		tool('typescript/bin/tsc'),
		...['-p', join(SOURCES, 'client', 'tsconfig.json'), '--outDir', folder],
	]);
	if (code !== 0) throw new ExplainedError(`The client does not compile:\n\n${output.trim()}`);
	for (const file of globSync('*.d.mts', { cwd: folder })) {
		const text = readFileSync(join(folder, file), 'utf8');
		writeFileSync(join(folder, file), text.replaceAll(".mts'", ".mjs'"));
		writeFileSync(
			join(folder, file.replace('.d.mts', '.d.cts')),
			text.replaceAll(".mts'", ".cjs'"),
		);
	}
}

if (import.meta.main)
	await runMain(async () => {
		const folder = resolve(checkout, readCommandLine(BUILD_SANDBOX).values.out);
		await buildSandbox(folder);
		console.log(`business-messaging-sandbox is in ${folder}.`);
	});
