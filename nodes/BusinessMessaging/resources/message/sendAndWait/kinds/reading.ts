import type { IDataObject } from 'n8n-workflow';

import { wordsOf } from '../../../../shared/parameters';

/**
 * A value as text, or the fallback if it is blank.
 * @throws Error that names the field, if it is a list or an object
 */
export function textOr(value: unknown, label: string, fallback: string): string {
	const given = wordsOf(value, `"${label}"`);
	return given.trim() === '' ? fallback : given;
}

/** @throws Error that names the field */
export function readCount(value: unknown, label: string, fallback: number): number {
	const number = Number(value ?? fallback);
	if (Number.isFinite(number) && number >= 0) return number;
	throw new Error(`"${label}" must be a number of 0 or more.`);
}

export const readLinkLabel = ({ messageButtonLabel }: IDataObject): string =>
	textOr(messageButtonLabel, 'Message Button Label', 'Respond');
