import type { IDataObject } from 'n8n-workflow';

/** An object that is neither a list nor null. */
export function isPlainObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is a plain object, or else an empty one. */
export function asPlainObject(value: unknown): IDataObject {
	return isPlainObject(value) ? value : {};
}
