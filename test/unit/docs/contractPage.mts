import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import * as contract from '#sandbox/contract.mts';
import { checkout } from '#scripts/checkout.mts';
import { describeSchema } from './describeSchema.mts';

const CONTRACT_FOLDER = join(checkout, 'nodes', 'BusinessMessaging', 'service', 'contract');
/** The nodes' assumptions come first. */
const ASSUMPTIONS = [
	join(CONTRACT_FOLDER, 'assumptions.ts'),
	join(checkout, 'sandbox', 'assumptions.mts'),
];
const BLOCK = /<!-- generated: (\w+)(?: (\w+))? -->\n[^]*?<!-- end -->/g;

/** The page with the blocks between its marks rewritten from the code. */
export function renderContractPage(page: string): string {
	return page.replace(BLOCK, (_block, kind: string, name = '') => {
		const mark = name === '' ? kind : `${kind} ${String(name)}`;
		return [`<!-- generated: ${mark} -->`, ...linesOf(kind, String(name)), '<!-- end -->'].join(
			'\n',
		);
	});
}

/** The names of the schemas whose fields the page shows. */
export function schemasOn(page: string): string[] {
	return [...page.matchAll(BLOCK)]
		.filter(([, kind]) => kind === 'fields')
		.map(([, , name]) => name ?? '');
}

function linesOf(kind: string, name: string): string[] {
	switch (kind) {
		case 'fields':
			return fieldList(name);
		case 'assumptions':
			return assumptionList();
		default:
			throw new Error(`docs/contract.md asks for a block of a kind that does not exist: ${kind}`);
	}
}

function fieldList(name: string): string[] {
	const schema = exported(name);
	if (!(schema instanceof z.ZodType))
		throw new Error(`docs/contract.md names a schema that does not exist: ${name}`);
	const sources = /Source: (.+)$/s.exec(docstringOf(name))?.[1];
	if (sources === undefined)
		throw new Error(
			`the docstring of ${name} does not say where the schema comes from ("Source: …")`,
		);
	const rows = describeSchema(schema).map(
		({ path, type }) => path + (type === 'text' ? '' : `: ${type}`),
	);
	const source = sources === 'published.' ? [] : [`Source: ${sources}`, ''];
	return ['', '```', ...rows, '```', '', ...source];
}

/** The names of the assumptions, in the order of the code. */
export function assumptionNames(): string[] {
	const code = ASSUMPTIONS.map((file) => readFileSync(file, 'utf8')).join('\n');
	return [...code.matchAll(/^export const (\w+)/gm)].map(([, name]) => name ?? '');
}

function assumptionList(): string[] {
	const entries = assumptionNames().map(
		(name) =>
			`- \`${name}\`: ${valueOf(exported(name))}. ${docstringOf(name).replace(USUAL_DOUBT, '')}`,
	);
	return ['', ...entries, ''];
}

const exported = (name: string): unknown =>
	Object.entries(contract).find(([known]) => known === name)?.[1];

/** The page says it once. */
const USUAL_DOUBT = / Doubt: nothing is published\.$/;
/** A longer value is read in the code. */
const MOST_LETTERS = 150;
const valueOf = (value: unknown): string => {
	const text = value instanceof RegExp ? String(value) : JSON.stringify(value);
	return text.length <= MOST_LETTERS ? `\`${text}\`` : '(long)';
};

const source = readdirSync(CONTRACT_FOLDER)
	.map((file) => join(CONTRACT_FOLDER, file))
	.concat(ASSUMPTIONS, join(checkout, 'sandbox', 'contract.mts'))
	.map((file) => readFileSync(file, 'utf8'))
	.join('\n');

/** The code's own words for an exported constant, on one line. */
function docstringOf(name: string): string {
	const [, comment = ''] =
		new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\nexport const ${name}\\b`).exec(source) ?? [];
	const text = comment
		.replace(/\n\s*\*/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();
	if (text === '') throw new Error(`${name} has no docstring in service/contract/`);
	return text;
}
