import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { checkout } from '#scripts/checkout.mts';
import type { LintedFile } from './importRule.mts';

/** What the linter says of imports and syntax that it refuses, of each of these files. */
export const complaintsAbout = (files: readonly LintedFile[]): string[][] =>
	JSON.parse(
		execFileSync(
			process.execPath,
			['--import', 'tsx', join(checkout, 'test/support/importRule.mts')],
			{ cwd: checkout, input: JSON.stringify(files), encoding: 'utf8' },
		),
	) as string[][];
