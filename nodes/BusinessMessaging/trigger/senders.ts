/** The option *Only From*: whose messages start the workflow. */
import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { cutText } from '../service/cutText';
import { NUMBER_FORM, readRecipient } from '../service/recipient';
import { log } from '../service/log';
import { textOf } from '../shared/node/parameters';
import { BoundedMap } from '../shared/tools/boundedMap';
import { asPlainObject } from '../service/parseJson';
import { RegistrationError } from './registrationError';

/** The entries as texts. None at all lets everybody in. An empty entry stays, and is nobody. */
export function readSenders(
	context: IHookFunctions | IWebhookFunctions,
	{ senders }: IDataObject,
): readonly string[] {
	const given = givenIn(context, senders);
	const key = JSON.stringify(given);
	const persons = lists.get(key) ?? given.map(personIn);
	lists.set(key, persons);
	return persons;
}

/** The lists that were read last: thousands of entries would take time with each delivery. */
const lists = new BoundedMap<readonly string[]>(20);

/** What was entered but gives nothing, such as an empty list or undefined, is an entry. */
function givenIn(context: IHookFunctions | IWebhookFunctions, senders: unknown): Entry[] {
	const entries = senders === undefined ? [] : entriesOf(senders);
	return entries.length > 0 || entriesOf(enteredIn(context)).length === 0 ? entries : [''];
}

type Entry = string | number;

/** Empty for what names nobody. */
const personIn = (given: Entry): string =>
	readRecipient(given).problem ? '' : String(given).trim();

/** An expression can give lists within the list, or one text with commas. */
function entriesOf(senders: unknown): Entry[] {
	if (Array.isArray(senders)) return senders.flatMap(listedIn);
	return typeof senders === 'string' ? senders.split(',') : listedIn(senders);
}

/** An empty list within the list stays, as an entry that names nobody, as anything but texts. */
function listedIn(entry: unknown): Entry[] {
	if (!Array.isArray(entry)) return [typeof entry === 'number' ? entry : textOf(entry)];
	return entry.length === 0 ? [''] : entry.flatMap(listedIn);
}

/** @throws RegistrationError about an entry that could mean somebody else than it says */
export function checkSenders(context: IHookFunctions): void {
	const entered = enteredIn(context);
	const fixed = isExpression(entered) ? [] : entriesOf(entered);
	const [wrong] = fixed.filter((entry) => !isExpression(entry)).flatMap(wrongWith);
	if (wrong) throw wrong;
}

/** Says the same of what expressions give, which can change, and of empty entries. */
export function warnOfSenders(context: IHookFunctions): void {
	const { senders } = asPlainObject(context.getNodeParameter('options', {}));
	const entries = givenIn(context, senders);
	const wrong = entries.flatMap(wrongWith).map(({ message, hint }) => `${message}. ${hint}`);
	const isEmpty = entries.some((entry) => String(entry).trim() === '');
	const empty = isEmpty ? ['An entry of "Only From" is empty, and lets nobody in.'] : [];
	for (const said of [...wrong, ...empty]) log(context, 'warn', said);
}

function wrongWith(given: Entry): RegistrationError[] {
	const { problem, isUnclear } = readRecipient(given);
	const error = (what: string, todo: string) =>
		new RegistrationError(`"${cutText(String(given), 64)}" in "Only From" ${what}`, todo);
	if (String(given).trim() === '') return [];
	if (problem) return [error(problem.what, problem.todo)];
	return isUnclear ? [error('can be a phone number or an ID', NUMBER_FORM)] : [];
}

/** As it was entered. n8n copies the whole node for it. */
const enteredIn = (context: IHookFunctions | IWebhookFunctions): unknown =>
	asPlainObject(context.getNode().parameters.options).senders ?? [];

const isExpression = (value: unknown): boolean =>
	typeof value === 'string' && value.startsWith('=');
