import type { IHookFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { ServiceError, toNodeError } from '../service/errors';
import { asSentence } from '../shared/texts/words';

/** Why a trigger cannot be registered, or receive, in words for the user. */
export class RegistrationError extends Error {
	constructor(
		message: string,
		/** What to do next, in whole sentences. */
		readonly hint: string,
	) {
		super(message);
		this.name = 'RegistrationError';
	}
}

/**
 * The error as n8n shows it. The message also says what to do, because n8n 2.41 shows nothing else
 * when publishing fails. It has no description, because a test would show that below the message,
 * and so say the same twice.
 */
export function toShownError(
	context: IHookFunctions,
	act: string,
	error: unknown,
): NodeApiError | NodeOperationError {
	const begin = `Could not ${act}: `;
	if (error instanceof RegistrationError)
		return toNodeError(context.getNode(), `${begin}${afterColon(error.message)}. ${error.hint}`);
	const nodeError = toNodeError(context.getNode(), error);
	if (error instanceof ServiceError) {
		nodeError.message = `${begin}${asSentence(error.failure.cause)} ${error.description}`;
		nodeError.description = null;
	} else nodeError.message = begin + afterColon(nodeError.message);
	return nodeError;
}

/** A sentence to put after a colon. A first word in capitals stays as it is. */
const afterColon = (sentence: string): string =>
	sentence.charAt(1) === sentence.charAt(1).toUpperCase()
		? sentence
		: sentence.charAt(0).toLowerCase() + sentence.slice(1);
