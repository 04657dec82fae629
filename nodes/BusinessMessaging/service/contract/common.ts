import { z, type ZodRawShape, type ZodTypeAny } from 'zod';

import { isPlainObject } from '../parseJson';

/** 32 hexadecimal characters. Source: description. Some are UUIDs with hyphens (published). */
export const ID_PATTERN =
	/^(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/;
/** For errors and hints. */
export const ID_FORM = '32 hexadecimal characters, with or without hyphens';

/** One form of an ID, for comparisons and keys. Requests use the ID as it was entered. */
export const idKey = (id: string): string => id.trim().replaceAll('-', '').toUpperCase();

/** Whether two IDs are the same in different spellings. */
export const isSameId = (one: string | undefined, other: string | undefined): boolean =>
	one !== undefined && other !== undefined && idKey(one) === idKey(other);

export const requiredText = z.string().min(1);

/** A service can write a number where it has texts elsewhere. */
const asText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);

/** Of a response: an ID or a name. */
export const givenText = z.preprocess(asText, requiredText);
export const optionalText = z.preprocess(asText, z.string().nullish());

/** What no request depends on. If it is of another kind, it counts as missing: its entry stays. */
const orNone = <Schema extends ZodTypeAny>(schema: Schema, fits: (value: unknown) => boolean) =>
	z.preprocess((value) => (value === undefined || fits(value) ? value : null), schema.nullish());

const isText = (value: unknown): boolean => typeof value === 'string';

export const anyWords = z.preprocess(asText, orNone(z.string(), isText));
export const anyFlag = orNone(z.boolean(), (value) => typeof value === 'boolean');
export const anyTexts = orNone(
	z.array(z.string()),
	(value) => Array.isArray(value) && value.every(isText),
);
export const anyObject = <Schema extends ZodTypeAny>(schema: Schema) =>
	orNone(schema, isPlainObject);

/** A number, also one that was kept as a text because a number would lose its digits. */
export const anyNumber = z.preprocess(
	(value) => (typeof value === 'string' && /^-?\d{16,}$/.test(value) ? Number(value) : value),
	z.number(),
);

/** An object of which other fields pass through, because the service may add some. */
export const openObject = <Shape extends ZodRawShape>(shape: Shape) =>
	z.object(shape).passthrough();
