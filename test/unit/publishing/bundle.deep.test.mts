import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import ts from 'typescript';

import { build, BUNDLE } from '#scripts/build.mts';
import { checkout } from '#scripts/checkout.mts';

const kilobytes = (text: string): number => gzipSync(text, { level: 9 }).length / 1000;

test('the bundle has at most 94 kB of code and 45 kB of texts, compressed', async () => {
	await build();
	const bundle = readFileSync(join(checkout, 'dist', BUNDLE), 'utf8');
	const source = ts.createSourceFile('bundle.js', bundle, ts.ScriptTarget.ES2022);
	const texts: string[] = [];
	let code = '';
	let at = 0;
	const visit = (node: ts.Node): void => {
		ts.forEachChild(node, visit);
		if (!ts.isStringLiteral(node) && !ts.isTemplateLiteralToken(node)) return;
		const start = node.getStart(source);
		texts.push(bundle.slice(start, node.end));
		code += `${bundle.slice(at, start)}''`;
		at = node.end;
	};
	visit(source);
	code += bundle.slice(at);
	expect(texts.length).toBeGreaterThan(5000);
	expect(kilobytes(code)).toBeLessThanOrEqual(94);
	expect(kilobytes(texts.join('\n'))).toBeLessThanOrEqual(45);
}, 120_000);
