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
	'reports errors and warnings with their place',
	async () => {
		const code = 'const unused = 1;\nexport const other = process.env;\n';
		// The directive switches nothing off.
		writeFileSync(
			join(folder, 'nodes', 'bad.ts'),
			`// eslint-disable-next-line no-console\n${code}`,
		);
		await expect(lintAsN8nNode(folder)).rejects.toThrow(
			/complains:[^]*bad\.ts[^]*no-unused-vars[^]*no-restricted-globals[^]* 1 warning/,
		);
	},
	LIMIT_MS,
);
