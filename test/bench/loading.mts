/**
 * What loading the built package costs n8n when it starts, beside published packages and n8n's own
 * nodes for messaging.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { cacheEntry } from '../../scripts/bootstrap/cache.cjs';
import { capture, cleanEnvironment, npm } from '../../scripts/bootstrap/npm.cjs';
import { build } from '../../scripts/build.mts';
import { checkout } from '../../scripts/checkout.mts';
import { installHost } from '../../scripts/n8n/host.mts';
import { readManifest, unpackPackage } from '../../scripts/n8n/package.mts';
import { resultOf, startProgram } from './children.mts';
import { atMost, type Measured } from './report.mts';
import { medianOf, showSpread, spreadOf, table } from './statistics.mts';

const ROUNDS = 21;
/**
 * From the npm registry: nodes for conversations and messages that load without a native library.
 */
const PUBLISHED = [
	{ name: 'n8n-nodes-linq', version: '4.1.0' },
	{ name: 'n8n-nodes-ntfy', version: '0.1.7' },
	{ name: 'n8n-nodes-signal-cli-rest-api', version: '0.12.1' },
];
/** In n8n-nodes-base, which is one package of hundreds of nodes: loaded alone. */
const BUILT_IN = ['Matrix', 'Mattermost', 'Telegram'];

interface Candidate {
	name: string;
	files: string[];
	/** Bytes, where it is a package of its own. */
	sizes?: { size: number; unpackedSize: number };
}

interface Loading {
	milliseconds: number;
	bytes: number;
	count: number;
}

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);

/** What a package's manifest tells n8n to load. */
function filesOf(folder: string): string[] {
	const { n8n } = readManifest(folder) as {
		n8n?: { nodes: string | string[]; credentials?: string | string[] };
	};
	return [n8n?.credentials ?? [], n8n?.nodes ?? []].flat().map((file) => join(folder, file));
}

/** The sizes that npm gives for a package, or for a folder's own. */
async function sizesOf(
	folder: string,
	published: string[] = [],
): Promise<{ size: number; unpackedSize: number }> {
	const { code, output } = await capture(
		'npm',
		['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=silent', ...published],
		{ cwd: folder, env: cleanEnvironment() },
	);
	if (code !== 0) throw new Error(`npm did not say how large the package is: ${output}`);
	const [sizes] = JSON.parse(output.slice(output.indexOf('['))) as Array<{
		size: number;
		unpackedSize: number;
	}>;
	return sizes!;
}

async function own(folder: string): Promise<Candidate> {
	await build();
	await unpackPackage(folder);
	return { name: 'this package', files: filesOf(folder), sizes: await sizesOf(checkout) };
}

/** Installs a package with what it depends on, once, into the cache. n8n gives it n8n-workflow. */
async function published({ name, version }: { name: string; version: string }): Promise<Candidate> {
	const wanted = `${name}@${version}`;
	const folder = await cacheEntry(wanted.replaceAll('/', '-'), {
		gigabytes: 0.2,
		what: wanted,
		build: async (temporary) => {
			writeFileSync(join(temporary, 'package.json'), JSON.stringify({ private: true }));
			await npm(
				[
					'install',
					'--ignore-scripts',
					'--legacy-peer-deps',
					'--no-save',
					'--no-package-lock',
					wanted,
				],
				{ cwd: temporary, what: `install ${wanted}` },
			);
			writeFileSync(
				join(temporary, 'sizes.json'),
				JSON.stringify(await sizesOf(temporary, [wanted])),
			);
		},
	});
	const sizes = JSON.parse(readFileSync(join(folder, 'sizes.json'), 'utf8')) as Candidate['sizes'];
	return {
		name: wanted,
		files: filesOf(join(folder, 'node_modules', name)),
		...(sizes ? { sizes } : {}),
	};
}

async function builtIn(): Promise<Candidate[]> {
	const { program, version } = await installHost('current');
	const folder = join(dirname(program), '..', '..', 'n8n-nodes-base');
	const files = filesOf(folder);
	return BUILT_IN.map((node) => ({
		name: `n8n ${version}: ${node}`,
		files: files.filter(
			(file) =>
				file.includes(`/nodes/${node}/`) ||
				new RegExp(`/credentials/${node}\\w*\\.`, 'i').test(file),
		),
	}));
}

/** Loads it in a process of its own. */
async function loadOnce({ files }: Candidate): Promise<Loading> {
	const parameters = ['--expose-gc', join(checkout, 'test', 'bench', 'loadingProbe.cjs'), ...files];
	return await resultOf<Loading>(
		startProgram(parameters, { NODE_PATH: join(checkout, 'node_modules') }),
	);
}

export async function benchLoading(): Promise<Measured> {
	const folder = mkdtempSync(join(tmpdir(), 'loading-bench-'));
	try {
		const candidates = [
			await own(join(folder, 'package')),
			...(await Promise.all(PUBLISHED.map(published))),
			...(await builtIn()),
		];
		const loadings = candidates.map(() => [] as Loading[]);
		for (let round = 0; round <= ROUNDS; round += 1) {
			for (const [index, candidate] of candidates.entries()) {
				const loading = await loadOnce(candidate);
				// The first round reads the files into memory.
				if (round > 0) loadings[index]!.push(loading);
			}
		}
		const rows = candidates.map(({ name, sizes }, index) => {
			const of = loadings[index]!;
			return [
				name,
				String(of[0]!.count),
				showSpread(spreadOf(of.map(({ milliseconds }) => milliseconds)), 1),
				kilobytes(medianOf(of.map(({ bytes }) => bytes))),
				...(sizes ? [kilobytes(sizes.size), kilobytes(sizes.unpackedSize)] : ['', '']),
			];
		});
		const milliseconds = medianOf(loadings[0]!.map((loading) => loading.milliseconds));
		return {
			blocks: [
				`Nodes and credentials loaded and made as n8n does when it starts, beyond n8n-workflow and zod, which n8n has loaded. ${ROUNDS} rounds by turns, each time in a new process of Node.js.`,
				table(
					[
						'Package',
						'Nodes and credentials',
						'Time, ms',
						'Heap, kB',
						'Tarball, kB',
						'Unpacked, kB',
					],
					rows,
				),
			],
			bounds: [
				atMost('Time to load', milliseconds, 15, { unit: ' ms', decimals: 1 }),
				atMost('Tarball', candidates[0]!.sizes!.size / 1000, 80, { unit: ' kB', decimals: 1 }),
			],
		};
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
