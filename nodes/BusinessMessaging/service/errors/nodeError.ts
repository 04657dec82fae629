import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { asHtml } from './asHtml';
import { ServiceError } from './serviceError';

/**
 * Makes the error that n8n shows. Its message says what happened, its description what to do. The
 * editor shows the message as text and the description as HTML, so the description is escaped.
 */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		if (itemIndex !== undefined) error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (error instanceof ServiceError) {
		const { message, description, details, status } = error;
		// Plain fields only: n8n saves the error, and the response has the headers of the request.
		const nodeError = new NodeApiError(
			node,
			{ message, ...details },
			{
				message,
				description: asHtml(description),
				...(status === undefined ? {} : { httpCode: String(status) }),
				...(itemIndex === undefined ? {} : { itemIndex }),
			},
		);
		nodeError.context.data = details;
		return nodeError;
	}
	return new NodeOperationError(node, asError(error), itemIndex === undefined ? {} : { itemIndex });
}

/** Anything can be thrown. */
export function asError(error: unknown): Error {
	return error instanceof Error ? error : new Error(String(error));
}
