import {
	errorASchema,
	errorBSchema,
	errorCSchema,
	errorDSchema,
	innerErrorSchema,
	innerErrorsSchema,
	MEDIA_SUB_CODE_PATTERN,
} from './contract';

/** Inner errors that are quoted. */
const INNER_MAX = 5;

/**
 * The service's own words in an error body of any of its shapes (docs/contract.md), as they are: secrets are for the caller to take out. What stands
 * behind `http` may use the second shape, too.
 */
export function readServiceMessage(body: unknown): string | undefined {
	const outer =
		errorASchema.safeParse(body).data?.message ??
		errorBSchema.safeParse(body).data?.error ??
		errorCSchema.safeParse(body).data?.message;
	const inner =
		errorDSchema.safeParse(body).data?.error.errors ??
		(outer === undefined ? undefined : innerErrorsSchema.safeParse(body).data?.value.errors);
	const quoted = (inner ?? [])
		.slice(0, INNER_MAX)
		.map(wordsOfInner)
		.filter((words) => words.trim())
		.join('; ');
	// An error without words says nothing of what became of the request.
	return [outer, quoted].filter((words) => words?.trim()).join(': ') || undefined;
}

function wordsOfInner(entry: unknown): string {
	if (typeof entry === 'string') return entry;
	const { message = '', code } = innerErrorSchema.safeParse(entry).data ?? {};
	return code === undefined || code === null ? message : `${message} (${code})`;
}

/** What went wrong with media, as a code to branch on. Undefined for any other error. */
export function readMediaSubCode(body: unknown): string | undefined {
	const { subCode } = errorCSchema.safeParse(body).data ?? {};
	return typeof subCode === 'string' && MEDIA_SUB_CODE_PATTERN.test(subCode) ? subCode : undefined;
}
