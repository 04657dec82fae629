import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '#scripts/checkout.mts';

interface LockedPackage {
	version?: string;
	integrity?: string;
	resolved?: string;
	dependencies?: Record<string, string>;
	optionalDependencies?: Record<string, string>;
}
type Locked = Record<string, LockedPackage>;

/** The path at which Node.js would find a dependency of the package. */
function findDependency(locked: Locked, path: string, name: string): LockedPackage | undefined {
	const found = locked[`${path}${path && '/'}node_modules/${name}`];
	if (found ?? path === '') return found;
	return findDependency(
		locked,
		path.slice(0, Math.max(path.lastIndexOf('node_modules/') - 1, 0)),
		name,
	);
}

const missingFrom = (locked: Locked): string[] =>
	Object.entries(locked).flatMap(([path, { dependencies, optionalDependencies }]) =>
		Object.keys({ ...dependencies, ...optionalDependencies })
			.filter((name) => !findDependency(locked, path, name))
			.map((name) => `${name}, which ${path || 'the project'} wants`),
	);

const folders = ['.', ...globSync('scripts/pins/*', { cwd: checkout })];

describe.each(folders)('the lock of %s', (folder) => {
	const locked = (
		JSON.parse(readFileSync(join(checkout, folder, 'package-lock.json'), 'utf8')) as {
			packages: Locked;
		}
	).packages;

	it('lists what its packages need on every platform, because `npm ci` refuses to work without', () => {
		const has = Object.values(locked).some((entry) => entry.optionalDependencies);
		// The mutation tester is the same on all.
		expect(has).toBe(folder !== 'scripts/pins/mutation');
		expect(missingFrom(locked)).toEqual([]);
	});

	it('has a hash and an address for every download: npm asks for all of a package without one', () => {
		const { '': _project, ...packages } = locked;
		for (const { version, resolved } of Object.values(packages))
			expect(resolved).toMatch(`-${version}.tgz`);
		const unpinned = Object.entries(packages).filter(([, { integrity }]) => !integrity);
		expect(unpinned.map(([path]) => path)).toEqual([]);
		expect(Object.keys(packages).length).toBeGreaterThan(50);
	});
});
