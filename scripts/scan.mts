/**
 * Applies the rules of n8n's scanner to the sources and to the packed package, with inline
 * disabling off. The scanner itself checks only published packages; this is its configuration, for
 * both versions of its rules. Then runs n8n's linter for nodes in strict mode.
 */
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import * as parser from '@typescript-eslint/parser';
import { ESLint, type Linter } from 'eslint';

import { readCommandLine } from '../sandbox/core/commandLine.cjs';
import { SCAN } from './bootstrap/commands/product.cjs';
import { build } from './build.mts';
import { ExplainedError, runMain } from './bootstrap/explained.cjs';
import { checkout } from './checkout.mts';
import { packPackage, unpackTarball } from './n8n/package.mts';
import { installNodeLinters, lintAsN8nNode } from './nodeLint.mts';
import { importFrom } from './pinned.mts';

/** The files that the scanner lints in a checkout, and in the tarball. */
const SOURCES = ['package.json', '{nodes,credentials}/**/*.{js,ts,json}'];
const TARBALL = ['package.json', '**/*.js'];

type RuleSet = { rules: Linter.RulesRecord };

/** The parts of the rules' packages that the configuration below uses. */
interface CommunityNodes {
	n8nCommunityNodesPlugin: { configs: { recommended: Linter.Config } };
}
interface NodesBase {
	default: ESLint.Plugin & { configs: Record<'community' | 'credentials' | 'nodes', RuleSet> };
}

/** By version, the package with the scanner's rules. */
const RULES = {
	'0.32.0': '@n8n/eslint-plugin-community-nodes',
	'0.29.0': 'community-nodes-rules-0-29',
};

/** The scanner's own configuration with its exceptions. */
async function scannerConfiguration(linters: string, rules: string): Promise<Linter.Config[]> {
	const communityNodes = (await importFrom(linters, rules)) as CommunityNodes;
	const { default: nodesBase } = (await importFrom(
		linters,
		'eslint-plugin-n8n-nodes-base',
	)) as NodesBase;
	return [
		communityNodes.n8nCommunityNodesPlugin.configs.recommended,
		{ rules: { 'no-console': 'error' } },
		{ plugins: { 'n8n-nodes-base': nodesBase } },
		{ files: ['package.json'], rules: nodesBase.configs.community.rules },
		{
			files: ['**/credentials/**/*.ts'],
			rules: {
				...nodesBase.configs.credentials.rules,
				'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
				'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
			},
		},
		{
			files: ['**/nodes/**/*.ts'],
			rules: {
				...nodesBase.configs.nodes.rules,
				'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
				'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
				'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
			},
		},
		{ files: ['**/*.json', '**/*.ts'], languageOptions: { parser } },
	];
}

export interface Findings {
	files: number;
	/** Number of errors and warnings. */
	findings: number;
}

/** Lints the files of a folder and prints the findings. */
async function scanFolder(folder: string, patterns: string[]): Promise<Findings> {
	const files = globSync(patterns, { cwd: folder, exclude: ['node_modules/**'] });
	const linters = await installNodeLinters();
	let findings = 0;
	for (const [version, rules] of Object.entries(RULES)) {
		const eslint = new ESLint({
			cwd: folder,
			allowInlineConfig: false,
			overrideConfigFile: true,
			overrideConfig: await scannerConfiguration(linters, rules),
		});
		const results = await eslint.lintFiles(files);
		const found = results.reduce(
			(sum, { errorCount, warningCount }) => sum + errorCount + warningCount,
			0,
		);
		if (found > 0)
			console.log(
				`Community node rules ${version}:`,
				await (await eslint.loadFormatter('stylish')).format(results),
			);
		findings += found;
	}
	return { files: files.length, findings };
}

/** Scans a packed package: the files that npm would publish. */
export async function scanTarball(tarball: string): Promise<Findings> {
	const unpacked = mkdtempSync(join(tmpdir(), 'business-messaging-scan-'));
	try {
		await unpackTarball(tarball, unpacked);
		return await scanFolder(unpacked, TARBALL);
	} finally {
		rmSync(unpacked, { recursive: true, force: true });
	}
}

async function scanOwnPackage(): Promise<Findings> {
	await build();
	const packed = mkdtempSync(join(tmpdir(), 'business-messaging-packed-'));
	try {
		const sources = await scanFolder(checkout, SOURCES);
		const tarball = await scanTarball(await packPackage(packed));
		return { files: sources.files + tarball.files, findings: sources.findings + tarball.findings };
	} finally {
		rmSync(packed, { recursive: true, force: true });
	}
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
	judge(folder === undefined ? await scanOwnPackage() : await scanFolder(resolve(folder), SOURCES));
	if (folder === undefined) await lintAsN8nNode();
}

if (import.meta.main) await runMain(main);
