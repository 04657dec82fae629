import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { type Failure, notDone, ServiceError } from './serviceError';

/**
 * Makes the error that n8n shows, and nothing else does. Its message says what happened, its
 * description what to do. The editor shows the message as text and the description as HTML, so the
 * description is escaped.
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
	try {
		return newNodeError(node, error, itemIndex);
	} catch {
		// What is thrown while an error is made could quote what the error must not hold.
		return new NodeOperationError(node, 'The error could not be described');
	}
}

function newNodeError(
	node: INode,
	error: unknown,
	itemIndex: number | undefined,
): NodeApiError | NodeOperationError {
	if (error instanceof ServiceError) {
		const { details, status } = error;
		const message = namingCredential(node, error.message);
		const description = namingCredential(node, error.description);
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
		// n8n puts its own sentence in place of a message that has one of sixteen system words anywhere
		// in it: EPERM is in "Pepermunt".
		nodeError.message = message;
		return nodeError;
	}
	const own = asError(error);
	const about = itemIndex === undefined ? {} : { itemIndex };
	const nodeError = new NodeOperationError(node, own, about);
	nodeError.message = namingCredential(node, own.message);
	return nodeError;
}

/** Says which one "in the credential" is. n8n stores the name of each with the node. */
function namingCredential({ credentials = {} }: INode, text: string): string {
	const name = Object.values(credentials)[0]?.name;
	return name
		? text.replace(/\b(?:in|of) the credential\b/g, (words) => `${words} "${name}"`)
		: text;
}

/** What their messages quote may be a secret: a text to parse, a pattern, a value. */
const QUOTING = ['SyntaxError', 'RangeError', 'URIError', 'ZodError'];

/** Anything can be thrown. What would quote data, or cannot be told, becomes a fixed sentence. */
export function asError(error: unknown): Error {
	try {
		if (!(error instanceof Error)) return new Error(String(error));
		if (!QUOTING.includes(error.name)) return error;
		return new Error(`Something in the node failed that should not fail (${error.name})`);
	} catch {
		return new Error('Something in the node failed that should not fail');
	}
}

/** What SQLite, its pool and PostgreSQL's say, and n8n in their place. */
const IS_BUSY =
	/SQLITE_BUSY|database is locked|operation timed out for an unknown reason|timeout exceeded when trying to connect|database connection within the configured timeout/;

/** The same error, unless n8n's database was busy. @param action as of a ServiceError */
export const orBusy = (error: Error, action: string): Error =>
	IS_BUSY.test(error.message)
		? notDone(action, 'n8n_busy', {
				cause: "n8n's database was busy",
				hint: 'Nothing was sent. Try again, or turn on "Retry On Fail" in the node\'s settings.',
			})
		: error;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Escapes a text that n8n's editor shows as HTML: descriptions of errors, and hints. They quote
 * others, who could have written a link. The text never enters an attribute, so quotes can stay.
 */
export const asHtml = (text: string): string =>
	text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);

/** What to do about a refusal, by a part of the service's message. */
export type Hints = ReadonlyArray<readonly [message: string, hint: string]>;

/** The hint that fits the service's message. */
export function hintIn(
	hints: Hints,
	{ failure: { serviceMessage } }: ServiceError,
): { hint: string } | undefined {
	const known = hints.find(([part]) => serviceMessage?.includes(part));
	return known && { hint: known[1] };
}

/** What a request gives. @param changesOf what its error says otherwise, if anything */
export const saying = async <Result>(
	result: Promise<Result>,
	changesOf: (error: ServiceError) => Partial<Failure> | undefined,
): Promise<Result> =>
	await result.catch((error: unknown) => {
		if (!(error instanceof ServiceError)) throw asError(error);
		const changes = changesOf(error);
		throw changes ? error.but(changes) : error;
	});
