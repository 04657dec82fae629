import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '../../../scripts/checkout.mts';

interface LockedPackage {
	version?: string;
	integrity?: string;
	dependencies?: Record<string, string>;
	optionalDependencies?: Record<string, string>;
}
type Locked = Record<string, LockedPackage>;

/** Where Node.js would find a dependency of the package at this path. */
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

describe.each(['.', 'hosts/current', 'hosts/oldest', 'tools/n8n-node-lint'])(
	'the lock of %s',
	(folder) => {
		const locked = (
			JSON.parse(readFileSync(join(checkout, folder, 'package-lock.json'), 'utf8')) as {
				packages: Locked;
			}
		).packages;

		it('lists what its packages want on any platform, without which `npm ci` refuses to work', () => {
			expect(Object.values(locked).some((entry) => entry.optionalDependencies)).toBe(true);
			expect(missingFrom(locked)).toEqual([]);
		});

		it('has a hash for whatever is downloaded', () => {
			const { '': _project, ...packages } = locked;
			const unpinned = Object.entries(packages).filter(([, { integrity }]) => !integrity);
			expect(unpinned.map(([path]) => path)).toEqual([]);
			expect(Object.keys(packages).length).toBeGreaterThan(100);
		});
	},
);

test('a lock that misses the package of another platform is noticed', () => {
	const tool = { optionalDependencies: { 'tool-linux': '1.0.0', 'tool-mac': '1.0.0' } };
	const locked = {
		'': { dependencies: { tool: '1.0.0' } },
		'node_modules/tool': tool,
		'node_modules/tool/node_modules/tool-linux': {},
	};
	expect(missingFrom(locked)).toEqual(['tool-mac, which node_modules/tool wants']);
	expect(missingFrom({ ...locked, 'node_modules/tool-mac': {} })).toEqual([]);
});
