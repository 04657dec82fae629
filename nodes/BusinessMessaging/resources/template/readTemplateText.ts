import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { TEMPLATE_DEPTH_MAX } from '../../service/contract';
import { isDeeperThan } from '../../service/readBody';
import { jsonOf, readRows } from '../../shared/node/parameters';
import { isPlainObject } from '../../service/parseJson';

/** A variable in an expression, in whose braces n8n's editor writes blanks. */
const WRITTEN = /\{\{ {0,4}(\w{1,64}) {0,4}\}\}/g;
/**
 * What stands for its braces while n8n evaluates the expression. No text has these, because they
 * are no characters. An expression can take a variable apart, or encode it for a URL.
 */
const KEPT = /\uFDD0|\uFDD1|%EF%B7%9[01]/g;
const BRACES: Record<string, string> = {
	...{ '\uFDD0': '{{', '\uFDD1': '}}', '%EF%B7%90': '%7B%7B', '%EF%B7%91': '%7D%7D' },
};

/** Puts the braces back at every level: an expression can give a list. */
function withBraces(value: unknown, levels = TEMPLATE_DEPTH_MAX): unknown {
	if (typeof value === 'string') return value.replace(KEPT, (sign) => BRACES[sign] ?? sign);
	// What is deeper is refused by its field.
	if (levels < 0) return value;
	if (Array.isArray(value)) return value.map((entry: unknown) => withBraces(entry, levels - 1));
	// A date writes itself.
	if (!isPlainObject(value) || 'toJSON' in value) return value;
	return Object.fromEntries(
		Object.entries(value).map((entry) => entry.map((part) => withBraces(part, levels - 1))),
	);
}

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
	const kept = written.slice(1).replace(WRITTEN, '\uFDD0$1\uFDD1');
	return withBraces(context.evaluateExpression(kept, itemIndex));
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

/** The JSON of a field that can have variables. @throws Error that names the field */
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
