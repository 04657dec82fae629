import type { IHookFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { ServiceError, toNodeError } from '../../service/errors';
import { asSentence } from '../../shared/words';
import { isOfTest } from '../../workarounds/testWebhook';
import { RegistrationError } from './apply';

/** Does what a test or publishing needs. @throws an error as n8n shows it */
export async function withShownErrors<Result>(
	context: IHookFunctions,
	work: () => Promise<Result>,
): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		const act = isOfTest(context) ? 'listen for a test event' : 'publish';
		throw toShownError(context, act, error);
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
