import { z } from 'zod';

/** Ids are 32 hexadecimal characters; the service writes them in upper case. Source: description. Some are written as UUIDs, with hyphens: published. */
export const ID_PATTERN =
	/^(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/;
/** The same in words, for errors and hints. */
export const ID_FORM = '32 hexadecimal characters, with or without hyphens';
export const idSchema = z.string().regex(ID_PATTERN, `must be ${ID_FORM}`);

/** One text for all the ways in which an id is written: for comparisons and keys alone. What is sent stays as it was written. */
export const idKey = (id: string): string => id.trim().replaceAll('-', '').toUpperCase();

/** Whether both are the same id, however they are written. */
export const isSameId = (one: string | undefined, other: string | undefined): boolean =>
	one !== undefined && other !== undefined && idKey(one) === idKey(other);

/** A text of one character or more. */
export const requiredText = z.string().min(1);
