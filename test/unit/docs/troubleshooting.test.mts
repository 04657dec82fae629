import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '../../../scripts/checkout.mts';

const source = globSync('nodes/**/*.ts', { cwd: checkout })
	.map((file) => readFileSync(join(checkout, file), 'utf8'))
	.join('\n');

const page = readFileSync(join(checkout, 'docs', 'troubleshooting.md'), 'utf8');
const symptoms = [...page.matchAll(/^\| (.+?) \| /gm)].map(([, symptom = '']) => symptom);
/** What people see, word for word. … is a part that varies. */
const quoted = symptoms.flatMap((symptom) =>
	[...symptom.matchAll(/"([^"]+)"/g)].map(([, words = '']) => words),
);

test('lists words to search for', () => {
	expect(quoted.length).toBeGreaterThan(6);
});

test.each(quoted)('the nodes say what the page tells people to search for: %s', (words) => {
	for (const part of words.split('…')) expect(source).toContain(part.trim());
});
