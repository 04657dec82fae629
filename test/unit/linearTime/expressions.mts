/** Finds every regular expression and normalisation in the code by its syntax tree. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import ts from 'typescript';

import { checkout } from '../../../scripts/checkout.mts';

export interface FoundExpression {
	/** From the checkout's root. */
	file: string;
	/** Its source: `/a+/g`, `new RegExp(word)`, `.normalize('NFKC')`. */
	text: string;
	/** The expression itself; undefined where the code makes it as it runs, and of normalisations. */
	regex?: RegExp;
}

/** What the lists of tests call an expression by. */
export const idOf = ({ file, text }: FoundExpression): string => `${file} ${text}`;

/** The expressions of a file's text, in their order. */
export function expressionsIn(file: string, code: string): FoundExpression[] {
	const source = ts.createSourceFile(
		file,
		code,
		ts.ScriptTarget.Latest,
		true,
		file.endsWith('.js') ? ts.ScriptKind.JS : ts.ScriptKind.TS,
	);
	const found: FoundExpression[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isRegularExpressionLiteral(node))
			found.push({ file, text: node.text, regex: toRegExp(node.text) });
		if (
			(ts.isNewExpression(node) || ts.isCallExpression(node)) &&
			ts.isIdentifier(node.expression) &&
			node.expression.text === 'RegExp'
		)
			found.push({ file, text: node.getText(source) });
		if (
			ts.isCallExpression(node) &&
			ts.isPropertyAccessExpression(node.expression) &&
			node.expression.name.text === 'normalize'
		) {
			found.push({
				file,
				text: node.getText(source).slice(node.expression.expression.getText(source).length).trim(),
			});
		}
		// n8n runs what a text that begins with "=" holds in double braces.
		if (ts.isStringLiteralLike(node) && node.text.startsWith('='))
			for (const inner of evaluatedParts(node.text)) found.push(...expressionsIn(file, inner));
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** The expressions of all code below these folders of the checkout. */
export function expressionsOf(...folders: string[]): FoundExpression[] {
	return folders.flatMap((folder) =>
		readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) =>
				['.ts', '.mts', '.js', '.mjs', '.cjs'].some((ending) => name.endsWith(ending)),
			)
			.sort()
			.map((name) => join(checkout, folder, name))
			.flatMap((path) => expressionsIn(relative(checkout, path), readFileSync(path, 'utf8'))),
	);
}

export function evaluatedParts(text: string): string[] {
	return text
		.split('{{')
		.slice(1)
		.map((part) => part.split('}}')[0] ?? '');
}

function toRegExp(literal: string): RegExp {
	const end = literal.lastIndexOf('/');
	return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}
