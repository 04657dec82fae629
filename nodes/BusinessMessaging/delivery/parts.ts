import type { IDataObject } from 'n8n-workflow';

import type { MessageAttachment, MessageContent } from '../service/contract';
import { BUTTON_REPLY_FIELDS, ID_PATTERN } from '../service/contract';
import { isPlainObject } from '../shared/plainObject';

/** What the service keeps for itself, at every depth. `__proto__` is no field of anything. */
const INTERNAL = new Set(['@class', 'state_items', 'internal_information', '__proto__']);
/** How deep in a part internals are looked for, and in how many objects and lists of a message. Real parts have three levels and a dozen. */
const DEPTH_MAX = 20;
const LOOKED_INTO_MAX = 10_000;

/** Takes the service's internals out of a part: a content or an attachment. What is not looked into any more stays as it came. */
export type PartCleaner = (part: MessageContent | MessageAttachment) => IDataObject;

/** Makes the cleaner of one message, which looks into a bounded number of objects in all. */
export function partCleaner(): PartCleaner {
	let left = LOOKED_INTO_MAX;

	function cleanObject(given: object, depth: number): IDataObject {
		// A loop: every delivery passes here.
		const cleaned: Record<string, unknown> = {};
		for (const [name, value] of Object.entries(given))
			if (!INTERNAL.has(name) && !isInternalId(name, given, depth))
				cleaned[name] = clean(value, depth + 1);
		return cleaned as IDataObject;
	}

	function clean(value: unknown, depth: number): unknown {
		if (typeof value !== 'object' || value === null || depth > DEPTH_MAX || left === 0)
			return value;
		left -= 1;
		return Array.isArray(value)
			? value.map((element: unknown) => clean(element, depth + 1))
			: cleanObject(value, depth);
	}

	return (part) => cleanObject(part, 1);
}

/** A part and the parts in it (buttons, contacts, …), which have a type, carry an id of their own. Elsewhere an identifier is somebody's: a number, say. */
function isInternalId(name: string, of: object, depth: number): boolean {
	if (name !== 'identifier') return false;
	if (depth === 1) return true;
	const { type, identifier } = of as IDataObject;
	return typeof type === 'string' && typeof identifier === 'string' && ID_PATTERN.test(identifier);
}

/** An attachment with the names of our own for what is published, and whatever else it has as it is. */
export function simplifyAttachment(attachment: MessageAttachment, clean: PartCleaner): IDataObject {
	const { type, url, caption, thumbnail_url: thumbnailUrl, ...more } = attachment;
	return {
		type: type ?? null,
		url: url ?? null,
		...(typeof caption === 'string' ? { caption } : {}),
		...(typeof thumbnailUrl === 'string' ? { thumbnailUrl } : {}),
		...clean(more),
	};
}

/** Whether a content has more than its text. What else it can have is not published, so it is given as it is. */
export function isMoreThanText({ type, message, ...more }: IDataObject): boolean {
	return (
		type !== 'TEXT' ||
		(typeof message === 'object' && message !== null) ||
		Object.values(more).some((value) => value !== null)
	);
}

export interface ButtonReply extends IDataObject {
	id: string;
	title: string;
}

/** The button that a customer tapped: an object in a content, not in the list of those that were offered. */
export function findButtonReply(contents: readonly MessageContent[]): ButtonReply | undefined {
	const [idField, titleField] = BUTTON_REPLY_FIELDS;
	for (const value of contents.flatMap((content) => Object.values(content))) {
		if (!isPlainObject(value)) continue;
		const { [idField]: id, [titleField]: title } = value;
		if (typeof id === 'string' && typeof title === 'string') return { id, title };
	}
	return undefined;
}
