/**
 * Builds the package business-messaging-sandbox, complete as npm would publish it from there.
 *
 *     npm run build:sandbox [-- --out <folder, dist-sandbox unless given>]
 */
import {
	copyFileSync,
	cpSync,
	globSync,
	mkdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { build as bundle, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

import { capture } from './bootstrap/npm.cjs';
import { ExplainedError, runMain } from './bootstrap/explained.cjs';
import { checkout, tool } from './checkout.mts';
import { noticesOf } from './licences.mts';

const SOURCES = join(checkout, 'sandbox');
/** Lies as deep as sandbox/http in the sources, whose page.mts finds the page and the icon from where it is. */
const SERVER = 'lib/server';
const CLIENT = 'lib/client';
/** Of rehearsal scripts, for editors. */
const SCHEMA = 'rehearsal.schema.json';

const COMMON: BuildOptions = {
	absWorkingDir: checkout,
	bundle: true,
	platform: 'node',
	target: 'node22.13',
	charset: 'utf8',
	// Small, but whoever reports a failure can send a stack that says something.
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
	await buildClient(folder);
	cpSync(join(SOURCES, 'page'), join(folder, 'lib', 'page'), { recursive: true });
	copy('icons/business-messaging.svg', folder);
	for (const file of ['package.json', 'README.md', 'CHANGELOG.md'])
		copyFileSync(join(SOURCES, file), join(folder, file));
	copyFileSync(join(SOURCES, 'rehearsal', SCHEMA), join(folder, SCHEMA));
	copy('LICENSE.md', folder);
	writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.md'), noticesOf(Object.keys(metafile.inputs)));
}

function copy(file: string, folder: string): void {
	mkdirSync(join(folder, dirname(file)), { recursive: true });
	copyFileSync(join(checkout, file), join(folder, file));
}

/** Modules that the package has otherwise than the repository. */
const otherwise: Plugin = {
	name: 'otherwise',
	setup: (build) => {
		// What unpacks responses for undici needs a newer Node.js than the package, which asks for none of it.
		build.onLoad({ filter: /undici[\\/]lib[\\/]interceptor[\\/]decompress\.js$/ }, () => ({
			contents: 'module.exports = undefined;',
		}));
		// In a bundle, all share one copy of zod.
		build.onLoad({ filter: /openapi[\\/]contractZod\.mts$/ }, () => ({
			contents: "export { z as contractZod } from 'zod';",
			resolveDir: checkout,
		}));
	},
};

/** With its dependencies: `npx` has one package to get, and Node.js few files to load. */
async function buildServer(folder: string): Promise<Metafile> {
	const { metafile } = await bundle({
		...COMMON,
		entryPoints: { bin: join(SOURCES, 'cli', 'bin.mts') },
		outdir: join(folder, SERVER),
		format: 'esm',
		outExtension: { '.js': '.mjs' },
		// What is loaded only when it is asked for stays so.
		splitting: true,
		// Some dependencies are CommonJS modules that require Node.js's own.
		banner: {
			js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
		},
		plugins: [otherwise],
		metafile: true,
	});
	return metafile;
}

/** For `import` and `require`, each with its types. */
async function buildClient(folder: string): Promise<void> {
	for (const [format, extension] of [
		['esm', '.mjs'],
		['cjs', '.cjs'],
	] as const)
		await bundle({
			...COMMON,
			entryPoints: [join(SOURCES, 'client', 'index.mts')],
			outdir: join(folder, CLIENT),
			outExtension: { '.js': extension },
			format,
		});
	await declareClient(join(folder, CLIENT));
}

async function declareClient(folder: string): Promise<void> {
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
		const { out } = parseArgs({ options: { out: { type: 'string' } } }).values;
		const folder = resolve(out ?? join(checkout, 'dist-sandbox'));
		await buildSandbox(folder);
		console.log(`business-messaging-sandbox is in ${folder}.`);
	});
