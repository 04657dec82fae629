/** The option *Only From*: whose messages start the workflow. */
import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { cutText } from '../service/cutText';
import { NUMBER_FORM, readRecipient } from '../service/recipient';
import { log } from '../service/log';
import { textOf } from '../shared/node/parameters';
import { asPlainObject } from '../service/parseJson';
import { RegistrationError } from './registration/apply';

/** The entries as texts. None at all lets everybody in. An empty entry stays, and is nobody. */
export function readSenders(
	context: IHookFunctions | IWebhookFunctions,
	{ senders }: IDataObject,
): readonly string[] {
	const given = givenIn(context, senders);
	const isSame = (known: ReadList) =>
		known.given.length === given.length && known.given.every((entry, at) => entry === given[at]);
	const read = lists.find(isSame) ?? { given, persons: given.map(personIn) };
	lists = [read, ...lists.filter((known) => known !== read)].slice(0, LISTS_MAX);
	return read.persons;
}

interface ReadList {
	given: readonly unknown[];
	persons: readonly string[];
}

/** The lists that were read last: thousands of entries would take time with each delivery. */
let lists: readonly ReadList[] = [];
const LISTS_MAX = 20;

/** What was entered but gives nothing, such as an empty list or undefined, is an entry. */
function givenIn(context: IHookFunctions | IWebhookFunctions, senders: unknown): unknown[] {
	const entries = senders === undefined ? [] : entriesOf(senders);
	return entries.length > 0 || entriesOf(enteredIn(context)).length === 0 ? entries : [''];
}

/** Empty for what names nobody. */
function personIn(entry: unknown): string {
	const given = typeof entry === 'number' ? entry : textOf(entry);
	return readRecipient(given).problem ? '' : String(given).trim();
}

/** An expression can give lists within the list, or one text with commas. */
function entriesOf(senders: unknown): unknown[] {
	if (Array.isArray(senders)) return senders.flatMap(listedIn);
	return typeof senders === 'string' ? senders.split(',') : [senders];
}

/** An empty list within the list stays, as an entry that names nobody. */
function listedIn(entry: unknown): unknown[] {
	if (!Array.isArray(entry)) return [entry];
	return entry.length === 0 ? [''] : entry.flatMap(listedIn);
}

/** @throws RegistrationError about an entry that could mean somebody else than it says */
export function checkSenders(context: IHookFunctions): void {
	const entered = enteredIn(context);
	const [wrong] = isExpression(entered) ? [] : fixedOf(entered).flatMap(wrongWith);
	if (wrong) throw new RegistrationError(wrong.cause, wrong.remedy);
}

/** Says the same of what expressions give, which can change, and of empty entries. */
export function warnOfSenders(context: IHookFunctions): void {
	const { senders } = asPlainObject(context.getNodeParameter('options', {}));
	const entries = givenIn(context, senders);
	const wrong = entries.flatMap(wrongWith).map(({ cause, remedy }) => `${cause}. ${remedy}`);
	const isEmpty = entries.some((entry) => textOf(entry).trim() === '');
	const empty = isEmpty ? ['An entry of "Only From" is empty, and lets nobody in.'] : [];
	for (const said of [...wrong, ...empty]) log(context, 'warn', said);
}

interface Wrong {
	cause: string;
	remedy: string;
}

function wrongWith(entry: unknown): Wrong[] {
	const given = typeof entry === 'number' ? entry : textOf(entry);
	const { problem, isUnclear } = readRecipient(given);
	const cause = (what: string) => `"${cutText(String(given), 64)}" in "Only From" ${what}`;
	if (String(given).trim() === '') return [];
	if (problem) return [{ cause: cause(problem.what), remedy: problem.todo }];
	return isUnclear ? [{ cause: cause('can be a phone number or an ID'), remedy: NUMBER_FORM }] : [];
}

/** The entries that are no expressions. */
const fixedOf = (entered: unknown): unknown[] =>
	entriesOf(entered).filter((entry) => !isExpression(entry));

/** As it was entered. n8n copies the whole node for it. */
const enteredIn = (context: IHookFunctions | IWebhookFunctions): unknown =>
	asPlainObject(context.getNode().parameters.options).senders ?? [];

const isExpression = (value: unknown): boolean =>
	typeof value === 'string' && value.startsWith('=');
