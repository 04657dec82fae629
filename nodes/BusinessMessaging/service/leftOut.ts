/** Entries of a list that cannot be read. They are left out, and named in the log. */
import type { ZodErrorMap, ZodIssue } from 'zod';

import { firstOf } from './cutText';
import { type Clean, excerptOf } from './errors/serviceMessage';

/** Where a response has its list. */
export interface ListPlace {
	/** Left out: the response is the list. */
	field?: string;
	onLeftOut?: () => void;
}

/** Entries that are named. */
const NAMED_MAX = 5;

/** @returns what can be read of a response. Undefined if something else than entries is wrong */
export function readableOf(
	body: unknown,
	issues: readonly ZodIssue[],
	{ field }: ListPlace,
	clean: Clean,
) {
	const list = field === undefined ? body : (body as Record<string, unknown>)[field];
	if (!Array.isArray(list)) return undefined;
	const wrong = new Map<number, string>();
	for (const { path } of issues) {
		const inList = field === undefined ? path : path[0] === field ? path.slice(1) : [];
		const [index, ...place] = inList;
		if (typeof index !== 'number') return undefined;
		if (!wrong.has(index)) wrong.set(index, place.join('.'));
	}
	const entries: unknown[] = list.filter((_entry, index) => !wrong.has(index));
	const named = ([index, place]: readonly [number, string]) =>
		`"${place}" of ${nameOf(list[index], index, clean)}`;
	return {
		body: field === undefined ? entries : { ...(body as object), [field]: entries },
		/** Names the entries that are not in the body. */
		leftOut: firstOf([...wrong], NAMED_MAX, named),
	};
}

function nameOf(entry: unknown, index: number, clean: Clean): string {
	const { id, businessId, name } = (entry ?? {}) as Record<string, unknown>;
	const known = [id, businessId, name].find((text) => typeof text === 'string' && text !== '');
	return known === undefined ? `entry ${index + 1}` : `"${excerptOf(known, clean)}"`;
}

/** Sentences that were logged. A list can be read for every delivery. */
const logged = new Set<string>();
const LOGGED_MAX = 1000;

/** Whether something is said for the first time in this process. */
export function isNew(sentence: string): boolean {
	if (logged.has(sentence)) return false;
	if (logged.size === LOGGED_MAX) logged.clear();
	logged.add(sentence);
	return true;
}

/** Ends a reading by an error after too many faults: each takes time, and there can be millions. */
export function countingFaults(most: number): ZodErrorMap {
	let faults = 0;
	return (_issue, { defaultError }) => {
		faults += 1;
		if (faults > most) throw new Error('too many faults');
		return { message: defaultError };
	};
}
