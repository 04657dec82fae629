import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '../../../scripts/checkout.mts';
import { gapsIn, readCompatibility, withTable } from '../../../scripts/compatibility.mts';

test('the table names every n8n that the package supports', () => {
	expect(gapsIn(readCompatibility())).toEqual([]);
});

test("the README's table shows the recorded runs", () => {
	const readme = readFileSync(join(checkout, 'README.md'), 'utf8');
	expect(readme).toBe(withTable(readme, readCompatibility()));
});
