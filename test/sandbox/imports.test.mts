import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { checkout, tool } from '../../scripts/checkout.mts';

const SANDBOX = join(checkout, 'sandbox');

/** The imports between the files, also type imports. */
function importsWithin(folder: string): Map<string, string[]> {
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => /\.(?:mts|js)$/.test(name))
		.map((name) => join(folder, name));
	return new Map(
		files.map((file) => {
			const imports = readFileSync(file, 'utf8').matchAll(/\b(?:from|import\()\s*'(\.[^']+)'/g);
			return [file, [...imports].map(([, name]) => join(dirname(file), name!))];
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
	expect(imports.get(join(SANDBOX, 'page', 'app.js'))).toContain(join(SANDBOX, 'page', 'dom.js'));
	expect(circular(imports)).toEqual([]);
	const planted = [
		...(imports.get(join(SANDBOX, 'core', 'bus.mts')) ?? []),
		join(SANDBOX, 'main.mts'),
	];
	expect(circular(new Map([...imports, [join(SANDBOX, 'core', 'bus.mts'), planted]]))).toContain(
		join(SANDBOX, 'main.mts'),
	);
});

it.each([
	[
		'store/codes.mts',
		"import '../http/json.mts';",
		'Imports run one way: main.mts, rehearse.mts, probe.mts, cli, ',
	],
	['http/json.mts', "import '../../nodes/BusinessMessaging/service/errors';", 'knows the wire'],
	['http/json.mts', "import '../store/codes.mts';", undefined],
	['core/bus.mts', "import '../client/index.mts';", 'Imports run one way'],
	['client/index.mts', "import 'node:fs';", 'has the sandbox behind HTTP'],
])(
	'refuses an import in %s: %s',
	(file, text, complaint) => {
		const { stdout, status } = spawnSync(
			process.execPath,
			[tool('eslint/bin/eslint.js'), '--stdin', '--stdin-filename', join(SANDBOX, file)],
			{
				cwd: checkout,
				input: `${text}\nexport {};\n`,
				encoding: 'utf8',
				// Otherwise its parser reads the file on the disk, not this text.
				env: { ...process.env, TSESTREE_SINGLE_RUN: 'false' },
			},
		);
		expect(status).toBe(complaint === undefined ? 0 : 1);
		expect(stdout).toEqual(complaint === undefined ? '' : expect.stringContaining(complaint));
	},
	120_000,
);
