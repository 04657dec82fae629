import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { capture } from '../../../scripts/bootstrap/npm.cjs';
import { checkout } from '../../../scripts/checkout.mts';

const manifest = {
	name: 'n8n-nodes-example',
	version: '1.0.0',
	description: 'An example',
	license: 'MIT',
	author: { name: 'Someone', email: 'someone@example.com' },
	homepage: 'https://example.com',
	repository: { type: 'git', url: 'https://example.com/example.git' },
	keywords: ['n8n-community-node-package'],
	files: ['dist'],
	n8n: {
		n8nNodesApiVersion: 1,
		strict: true,
		credentials: [],
		nodes: ['dist/nodes/Example/Example.node.js'],
	},
	peerDependencies: { 'n8n-workflow': '*' },
};

/** Runs the scan over a package of these files. */
async function scan(files: Record<string, string>): Promise<{ code: number; output: string }> {
	const folder = mkdtempSync(join(tmpdir(), 'scan-test-'));
	try {
		for (const [file, content] of Object.entries({
			'package.json': JSON.stringify(manifest, null, 2),
			...files,
		})) {
			mkdirSync(dirname(join(folder, file)), { recursive: true });
			writeFileSync(join(folder, file), content);
		}
		return await capture(
			process.execPath,
			['--import', 'tsx', 'scripts/scan.mts', '--folder', folder],
			{ cwd: checkout },
		);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

test('passes a clean package', async () => {
	const { code, output } = await scan({ 'nodes/Example/helper.ts': 'export const one = 1;\n' });
	expect(output).toContain('0 errors, 0 warnings in 2 files');
	expect(code).toBe(0);
}, 60_000);

test('refuses what n8n refuses, even if a comment in the file switches the rule off', async () => {
	const { code, output } = await scan({
		'nodes/Example/helper.ts': [
			'/* eslint-disable */',
			"import { readFileSync } from 'node:fs';",
			'console.log(process.env.HOME, readFileSync);',
		].join('\n'),
		'package.json': JSON.stringify({ ...manifest, dependencies: { axios: '1.0.0' } }, null, 2),
	});
	expect(code).toBe(1);
	for (const rule of [
		'no-restricted-imports',
		'no-restricted-globals',
		'no-console',
		'no-runtime-dependencies',
	]) {
		expect(output).toContain(rule);
	}
	expect(output).toContain('Community node rules 0.32.0');
	expect(output).toContain('Community node rules 0.29.0');
}, 60_000);
