/**
 * What a command prints goes through here, because much of it holds words of others: of a workflow,
 * of a service, of a script.
 */
import { inspect } from 'node:util';

import { printable } from './client/printable.mts';

export { printable };

export const print = (text: string): void => console.log(printable(text));

/** @param error a sentence, or an error to be printed with its stack */
export const printError = (error: unknown): void =>
	console.error(printable(typeof error === 'string' ? error : inspect(error)));
