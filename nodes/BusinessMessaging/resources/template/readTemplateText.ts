import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { TEMPLATE_DEPTH_MAX } from '../../service/contract';
import { isDeeperThan } from '../../service/readBody';
import { jsonOf, readRows } from '../../shared/parameters';

/** A variable in an expression, in whose braces n8n's editor writes blanks. */
const WRITTEN = /\{\{ {0,4}(\w{1,64}) {0,4}\}\}/g;
/** What stands for it while n8n evaluates the expression. */
const KEPT = /\uE000(\w{1,64})\uE001/g;

/**
 * The value of a field that can have a template's variables. n8n's editor makes an expression of
 * every text with braces, and would take `{{1}}` for the number 1.
 */
export function readTemplateText(
	context: IExecuteFunctions,
	path: string,
	itemIndex: number,
): unknown {
	const written: unknown = context.getNodeParameter(path, itemIndex, '', { rawExpressions: true });
	if (typeof written !== 'string' || !written.startsWith('='))
		return context.getNodeParameter(path, itemIndex, '');
	const kept = written.slice(1).replace(WRITTEN, '\uE000$1\uE001');
	const value: unknown = context.evaluateExpression(kept, itemIndex);
	return typeof value === 'string' ? value.replace(KEPT, '{{$1}}') : value;
}

/** Rows, of which one field can have variables. */
export const readTemplateRows = (
	context: IExecuteFunctions,
	path: string,
	field: string,
	index: number,
): IDataObject[] =>
	readRows(context, path, index).map((row, at) => {
		const text = readTemplateText(context, `${path}[${at}].${field}`, index);
		// Rows that an expression gives have no fields of their own.
		return text === '' ? row : { ...row, [field]: text as IDataObject[string] };
	});

/**
 * The JSON of a field that can have variables.
 * @throws Error that names the field
 */
export function readTemplateJson(
	context: IExecuteFunctions,
	path: string,
	label: string,
	index: number,
): unknown {
	const given = jsonOf(readTemplateText(context, path, index), label);
	if (!isDeeperThan(TEMPLATE_DEPTH_MAX, given)) return given;
	throw new Error(
		`"${label}" is nested more than ${TEMPLATE_DEPTH_MAX} levels deep, and no template is. Look at what the expression puts into it.`,
	);
}
