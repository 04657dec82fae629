import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { faultSchemaFor } from '../../sandbox/faults/schema.mts';

const ROOT = join(import.meta.dirname, '..', '..');
const guide = readFileSync(join(ROOT, 'docs', 'sandbox.md'), 'utf8');

/** `GET /_sandbox/deliveries/{}`: a route whatever its parameter is called. */
const plain = (method: string, path: string) =>
	`${method.toUpperCase()} ${path.replace(/:\w+|\{\w+\}/g, '{}')}`;

it('the guide describes every route of the control API, and no other', () => {
	const folder = join(ROOT, 'sandbox', 'http', 'control');
	const source = readdirSync(folder)
		.map((name) => readFileSync(join(folder, name), 'utf8'))
		.join('\n');
	const routes = [...source.matchAll(/app\.(get|post|patch|delete)\('(\/_sandbox\/[^']+)'/g)].map(
		([, method, path]) => plain(method!, path!),
	);
	const described = [...guide.matchAll(/`(GET|POST|PATCH|DELETE) (\/_sandbox\/[\w/{}-]+)/g)].map(
		([, method, path]) => plain(method!, path!),
	);
	// Told in a sentence rather than in the table.
	described.push('GET /_sandbox/faults', 'DELETE /_sandbox/faults');
	expect(routes.length).toBeGreaterThan(25);
	expect([...new Set(described)].sort()).toEqual([...new Set(routes)].sort());
});

it.each(['route', 'webhook'])('the guide describes every fault of a %s', (on) => {
	const kinds = [...faultSchemaFor(on).optionsMap.keys()];
	const section = guide.split(`| on a \`${on}\``)[1]!.split('\n\n')[0]!;
	expect(kinds.filter((kind) => !section.includes(`\`${String(kind)}\``))).toEqual([]);
});
