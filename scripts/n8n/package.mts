/** The package as npm publishes it: packed, listed, unpacked. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { capture, npm } from '../bootstrap/npm.cjs';
import { ExplainedError } from '../bootstrap/explained.cjs';
import { checkout } from '../checkout.mts';
import { withTemporaryFolder } from '../temporary.mts';

export interface PackageManifest {
	name: string;
	version: string;
	[field: string]: unknown;
}

/** Packs dist/, or another package's folder, into a folder. @returns the tarball's path */
export async function packPackage(folder: string, source = checkout): Promise<string> {
	// Without its scripts: `prepack` would build again, which the caller has done.
	await npm(['pack', '--ignore-scripts', '--pack-destination', folder], {
		cwd: source,
		what: 'pack the package',
	});
	const { name, version } = readManifest(source);
	const tarball = join(folder, `${name}-${version}.tgz`);
	if (!existsSync(tarball)) throw new ExplainedError('npm packed the package but left no tarball.');
	return tarball;
}

/** Unpacks a tarball into a folder and replaces its contents. */
export async function unpackTarball(tarball: string, folder: string): Promise<void> {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const parameters = ['-xzf', tarball, '-C', folder, '--strip-components=1'];
	const { code, output } = await capture('tar', parameters);
	if (code !== 0)
		throw new ExplainedError(`The packed package could not be unpacked: ${output.trim()}`);
}

/**
 * Installs the package like n8n's Settings → Community Nodes: unpacked into
 * `<home>/.n8n/nodes/node_modules`, without development, peer and optional dependencies. n8n finds
 * it at its next start.
 *
 * @param home the N8N_USER_FOLDER
 */
export async function installCommunityPackage(home: string): Promise<PackageManifest> {
	const folder = communityPackage(home);
	await withTemporaryFolder('pack', async (temporary) =>
		unpackTarball(await packPackage(temporary), folder),
	);
	return registerPackage(home, readManifest(folder));
}

/** The folder of the package in the n8n with this home. */
export const communityPackage = (home: string): string =>
	join(home, '.n8n', 'nodes', 'node_modules', readManifest(checkout).name);

/**
 * Registers the package in n8n after its files are in place.
 *
 * @param published its manifest from npm
 */
export function registerPackage(home: string, published: PackageManifest): PackageManifest {
	const { devDependencies, peerDependencies, optionalDependencies, ...manifest } = published;
	if (manifest.dependencies !== undefined) {
		throw new ExplainedError(
			'The package has runtime dependencies, and n8n verifies only packages without any.',
		);
	}
	writeJson(join(communityPackage(home), 'package.json'), manifest);
	writeJson(join(home, '.n8n', 'nodes', 'package.json'), {
		name: 'installed-nodes',
		private: true,
		dependencies: { [manifest.name]: manifest.version },
	});
	return manifest;
}

export const readManifest = (folder: string): PackageManifest =>
	JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageManifest;

const writeJson = (file: string, value: unknown): void =>
	writeFileSync(file, JSON.stringify(value, null, 2));
