/** Builds the package into dist/: the compiled nodes and credential, the icons, and the codex files that place the nodes in n8n's search. */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

import { build as bundle } from 'esbuild';
import typescript from 'typescript';

import { capture } from './bootstrap/npm.cjs';
import { ExplainedError, runMain } from './bootstrap/explained.cjs';
import { checkout, tool } from './checkout.mts';
import { readManifest } from './n8n/package.mts';

const dist = join(checkout, 'dist');
/** What all modules of the package become. */
const BUNDLE = join(dist, 'nodes', 'BusinessMessaging', 'bundle.js');

export async function build(): Promise<void> {
	rmSync(dist, { recursive: true, force: true });
	const { code, output } = await capture(process.execPath, [tool('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json'], { cwd: checkout });
	if (code !== 0) throw new ExplainedError(`The package does not compile:\n\n${output.trim()}`);
	await compile();
	copy('icons', (file) => file.endsWith('.svg'));
	copy('nodes', (file) => file.endsWith('.node.json'));
	// What the editor shows of a node's output before it has run.
	copy('nodes', (file) => file.includes('__schema__') && file.endsWith('.json'));
}

/**
 * Compiles all modules into one file, readable as it is, and beside it the files that n8n looks for, which take from it what they are named after.
 * n8n loads the package whenever it starts: a file each takes Node.js three times as long.
 */
async function compile(): Promise<void> {
	const { n8n } = readManifest(checkout) as { n8n?: { nodes: string[]; credentials: string[] } };
	const entries = [...(n8n?.credentials ?? []), ...(n8n?.nodes ?? [])].map((file) => join(checkout, file));
	const sourceOf = (file: string) => `./${relative(dist, file).replace(/\.js$/, '')}`;
	const { outputFiles } = await bundle({
		stdin: { contents: entries.map((file) => `export * from '${sourceOf(file)}';`).join('\n'), resolveDir: checkout },
		write: false,
		bundle: true,
		format: 'cjs',
		platform: 'node',
		target: 'es2022',
		// n8n's, not copies of them.
		packages: 'external',
		logLevel: 'silent',
	});
	mkdirSync(dirname(BUNDLE), { recursive: true });
	writeFileSync(BUNDLE, withoutComments(outputFiles[0]?.text ?? ''));
	for (const file of entries) {
		const [name = ''] = basename(file).split('.');
		const path = relative(dirname(file), BUNDLE).replace(/^(?!\.)/, './').replace(/\.js$/, '');
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, `"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\nexports.${name} = require("${path}").${name};\n`);
	}
}

/** Comments are for who reads the sources: they are a part of what every n8n downloads. */
function withoutComments(javascript: string): string {
	const { ES2022: target } = typescript.ScriptTarget;
	return typescript.transpileModule(javascript, { fileName: basename(BUNDLE), compilerOptions: { removeComments: true, target } }).outputText;
}

/** Copies the files of a folder that are no modules, each to its place in dist/. */
function copy(folder: string, wanted: (file: string) => boolean): void {
	const files = existsSync(join(checkout, folder)) ? readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' }) : [];
	const copied = files.filter(wanted);
	if (copied.length === 0) throw new ExplainedError(`There is nothing to copy from ${folder}/: the package would be incomplete.`);
	for (const file of copied) {
		mkdirSync(dirname(join(dist, folder, file)), { recursive: true });
		cpSync(join(checkout, folder, file), join(dist, folder, file));
	}
}

if (import.meta.main) await runMain(build);
