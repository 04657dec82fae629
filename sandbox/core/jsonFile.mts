import { readFileSync } from 'node:fs';

import type { z } from 'zod';

import { StartError } from './errors.mts';

/**
 * The contents of a file that an option names.
 *
 * @param form what a wrong file is, in a sentence
 * @throws StartError that names the wrong field
 */
export function readJson<T>(
	option: string,
	file: string,
	schemaOf: (content: unknown) => z.ZodType<T, z.ZodTypeDef, unknown>,
	{ form, remedy = '' }: { form: string; remedy?: string },
): T {
	let content: unknown;
	try {
		content = JSON.parse(readFileSync(file, 'utf8'));
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new StartError(`${option}: cannot read ${file} as JSON: ${reason}.`);
	}
	const parsed = schemaOf(content).safeParse(content);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	const place = issue?.path.length ? `, at ${issue.path.join('.')}` : '';
	throw new StartError(`${option}: ${file} ${form}. Wrong${place}: ${issue?.message}.${remedy}`);
}
