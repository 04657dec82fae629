import type { JsonValue } from 'n8n-workflow';

/** Levels of objects and arrays that a body may have. Real events have about eight; n8n cannot read back an execution with some thousands. */
export const DEPTH_MAX = 100;

/** What a delivery's body holds. A body that is not JSON is taken as text: what the service signed is passed on whole. */
export function readBody(rawBody: Buffer): JsonValue {
	const text = rawBody.toString('utf8').replace(/^\uFEFF/, '');
	try {
		return JSON.parse(text) as JsonValue;
	} catch {
		return text;
	}
}

/** Whether a value is nested deeper than `DEPTH_MAX`. Does not recurse: the value may be nested deeper than the stack. */
export function isNestedTooDeep(value: JsonValue): boolean {
	const open: Array<{ value: JsonValue; depth: number }> = [{ value, depth: 1 }];
	for (let next = open.pop(); next; next = open.pop()) {
		if (typeof next.value !== 'object' || next.value === null) continue;
		if (next.depth > DEPTH_MAX) return true;
		for (const child of Object.values(next.value)) open.push({ value: child, depth: next.depth + 1 });
	}
	return false;
}
