/** Builds the package into dist/: the compiled nodes and credential, the icons, and the codex files that place the nodes in n8n's search. */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { capture } from './bootstrap/npm.cjs';
import { ExplainedError, runMain } from './bootstrap/explained.cjs';
import { checkout, tool } from './checkout.mts';

const dist = join(checkout, 'dist');

export async function build(): Promise<void> {
	rmSync(dist, { recursive: true, force: true });
	const { code, output } = await capture(process.execPath, [tool('typescript/bin/tsc'), '-p', 'tsconfig.json'], { cwd: checkout });
	if (code !== 0) throw new ExplainedError(`The package does not compile:\n\n${output.trim()}`);
	copy('icons', (file) => file.endsWith('.svg'));
	copy('nodes', (file) => file.endsWith('.node.json'));
	// What the editor shows of a node's output before it has run.
	copy('nodes', (file) => file.includes('__schema__') && file.endsWith('.json'));
}

/** Copies the files of a folder that tsc leaves behind, each to its place in dist/. */
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
