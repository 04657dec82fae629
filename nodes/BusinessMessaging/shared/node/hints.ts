import type { IExecuteFunctions } from 'n8n-workflow';

import { webUrl } from '../../service/baseUrl';
import { firstOf } from '../../service/cutText';
import { asHtml } from '../../service/errors/nodeError';
import { NUMBER_FORM, readRecipient } from '../../service/recipient';
import { isPlainObject } from '../../service/parseJson';
import { problemOfReach } from './reachability';

/** Shows a text on the node's output. The editor reads it as HTML. */
export function addHint(context: IExecuteFunctions, text: string): void {
	context.addExecutionHints({ message: asHtml(text), location: 'outputPane' });
}

const told = new WeakMap<IExecuteFunctions, Set<string>>();

/**
 * Says something once in a run of the node, however many items it holds for.
 * @param what it is about, if the texts differ
 */
export function addHintOnce(context: IExecuteFunctions, text: string, what = text): void {
	const known = told.get(context) ?? new Set();
	told.set(context, known);
	if (!known.has(what)) addHint(context, text);
	known.add(what);
}

/** Recipients that a hint names. */
const NAMED_MAX = 5;

/** Names recipients that look like phone numbers, and could be IDs, with their items' indexes. */
export function addUnclearHint(
	context: IExecuteFunctions,
	recipients: Iterable<readonly [index: number, recipient: string | undefined]>,
): void {
	const unclear = [...recipients].flatMap(([index, recipient]) =>
		recipient !== undefined && readRecipient(recipient).isUnclear
			? `"${recipient}" (item ${index})`
			: [],
	);
	if (unclear.length === 0) return;
	const named = firstOf(unclear, NAMED_MAX);
	addHint(context, `Not read as phone numbers: ${named}. ${NUMBER_FORM}`);
}

/** Where contents and templates have the address of a file that the service fetches. */
const FILE_KEYS = ['url', 'link', 'thumbnail', 'header_handle'];

/** The addresses of files in what is sent. */
export function filesIn(sent: unknown): string[] {
	if (Array.isArray(sent)) return sent.flatMap(filesIn);
	// What its buttons open, the service does not fetch.
	if (!isPlainObject(sent) || OPENS_LINKS.includes(String(sent.type))) return [];
	return Object.entries(sent).flatMap(([key, value]) =>
		FILE_KEYS.includes(key) ? [value].flat().filter(isHttp) : filesIn(value),
	);
}

const OPENS_LINKS = ['INTERACTIVE_ACTION', 'BUTTONS'];

const isHttp = (value: unknown): value is string => webUrl(value) !== undefined;

/** Says that the service cannot fetch files, as far as their addresses tell. */
export function addReachHint(
	context: IExecuteFunctions,
	files: Iterable<string>,
	serviceUrl: string,
): void {
	const problems = new Set([...files].flatMap((file) => problemOfReach(file, serviceUrl) ?? []));
	const [first] = problems;
	if (first === undefined) return;
	const more = problems.size > 1 ? ` The same holds for ${problems.size - 1} more.` : '';
	addHint(context, `${first}. Put the file at a public address.${more}`);
}
