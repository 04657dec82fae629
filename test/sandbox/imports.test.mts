import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { checkout } from '#scripts/checkout.mts';

const SANDBOX = join(checkout, 'sandbox');

/** The imports between the files, also type imports. */
function importsWithin(folder: string): Map<string, string[]> {
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => /\.m?ts$/.test(name))
		.map((name) => join(folder, name));
	return new Map(
		files.map((file) => {
			const imports = readFileSync(file, 'utf8').matchAll(/\b(?:from|import\()\s*'(\.[^']+)'/g);
			// The page's modules name each other as the browser gets them.
			const named = [...imports].map(([, name]) => name!.replace(/\.js$/, '.ts'));
			return [file, named.map((name) => join(dirname(file), name))];
		}),
	);
}

/**
 * Removes files without remaining imports until none is left. The rest is in a circle, or leads to
 * one.
 */
function circular(imports: Map<string, string[]>): string[] {
	const left = new Map(imports);
	for (let size = -1; size !== left.size;) {
		size = left.size;
		for (const [file, others] of left)
			if (!others.some((other) => left.has(other))) left.delete(file);
	}
	return [...left.keys()];
}

it('has no circle of imports in the sandbox', () => {
	const imports = importsWithin(SANDBOX);
	expect(imports.get(join(SANDBOX, 'server.mts'))).toContain(join(SANDBOX, 'http', 'app.mts'));
	expect(imports.get(join(SANDBOX, 'page', 'app.ts'))).toContain(join(SANDBOX, 'page', 'dom.ts'));
	expect(circular(imports)).toEqual([]);
	const planted = [
		...(imports.get(join(SANDBOX, 'core', 'bus.mts')) ?? []),
		join(SANDBOX, 'main.mts'),
	];
	expect(circular(new Map([...imports, [join(SANDBOX, 'core', 'bus.mts'), planted]]))).toContain(
		join(SANDBOX, 'main.mts'),
	);
});
