import { spawn } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CACHE_VARIABLE, cacheEntry } from '#scripts/bootstrap/cache.cjs';
import { capture } from '#scripts/bootstrap/npm.cjs';
import { checkout } from '#scripts/checkout.mts';
import { until } from '#scripts/until.mts';

let folder = '';
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'cache-test-'));
	process.env[CACHE_VARIABLE] = folder;
});
afterEach(() => {
	delete process.env[CACHE_VARIABLE];
	rmSync(folder, { recursive: true, force: true });
});

/**
 * A script that builds the entry 'thing' slowly and prints that it did. Its parameter is the time
 * that takes, in milliseconds.
 */
const BUILDER = `
	import { writeFileSync } from 'node:fs';
	import { cacheEntry } from ${JSON.stringify(join(checkout, 'scripts/bootstrap/cache.cjs'))};
	const folder = await cacheEntry('thing', { gigabytes: 0.001, what: 'a thing', build: async (temporary) => {
		console.log('building');
		writeFileSync(temporary + '/half', '');
		await new Promise((resolve) => setTimeout(resolve, Number(process.argv[1])));
		writeFileSync(temporary + '/whole', String(process.pid));
	} });
	console.log('got', folder);
`;
const builder = (ms: number): string[] => ['--input-type=module', '-e', BUILDER, String(ms)];

const recipe = {
	gigabytes: 0.001,
	what: 'a thing',
	build: async (temporary: string) => writeFileSync(join(temporary, 'whole'), 'mine'),
};

test('one of several processes builds a wanted entry, and all of them get it', async () => {
	const runs = await Promise.all(
		[1, 2, 3].map(() => capture(process.execPath, builder(1_000), { env: process.env })),
	);
	expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
	expect(runs.filter(({ output }) => output.includes('building'))).toHaveLength(1);
	expect(runs.every(({ output }) => output.includes(`got ${join(folder, 'thing')}`))).toBe(true);
	expect(readdirSync(folder)).toEqual(['thing']);
}, 30_000);

test('an entry whose build was killed is built again, and its remains are removed', async () => {
	const killed = spawn(process.execPath, builder(60_000), { env: process.env });
	await until(
		'the build to be half done',
		() => readdirSync(folder).some((name) => existsSync(join(folder, name, 'half'))),
		10_000,
	);
	killed.kill('SIGKILL');
	await until('the builder to end', () => killed.signalCode !== null, 5_000);
	const entry = await cacheEntry('thing', recipe);
	expect(readFileSync(join(entry, 'whole'), 'utf8')).toBe('mine');
	expect(readdirSync(folder)).toEqual(['thing']);
}, 30_000);

test('a failed build leaves no entry', async () => {
	const build = async (temporary: string): Promise<void> => {
		mkdirSync(join(temporary, 'half'));
		throw new Error('no luck');
	};
	await expect(cacheEntry('thing', { ...recipe, build })).rejects.toThrow('no luck');
	expect(readdirSync(folder)).toEqual([]);
});
