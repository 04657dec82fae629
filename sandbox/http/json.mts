import type { z } from 'zod';

import { Refusal } from '../core/errors.mts';
import { INVALID_BODY_STATUS } from '../contract.mts';

/**
 * Deepest nesting of a body. Deeper values could be parsed, but writing them overflows the stack.
 */
export const MAX_DEPTH = 64;

export const tooLarge = (limit: number) =>
	new Refusal(413, `The body is larger than ${limit} bytes`);

export const invalid = (message: string) => new Refusal(INVALID_BODY_STATUS, message);

/** The position of a string's closing quote, or the end of a text that has none. */
function endOfString(json: string, start: number): number {
	for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
		let before = end;
		while (json[before - 1] === '\\') before -= 1;
		// An even number of backslashes is not an escape of the quote.
		if ((end - before) % 2 === 0) return end;
	}
	return json.length;
}

/**
 * Whether arrays and objects are nested deeper than `limit`, found without recursion. Ignores
 * brackets inside strings.
 */
function isDeeperThan(json: string, limit: number): boolean {
	let depth = 0;
	for (let index = 0; index < json.length; index += 1) {
		const character = json[index];
		if (character === '"') index = endOfString(json, index);
		else if (character === '[' || character === '{') {
			depth += 1;
			if (depth > limit) return true;
		} else if (character === ']' || character === '}') depth -= 1;
	}
	return false;
}

/** Parses a request body strictly: UTF-8, JSON, limited depth. An empty body is undefined. */
export function parseJson(body: Buffer): unknown {
	if (body.length === 0) return undefined;
	let text: string;
	try {
		text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
	} catch {
		throw invalid('The body is not valid UTF-8');
	}
	if (isDeeperThan(text, MAX_DEPTH))
		throw invalid(`The body is nested more than ${MAX_DEPTH} levels deep`);
	try {
		return JSON.parse(text);
	} catch {
		throw invalid('The body is not valid JSON');
	}
}

/** The problem with a value, with the name of the field. */
export function describeIssue({ issues }: z.ZodError): string {
	const issue = issues[0]!;
	const field = issue.path.join('.');
	const isMissing = 'received' in issue && issue.received === 'undefined';
	if (field === '')
		return isMissing ? 'A JSON body is required' : `The body is not valid: ${issue.message}`;
	if (isMissing || (issue.code === 'too_small' && issue.minimum === 1 && issue.type !== 'number'))
		return `${field} is required`;
	return `${field}: ${issue.message}`;
}

/** The value as the schema reads it. Otherwise a 400 that names the first wrong field. */
export function parseWith<T extends z.ZodTypeAny>(schema: T, value: unknown): z.output<T> {
	const parsed = schema.safeParse(value);
	if (!parsed.success) throw invalid(describeIssue(parsed.error));
	return parsed.data as z.output<T>;
}
