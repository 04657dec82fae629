/**
 * The context for one request that this signal ends. n8n's helper replaces the signal of a request
 * with that of the context, wherever the context has such a method.
 *
 * Can go once `httpRequestWithAuthentication` heeds the `abortSignal` that it is given.
 */
export const withCancelSignal = <Context extends object>(
	context: Context,
	signal: AbortSignal,
): Context =>
	Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as Context;
