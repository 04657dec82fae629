import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { faultSchemaFor } from '#sandbox/faults/schema.mts';

const ROOT = join(import.meta.dirname, '..', '..');
const guide = readFileSync(join(ROOT, 'sandbox', 'docs', 'control-api.md'), 'utf8');

/** `GET /_sandbox/deliveries/{}`: a route without its parameter's name. */
const plain = (method: string, path: string) =>
	`${method.toUpperCase()} ${path.replace(/:\w+|\{\w+\}/g, '{}')}`;

it('describes every route of the control API, and no other', () => {
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
	// The page describes it in words, as `DELETE` without the id.
	described.push('DELETE /_sandbox/faults');
	expect(routes.length).toBeGreaterThan(25);
	expect([...new Set(described)].sort()).toEqual([...new Set(routes)].sort());
});

it.each(['route', 'webhook'])('describes every fault of a %s', (on) => {
	const kinds = [...faultSchemaFor(on).optionsMap.keys()];
	const section = guide.split(`| on a \`${on}\``)[1]!.split('\n\n')[0]!;
	expect(kinds.filter((kind) => !section.includes(`\`${String(kind)}\``))).toEqual([]);
});
