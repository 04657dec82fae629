import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '../../../scripts/checkout.mts';
import { readManifest } from '../../../scripts/n8n/package.mts';

const changelog = readFileSync(join(checkout, 'CHANGELOG.md'), 'utf8');
const headings = [...changelog.matchAll(/^## \[(.+?)\](?: - (\S+))?$/gm)].map(
	([, version = '', date]) => ({ version, date }),
);

test("the package's version has an entry with a date, the newest of all", () => {
	expect(headings[0]).toEqual({ version: 'Unreleased', date: undefined });
	expect(headings[1]?.version).toBe(readManifest(checkout).version);
	for (const { date } of headings.slice(1)) expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
});

test('every entry has a link', () => {
	for (const { version } of headings) expect(changelog).toContain(`\n[${version}]: https://`);
});
