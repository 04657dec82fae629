import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { capture } from '../../../scripts/bootstrap/npm.cjs';
import { checkout } from '../../../scripts/checkout.mts';
import { readManifest } from '../../../scripts/n8n/package.mts';
import { startNpmRegistry } from '../../support/npmRegistry.mts';

const { name, version } = readManifest(checkout);
const LIMIT_MS = 120_000;

let folder = '';
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'release-test-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Rehearses a release against a registry. */
async function check(
	registry: string,
	...options: string[]
): Promise<{ code: number; output: string }> {
	const env = {
		...process.env,
		npm_config_registry: registry,
		npm_config_fetch_retries: '0',
		npm_config_cache: join(folder, 'npm-cache'),
	};
	return await capture(process.execPath, ['--import', 'tsx', 'scripts/release.mts', ...options], {
		cwd: checkout,
		env,
	});
}

/** A tarball of a package of this name. */
async function pack(manifest: { name: string; version: string }): Promise<string> {
	const source = mkdtempSync(join(folder, 'package-'));
	mkdirSync(join(source, 'package'));
	writeFileSync(join(source, 'package', 'package.json'), JSON.stringify(manifest));
	const tarball = join(folder, `${manifest.name}-${manifest.version}.tgz`);
	const { code, output } = await capture('tar', ['-czf', tarball, '-C', source, 'package']);
	if (code !== 0) throw new Error(output);
	return tarball;
}

test(
	'passes a new version: scans the tarball, asks npm if it would publish, and keeps it in the given place',
	async () => {
		const registry = await startNpmRegistry([await pack({ name, version: '0.0.1' })]);
		const out = join(folder, 'out');
		try {
			const { code, output } = await check(registry.url, '--tag', version, '--out', out);
			expect(output).toContain("n8n's scanner rules: 0 errors, 0 warnings");
			expect(output).toMatch(
				/npm notice .*dist\/nodes\/BusinessMessaging\/BusinessMessaging\.node\.js/,
			);
			expect(output).toContain(`+ ${name}@${version}`);
			expect(output).toContain(`${name} ${version} can be published.`);
			expect(code).toBe(0);
			expect(readdirSync(out)).toEqual([`${name}-${version}.tgz`]);
			// Another tarball beside it could be published by mistake.
			expect((await check(registry.url, '--out', out)).output).toContain('is not empty');
		} finally {
			await registry.stop();
		}
	},
	LIMIT_MS,
);

test(
	'passes a new version of the sandbox, with its own tag',
	async () => {
		const sandbox = readManifest(join(checkout, 'sandbox'));
		const tag = `sandbox-${sandbox.version}`;
		const registry = await startNpmRegistry([await pack({ name: sandbox.name, version: '0.0.1' })]);
		const out = join(folder, 'out-sandbox');
		try {
			const { code, output } = await check(
				registry.url,
				...['--sandbox', '--tag', tag, '--out', out],
			);
			expect(output).toMatch(/npm notice .*lib\/server\/bin\.mjs/);
			expect(output).toContain(`${sandbox.name} ${sandbox.version} can be published.`);
			expect(code).toBe(0);
			expect(readdirSync(out)).toEqual([`${sandbox.name}-${sandbox.version}.tgz`]);
			const refused = await check(registry.url, '--sandbox', '--tag', sandbox.version);
			expect(refused.output).toContain(`The tag must be '${tag}'`);
			expect(refused.code).toBe(1);
		} finally {
			await registry.stop();
		}
	},
	LIMIT_MS,
);

test(
	'refuses a version that is already published',
	async () => {
		const registry = await startNpmRegistry([await pack({ name, version })]);
		try {
			const { code, output } = await check(registry.url);
			expect(output).toContain(
				`${name} ${version} is already published. Set a new version in package.json`,
			);
			expect(code).toBe(1);
		} finally {
			await registry.stop();
		}
	},
	LIMIT_MS,
);
