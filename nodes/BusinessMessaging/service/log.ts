import type { IExecuteFunctions } from 'n8n-workflow';

import { asError } from './errors/nodeError';

/** Signs that change the direction of the text behind them, so words of ours could be reordered. */
export const DIRECTIONS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/**
 * `\s` lacks U+0085, a line break. Signs without width part blanks, and of them and the letters
 * some are blank, but joiners within a word are a part of it.
 */
const BLANKS = /(?!(?:\u200C|\u200D|\uFE0F)\S)[\s\p{Cc}\p{DI}\u2800]+/gu;
/** UTF-16 units for a character at most, so that a long text is not split in whole. */
const UNITS = 2;

/**
 * Words of somebody else, such as a name, to be put into a text of ours: one line, so that they
 * cannot look like a paragraph of ours, and bounded.
 * @param most characters
 */
export function oneLine(words: string, most: number): string {
	const line = words.replace(DIRECTIONS, '').replace(BLANKS, ' ').trim();
	return Array.from(line.slice(0, most * UNITS))
		.slice(0, most)
		.join('')
		.trimEnd();
}

/** Characters of a line. A message of the service has 2,000. */
const LINE_MAX = 10_000;

type Logging = Pick<IExecuteFunctions, 'getNode' | 'getWorkflow' | 'logger'>;

/** The only way to n8n's log: what others wrote must begin no line, nor command a terminal. */
export function log(context: Logging, level: 'info' | 'warn' | 'error', message: string): void {
	const { id, name } = context.getWorkflow();
	context.logger[level](oneLine(message, LINE_MAX), {
		...(id ? { workflowId: id } : {}),
		...(name === undefined ? {} : { workflow: oneLine(name, LINE_MAX) }),
		node: oneLine(context.getNode().name, LINE_MAX),
	});
}

/** For `catch`: says in n8n's log what failed, why, and what comes of it. */
export const warnOf =
	(context: Logging, what: string, then: string) =>
	(error: unknown): void =>
		log(context, 'warn', `${what}: ${asError(error).message}. ${then}`);
