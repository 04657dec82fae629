/** Turns chats that were played into a script that plays them again. */
import { Document, isMap, visit } from 'yaml';

import { type Message, replyButtonsOf, templateParametersOf, textOf } from '../client/messages.mts';
import { RESERVED } from './schema.mts';

/** Where the JSON Schema of scripts is published. */
export const SCHEMA_URL =
	'https://raw.githubusercontent.com/n8n-nodes-business-messaging/n8n-nodes-business-messaging/main/sandbox/rehearsal/rehearsal.schema.json';
const WINDOW_MS = 24 * 60 * 60 * 1000;
const LONGEST_NAME = 32;

/** Chats, as the control API gives them. */
export interface Recording {
	/** Oldest first. */
	messages: readonly Message[];
	/** The customers' names, by their numbers. */
	names: ReadonlyMap<string, string>;
	/** What the script is called. */
	name: string;
}

type Action = Record<string, unknown>;

/** What the chat of a customer had so far. */
interface Chat {
	key: string;
	/** When the customer wrote last, and when anybody did, in milliseconds. */
	writtenAt: number;
	lastAt: number;
	isAnswered: boolean;
	/** Titles of the buttons that came. */
	buttons: Set<string>;
}

/**
 * The script of chats, as YAML. Customers get new numbers when it is played, so that what is under test does not remember them. Where 24 hours
 * passed, the window closes for that customer. A file that was uploaded is named, to be put beside the script.
 */
export function recordedScript({ messages, names, name }: Recording): string {
	const chats = chatsOf(messages, names);
	const steps = messages.flatMap((message) => stepsOf(message, chats.get(message.customer)!));
	const silent = [...chats.values()].filter(({ isAnswered }) => !isAnswered);
	return written({
		name,
		customers: Object.fromEntries(
			[...chats].map(([number, { key }]) => [key, { name: names.get(number) || key }]),
		),
		steps: [...steps, ...silent.map(({ key }) => ({ [key]: { getsNothing: '500ms' } }))],
	});
}

/** The steps that a message is, which its chat then holds. */
function stepsOf(message: Message, chat: Chat): Action[] {
	const { direction, content, createdAt } = message;
	const at = Date.parse(createdAt);
	const closesAt = chat.writtenAt + WINDOW_MS;
	const steps: Action[] =
		chat.lastAt < closesAt && at >= closesAt ? [{ [chat.key]: { closesWindow: true } }] : [];
	if (direction === 'in') {
		steps.push({ [chat.key]: saidByCustomer(content, chat.buttons) });
		chat.writtenAt = at;
	} else if (message.fromApi) steps.push({ [chat.key]: sentByWorkflow(content) });
	else steps.push({ business: { ...spoken(content), to: chat.key } });
	chat.lastAt = at;
	chat.isAnswered = direction === 'out';
	for (const { title } of replyButtonsOf(content)) chat.buttons.add(title);
	return steps;
}

/** The chats, still empty, each under a name that can stand in a script. */
function chatsOf(messages: readonly Message[], names: Recording['names']): Map<string, Chat> {
	const chats = new Map<string, Chat>();
	const taken = new Set<string>(RESERVED);
	for (const number of new Set(messages.map(({ customer }) => customer))) {
		const plain = plainName(names.get(number) ?? '');
		let key = plain;
		for (let count = 2; taken.has(key); count += 1) key = `${plain}${count}`;
		taken.add(key);
		// Before the first word nothing was open that could close.
		const never = { writtenAt: -Infinity, lastAt: -Infinity };
		chats.set(number, { key, ...never, isAnswered: true, buttons: new Set() });
	}
	return chats;
}

/** The first word of a name, in plain letters. */
function plainName(name: string): string {
	let plain = '';
	for (const letter of name.slice(0, LONGEST_NAME).toLowerCase())
		if (letter >= 'a' && letter <= 'z') plain += letter;
		else if (plain !== '') break;
	return plain === '' ? 'customer' : plain;
}

function saidByCustomer(content: Message['content'], buttons: Chat['buttons']): unknown {
	if (content.type !== 'BUTTON_REPLY') return shortened(spoken(content));
	return buttons.has(content.text) ? shortened({ taps: content.text }) : { sends: content };
}

/** What a person says on a phone. */
function spoken(content: Message['content']): Action {
	if (content.type === 'TEXT') return { writes: content.text };
	if (!('url' in content) || !content.url.startsWith('/media/')) return { sends: content };
	const caption = textOf(content);
	return {
		sendsFile: content.url.slice('/media/'.length),
		as: content.type,
		...(caption === undefined ? {} : { caption }),
	};
}

function sentByWorkflow(content: Message['content']): unknown {
	if (content.type === 'TEMPLATE')
		return {
			getsTemplate: content.template.name,
			language: content.template.language.code,
			parameters: templateParametersOf(content),
		};
	const text = textOf(content);
	if (content.type === 'TEXT') return shortened({ gets: text });
	const gets = { ...(text === undefined ? {} : { text }), type: content.type };
	return 'buttons' in content
		? { gets, buttons: content.buttons.map(({ title }) => title) }
		: { gets };
}

/** `writes Hello` in the place of `{ writes: Hello }`, where the text is one line. */
function shortened(action: Action): unknown {
	const [[verb, text] = [], ...more] = Object.entries(action);
	const isShort = ['writes', 'taps', 'gets'].some((known) => known === verb);
	return isShort &&
		more.length === 0 &&
		typeof text === 'string' &&
		!text.includes('\n') &&
		text !== ''
		? `${verb} ${text}`
		: action;
}

function written(script: { name: string; customers: object; steps: Action[] }): string {
	const document = new Document(script);
	document.commentBefore = ` yaml-language-server: $schema=${SCHEMA_URL}`;
	const inOneLine = (path: ReadonlyArray<string | number>) => {
		const node: unknown = document.getIn(path, true);
		if (isMap(node)) node.flow = true;
	};
	for (const key of Object.keys(script.customers)) inOneLine(['customers', key]);
	for (const [index, step] of script.steps.entries())
		for (const key of Object.keys(step)) inOneLine(['steps', index, key]);
	visit(document, {
		// Kept in one line, with its line ends as \n.
		Scalar: (_, node) => {
			if (typeof node.value === 'string' && node.value.includes('\n')) node.type = 'QUOTE_DOUBLE';
		},
	});
	return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity });
}
