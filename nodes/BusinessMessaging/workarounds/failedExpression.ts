import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

/**
 * The same context, whose errors of expressions name the field and the item. n8n's own name
 * neither: "invalid syntax", "Referenced node doesn't exist".
 * @param fields those of the operation
 */
export function namingExpressions(
	context: IExecuteFunctions,
	fields: readonly INodeProperties[],
): IExecuteFunctions {
	const getNodeParameter = (name: string, itemIndex: number, ...more: [fallback?: unknown]) => {
		try {
			return context.getNodeParameter(name, itemIndex, ...more);
		} catch (error) {
			throw withPlace(error, `"${labelOf(name, fields)}" fails for item ${itemIndex}`);
		}
	};
	return Object.create(context, {
		getNodeParameter: { value: getNodeParameter },
	}) as typeof context;
}

/** Changes the error in place, because n8n's errors hold more than a message. */
function withPlace(error: unknown, place: string): unknown {
	if (isOfExpression(error))
		error.message = `The expression in ${place}, counted from 0: ${error.message}`;
	return error;
}

/** n8n gives such an error the expression as its cause. */
const isOfExpression = (error: unknown): error is Error =>
	error instanceof Error && Object.hasOwn(error, 'cause');

/** @param path also that of a field in a collection */
function labelOf(path: string, fields: readonly INodeProperties[]): string {
	const [name] = path.split('.');
	return fields.find((field) => field.name === name)?.displayName ?? path;
}
