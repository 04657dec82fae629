import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { checkout } from '../../../scripts/checkout.mts';
import { lintAsN8nNode } from '../../../scripts/nodeLint.mts';

/** Longer than the run, because the first one on a machine installs the linter. */
const LIMIT_MS = 300_000;

/** A copy of the package's sources, in which `npm test scan` finds nothing. */
let folder = '';
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'node-lint-test-'));
	for (const name of ['package.json', 'tsconfig.json', 'nodes', 'credentials', 'icons'])
		cpSync(join(checkout, name), join(folder, name), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test(
	'reports an error with its place',
	async () => {
		writeFileSync(
			join(folder, 'nodes', 'bad.ts'),
			'const unused = 1;\nexport const other = process.env;\n',
		);
		await expect(lintAsN8nNode(folder)).rejects.toThrow(
			/complains:[^]*bad\.ts[^]*no-unused-vars[^]*no-restricted-globals/,
		);
	},
	LIMIT_MS,
);

test(
	'reports a warning, too',
	async () => {
		// A directive that switches nothing off.
		writeFileSync(
			join(folder, 'nodes', 'bad.ts'),
			'// eslint-disable-next-line no-console\nexport const used = 1;\n',
		);
		await expect(lintAsN8nNode(folder)).rejects.toThrow(/bad\.ts[^]*0 errors, 1 warning/);
	},
	LIMIT_MS,
);
