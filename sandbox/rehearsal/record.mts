/** Turns played chats into a script that replays them. */
import { Document, isMap, visit } from 'yaml';

import { type Message, replyButtonsOf, templateParametersOf, textOf } from '../client/messages.mts';
import { RESERVED } from './schema.mts';

/** The scripts' JSON Schema in the newest published package. */
export const SCHEMA_URL = 'https://unpkg.com/business-messaging-sandbox/rehearsal.schema.json';
const WINDOW_MS = 24 * 60 * 60 * 1000;
const LONGEST_NAME = 32;

/** Chats from the control API. */
export interface Recording {
	/** Oldest first. */
	messages: readonly Message[];
	/** The customers' names, by their numbers. */
	names: ReadonlyMap<string, string>;
	/** The name of the script. */
	name: string;
}

type Action = Record<string, unknown>;

/** The state of a customer's chat while it is recorded. */
interface Chat {
	key: string;
	/** When the customer last wrote, and when anybody last did, in milliseconds. */
	writtenAt: number;
	lastAt: number;
	isAnswered: boolean;
	/** Titles of the received buttons. */
	buttons: Set<string>;
}

/**
 * The script of chats, as YAML. Customers get new numbers when it is played, so that the workflow
 * does not remember them. A gap of 24 hours closes the window of that customer. Put uploaded files
 * beside the script under their names.
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

/** The steps for a message. Adds the message to its chat. */
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

/** The empty chats, each with a name that a script can use. */
function chatsOf(messages: readonly Message[], names: Recording['names']): Map<string, Chat> {
	const chats = new Map<string, Chat>();
	const taken = new Set<string>(RESERVED);
	for (const number of new Set(messages.map(({ customer }) => customer))) {
		const plain = plainName(names.get(number) ?? '');
		let key = plain;
		for (let count = 2; taken.has(key); count += 1) key = `${plain}${count}`;
		taken.add(key);
		// Before the first message, no window was open.
		const never = { writtenAt: -Infinity, lastAt: -Infinity };
		chats.set(number, { key, ...never, isAnswered: true, buttons: new Set() });
	}
	return chats;
}

/** The first word of a name in plain letters. */
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

/** What a person writes or sends on a phone. */
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
			// The parameters say what a body alone reads.
			...(content.shown?.header || content.shown?.footer ? { text: content.text } : {}),
		};
	const text = textOf(content);
	if (content.type === 'TEXT') return shortened({ gets: text });
	const gets = { ...(text === undefined ? {} : { text }), type: content.type };
	return 'buttons' in content
		? { gets, buttons: content.buttons.map(({ title }) => title) }
		: { gets };
}

/** `writes Hello` instead of `{ writes: Hello }` if the text is one line. */
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
		// Stays in one line, with line ends as \n.
		Scalar: (_, node) => {
			if (typeof node.value === 'string' && node.value.includes('\n')) node.type = 'QUOTE_DOUBLE';
		},
	});
	return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity });
}
