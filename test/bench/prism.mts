/**
 * Prism, an OpenAPI mock server, from the npm registry: what serves a document without being the
 * service.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { cacheEntry } from '../../scripts/bootstrap/cache.cjs';
import { npm } from '../../scripts/bootstrap/npm.cjs';
import { freePort } from '../../scripts/n8n/processes.mts';
import { until } from '../../scripts/until.mts';
import { startProgram } from './children.mts';

const NAME = '@stoplight/prism-cli';
export const PRISM_VERSION = '5.16.0';
const START_LIMIT_MS = 60_000;

/** Serves an OpenAPI document, installing Prism first (once, into the cache). */
export async function startPrism(document: string): Promise<{ url: string; stop(): void }> {
	const folder = await cacheEntry(`prism-${PRISM_VERSION}`, {
		gigabytes: 0.5,
		what: `Prism ${PRISM_VERSION}`,
		build: async (temporary) => {
			console.log(`Installing Prism ${PRISM_VERSION}, once for this machine ...`);
			writeFileSync(join(temporary, 'package.json'), JSON.stringify({ private: true }));
			await npm(
				[
					'install',
					'--ignore-scripts',
					'--no-save',
					'--no-package-lock',
					`${NAME}@${PRISM_VERSION}`,
				],
				{
					cwd: temporary,
					what: `install Prism ${PRISM_VERSION}`,
				},
			);
		},
	});
	const port = await freePort();
	const child = startProgram([
		join(folder, 'node_modules', NAME, 'dist', 'index.js'),
		'mock',
		'--port',
		String(port),
		'--verboseLevel',
		'fatal',
		document,
	]);
	child.stdout?.resume();
	const url = `http://127.0.0.1:${port}`;
	await until(
		'Prism to be ready',
		async () => child.exitCode !== null || (await isUp(url)),
		START_LIMIT_MS,
	);
	if (child.exitCode !== null)
		throw new Error(`Prism ended with ${child.exitCode} before it listened`);
	return { url, stop: () => void child.kill('SIGKILL') };
}

async function isUp(url: string): Promise<boolean> {
	return await fetch(url).then(
		() => true,
		() => false,
	);
}
