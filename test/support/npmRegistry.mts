import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';

import { capture } from '#scripts/bootstrap/npm.cjs';
import type { PackageManifest } from '#scripts/n8n/package.mts';
import { listen } from '../core/harness/listen.mts';

export interface NpmRegistry {
	url: string;
	/** Paths of the requests. */
	asked: string[];
	stop(): Promise<void>;
}

interface Published {
	manifest: PackageManifest;
	tarball: Buffer;
	file: string;
}

/**
 * A local package registry that serves these tarballs to npm view, pack and install, the last one
 * as `latest`.
 */
export async function startNpmRegistry(tarballs: string[]): Promise<NpmRegistry> {
	const published = await Promise.all(tarballs.map(read));
	const asked: string[] = [];
	let url = '';
	const server = createServer((request, response) => {
		const path = decodeURIComponent(new URL(request.url ?? '/', url).pathname);
		asked.push(path);
		const tarball = published.find(
			({ manifest, file }) => path === `/${manifest.name}/-/${file}`,
		)?.tarball;
		if (tarball) return response.end(tarball);
		const found = documentAt(path, published, url);
		response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
		return response.end(JSON.stringify(found ?? { error: 'Not found' }));
	});
	const { stop, ...listening } = await listen(server);
	url = listening.url;
	return { url, asked, stop };
}

/** `/<name>` is all versions of a package, `/<name>/<version or tag>` one. */
function documentAt(path: string, published: Published[], url: string): object | undefined {
	const [, name, version] = path.split('/');
	const ofPackage = published
		.filter(({ manifest }) => manifest.name === name)
		.map((one) => describe(one, url));
	const latest = ofPackage.at(-1);
	if (!latest) return undefined;
	if (version !== undefined)
		return version === 'latest' ? latest : ofPackage.find((one) => one.version === version);
	return {
		name,
		'dist-tags': { latest: latest.version },
		versions: Object.fromEntries(ofPackage.map((one) => [one.version, one])),
	};
}

function describe({ manifest, tarball, file }: Published, url: string) {
	const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
	return {
		...manifest,
		dist: {
			tarball: `${url}/${manifest.name}/-/${file}`,
			integrity,
			shasum: createHash('sha1').update(tarball).digest('hex'),
		},
	};
}

async function read(tarball: string): Promise<Published> {
	const { code, output } = await capture('tar', ['-xzOf', tarball, 'package/package.json']);
	if (code !== 0) throw new Error(`${tarball} is no packed package: ${output}`);
	return {
		manifest: JSON.parse(output) as PackageManifest,
		tarball: readFileSync(tarball),
		file: basename(tarball),
	};
}
