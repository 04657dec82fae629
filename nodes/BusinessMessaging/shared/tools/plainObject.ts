import type { IDataObject } from 'n8n-workflow';

/** An object that is neither a list nor null. */
export const isPlainObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value if it is a plain object, or else an empty one. */
export const asPlainObject = (value: unknown): IDataObject => (isPlainObject(value) ? value : {});
