/**
 * Applies the rules of n8n's scanner to the sources and to the packed package, with inline
 * disabling off, because the scanner itself checks only published packages. Then runs n8n's linter
 * for nodes in strict mode.
 */
import { globSync } from 'node:fs';
import { resolve } from 'node:path';

import { ESLint, type Linter } from 'eslint';

import { command, readCommandLine, text } from '../sandbox/core/commandLine.cjs';
import { build } from './build.mts';
import { ExplainedError, runMain } from './bootstrap/explained.cjs';
import { checkout } from './checkout.mts';
import { packPackage, unpackTarball } from './n8n/package.mts';
import { installNodeLinters, lintAsN8nNode } from './nodeLint.mts';
import { importFrom } from './pinned.mts';
import { withTemporaryFolder } from './temporary.mts';

const SCAN = command({
	name: 'node scripts/bootstrap.mjs scripts/scan.mts',
	about:
		"Applies the rules of n8n's scanner to the sources and to the packed package, and then n8n's linter for nodes.",
	options: {
		folder: text('FOLDER', 'scans another package there, without packing'),
	},
	example: '',
});

/** The parts of the scanner and of its rules that are used here. */
interface Scanner {
	SOURCE_FILE_PATTERNS: string[];
	buildScanConfig: () => Promise<Linter.Config[]>;
}
interface NewestRules {
	n8nCommunityNodesPlugin: { configs: { recommended: Linter.Config } };
}

/** The scanner's own configuration, with its rules for community nodes, and with newer ones. */
async function scannerConfigurations(linters: string, { buildScanConfig }: Scanner) {
	const rules = (await importFrom(linters, '@n8n/eslint-plugin-community-nodes')) as NewestRules;
	const [own = {}, ...others] = await buildScanConfig();
	return [own, rules.n8nCommunityNodesPlugin.configs.recommended].map((first) => [
		first,
		...others,
	]);
}

export interface Findings {
	files: number;
	/** Number of errors and warnings. */
	findings: number;
}

/** Lints the files of a folder and prints the findings. */
async function scanFolder(folder: string, patterns?: string[]): Promise<Findings> {
	const linters = await installNodeLinters();
	// The scanner makes a folder as it loads.
	((await importFrom(linters, 'tmp')) as { setGracefulCleanup(): void }).setGracefulCleanup();
	const scanner = (await importFrom(
		linters,
		'@n8n/scan-community-package/scanner/scanner.mjs',
	)) as Scanner;
	const files = globSync(patterns ?? scanner.SOURCE_FILE_PATTERNS, {
		cwd: folder,
		exclude: ['node_modules/**'],
	});
	let findings = 0;
	for (const overrideConfig of await scannerConfigurations(linters, scanner)) {
		const eslint = new ESLint({
			cwd: folder,
			allowInlineConfig: false,
			overrideConfigFile: true,
			overrideConfig,
		});
		const results = await eslint.lintFiles(files);
		const found = results.flatMap(({ messages }) => messages).length;
		if (found > 0) console.log(await (await eslint.loadFormatter('stylish')).format(results));
		findings += found;
	}
	return { files: files.length, findings };
}

/** Scans a packed package: the files that npm would publish. */
export const scanTarball = (tarball: string): Promise<Findings> =>
	withTemporaryFolder('scan', async (unpacked) => {
		await unpackTarball(tarball, unpacked);
		return await scanFolder(unpacked, ['package.json', '**/*.js']);
	});

async function scanOwnPackage(): Promise<Findings> {
	await build();
	return await withTemporaryFolder('packed', async (packed) => {
		const sources = await scanFolder(checkout);
		const tarball = await scanTarball(await packPackage(packed));
		return { files: sources.files + tarball.files, findings: sources.findings + tarball.findings };
	});
}

/** Prints the result. @throws ExplainedError for any finding */
export function judge({ files, findings }: Findings): void {
	if (findings > 0)
		throw new ExplainedError(
			`n8n's scanner would refuse the package: ${findings} errors and warnings in ${files} files.`,
		);
	console.log(`n8n's scanner rules: 0 errors, 0 warnings in ${files} files.`);
}

async function main(): Promise<void> {
	const { folder } = readCommandLine(SCAN).values;
	judge(folder === undefined ? await scanOwnPackage() : await scanFolder(resolve(folder)));
	if (folder === undefined) await lintAsN8nNode();
}

if (import.meta.main) await runMain(main);
