/** Reads a script, and reports each problem with its line, field and remedy. */
import { isMap, isNode, isScalar, LineCounter, type Pair, parseDocument } from 'yaml';
import type { z } from 'zod';

import { valuesOf } from './aliases.mts';
import { ScriptError } from './scriptError.mts';
import { RESERVED, type Script, scriptSchema, SHORT, type Step } from './schema.mts';

/** A script with the lines of its steps. */
export interface ParsedScript {
	script: Script;
	/** The line of a step, starting at 1. */
	lineOf: (step: Step) => number;
}

type Path = ReadonlyArray<string | number>;

/**
 * @param file the script's name in errors
 * @throws ScriptError with a line `file:line: field: problem` for each problem
 */
export function parseScript(text: string, file: string): ParsedScript {
	const lines = new LineCounter();
	const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
	const refuse = (problems: ReadonlyArray<{ line: number; what: string }>) =>
		new ScriptError(problems.map(({ line, what }) => `${file}:${line}: ${what}`).join('\n'));
	if (document.errors.length > 0)
		throw refuse(
			document.errors.map(({ message, pos }) => ({
				line: lines.linePos(pos[0]).line,
				what: `is not valid YAML: ${message}. Look for a missing space or bracket; a text with ': ' or '#' in it, or that begins with a sign, needs quotes`,
			})),
		);
	const lineAt = (path: Path): number => {
		for (let length = path.length; length > 0; length -= 1) {
			const offset = offsetOf(document, path.slice(0, length));
			if (offset !== undefined) return lines.linePos(offset).line;
		}
		return 1;
	};
	const written = valuesOf(document);
	if ('what' in written)
		throw refuse([{ line: lines.linePos(written.offset).line, what: written.what }]);
	const parsed = scriptSchema.safeParse(writtenOut(written.values));
	const places = new Map<Step, Path>();
	for (const [index, step] of (parsed.data?.steps ?? []).entries()) {
		places.set(step, ['steps', index]);
		for (const [inner, one] of (step.together ?? []).entries())
			places.set(one, ['steps', index, 'together', inner]);
	}
	const problems = parsed.success
		? strangersIn(parsed.data)
		: parsed.error.issues.map((issue) => ({ path: issue.path, what: describe(issue) }));
	if (!parsed.success || problems.length > 0)
		throw refuse(
			problems.map(({ path, what }) => ({ line: lineAt(path), what: `${fieldAt(path)}${what}` })),
		);
	return { script: parsed.data, lineOf: (step) => lineAt(places.get(step) ?? []) };
}

/** Position in the text of the value at a path, or of its key if it has one. */
function offsetOf(document: ReturnType<typeof parseDocument>, path: Path): number | undefined {
	const parent: unknown =
		path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
	const key = path.at(-1);
	if (isMap(parent)) {
		const pair = parent.items.find((item: Pair) => isScalar(item.key) && item.key.value === key);
		return isNode(pair?.key) ? pair.key.range?.[0] : undefined;
	}
	const node: unknown = document.getIn(path, true);
	return isNode(node) ? node.range?.[0] : undefined;
}

/** `step 3: ana.gets: `, counted from 1. */
const fieldAt = (path: Path): string => {
	const named: string[] = [];
	for (const [index, part] of path.entries())
		if (typeof part === 'string') named.push(part);
		else if (index === 1 && path[0] === 'steps') named.splice(0, 1, `step ${part + 1}:`);
		else named[named.length - 1] += ` ${part + 1}`;
	const field = named.join('.').replace(':.', ': ');
	return field === '' || field.endsWith(':') ? `${field} `.trimStart() : `${field}: `;
};

function describe(issue: z.ZodIssue): string {
	switch (issue.code) {
		case 'unrecognized_keys':
			return `there is no ${issue.keys.map((key) => `'${key}'`).join(', ')} here. sandbox/docs/rehearsal.md of the sandbox's repository has the form`;
		case 'invalid_type':
			return issue.received === 'undefined' ? 'is missing' : issue.message;
		default:
			return issue.message;
	}
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const mapped = (value: unknown, map: (inner: unknown, key: string) => unknown): unknown =>
	isObject(value)
		? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, map(inner, key)]))
		: value;

/** The script with its short forms expanded. Other values stay unchanged. */
function writtenOut(script: unknown): unknown {
	const action = (value: unknown): unknown => {
		const [, verb, rest] = (typeof value === 'string' && SHORT.exec(value)) || [];
		const long = verb === undefined ? value : { [verb]: rest };
		return mapped(long, (inner, key) =>
			key === 'gets' && typeof inner === 'string' ? { text: inner } : inner,
		);
	};
	const step = (value: unknown): unknown =>
		mapped(value, (inner, key) => {
			if (key === 'together' && Array.isArray(inner)) return inner.map(step);
			return RESERVED.some((reserved) => reserved === key) ? inner : action(inner);
		});
	return mapped(script, (value, key) =>
		key === 'steps' && Array.isArray(value) ? value.map(step) : value,
	);
}

interface Misplaced {
	path: Path;
	what: string;
}

/** Steps of customers that the script does not define. */
function strangersIn({ customers, steps }: Script): Misplaced[] {
	const known = Object.keys(customers);
	const remedy = `Add it under customers, which has ${known.join(', ') || 'nobody'}`;
	const inStep = (step: Step, path: Path): Misplaced[] => [
		...Object.keys(step)
			.filter((key) => !RESERVED.some((reserved) => reserved === key) && !known.includes(key))
			.map((key) => ({ path: [...path, key], what: `is not a customer. ${remedy}` })),
		...(step.business !== undefined && !known.includes(step.business.to)
			? [
					{
						path: [...path, 'business', 'to'],
						what: `'${step.business.to}' is not a customer. ${remedy}`,
					},
				]
			: []),
		...(step.together ?? []).flatMap((inner, index) =>
			inStep(inner as Step, [...path, 'together', index]),
		),
	];
	return [
		...known
			.filter((key) => RESERVED.some((reserved) => reserved === key))
			.map((key) => ({
				path: ['customers', key],
				what: 'is reserved in scripts. Choose another name',
			})),
		...steps.flatMap((step, index) => inStep(step, ['steps', index])),
	];
}
