import { QUOTE_FIELDS, TAP_ID_FIELDS } from '../../service/contract';
import { isPlainObject } from '../../service/parseJson';

/** The IDs of a question's buttons start with it. Buttons of other messages have other IDs. */
export const BUTTON_ID_START = 'n8n-question:';

/** A tap on a button, and not typed words. */
export interface Tap {
	/** The ID of a question's button. `BUTTON_ID_START` alone: several, or an unreadable one. */
	on?: string;
	/** The question's ID in `on`. */
	question?: string;
	/** Whether it carries no ID at all, or only its title as the ID. */
	isBare: boolean;
	/** The words that the person saw on the button: the button's title, or the content's text. */
	title?: string;
}

/**
 * What comes after `BUTTON_ID_START`. A template's buttons have a letter before the number, and
 * those of what a reply can mean its value behind it.
 */
const REST_OF_ID = /^([\w-]{1,64}):t?\d{1,3}(?!\d)(?:=[\d.+-]{1,20})?/;
/** The person's own names, the offered buttons, and words that somebody typed are no tap. */
const NOT_OF_A_TAP = new Set(['sender', 'recipient', 'buttons']);
/** One ID or a list of them, such as `integration_message_ids`. */
const NAMES_AN_ID = /ids?$/i;

/**
 * Reads a customer's message as a tap. It is one if it has a button's ID or a button object, or a
 * content of another type than TEXT. Undefined for typed words.
 * @param message as the service delivered it, at most 100 levels deep
 */
export function readTap(message: object): Tap | undefined {
	const contents = contentsOf(message);
	const buttons = contents.flatMap(buttonsIn);
	const carried = [...new Set(questionIdsIn(message))];
	if (carried.length === 0 && buttons.length === 0 && contents.every(isText)) return undefined;
	const ids = buttons.flatMap(({ ids: own }) => own);
	// The button decides, if other fields repeat what it was offered with.
	const ofButtons = [...new Set(ids.flatMap(questionIdsIn))];
	const [on, ...others] = ofButtons.length > 0 ? ofButtons : carried;
	const isOne = on !== undefined && others.length === 0;
	const [, question] = isOne ? (REST_OF_ID.exec(on.slice(BUTTON_ID_START.length)) ?? []) : [];
	const title = buttons.flatMap(({ titles }) => titles).find((one) => typeof one === 'string');
	return {
		...(on === undefined ? {} : { on: isOne ? on : BUTTON_ID_START }),
		...(question === undefined ? {} : { question }),
		isBare: on === undefined && buttons.every(hasNoIdOfItsOwn),
		...(title === undefined ? {} : { title }),
	};
}

const contentsOf = (message: object): object[] => {
	const contents = 'contents' in message ? message.contents : undefined;
	return Array.isArray(contents) ? contents.filter(isPlainObject) : [];
};

const isText = (content: object): boolean => 'type' in content && content.type === 'TEXT';

interface TappedButton {
	ids: string[];
	/** Its title, and the text of its content. */
	titles: unknown[];
}

/** The tapped buttons of a content: objects in it, or the content itself. */
function buttonsIn(content: object): TappedButton[] {
	const text = 'message' in content ? content.message : undefined;
	const inside = Object.entries(content).flatMap(([name, value]) =>
		isPlainObject(value) && !isQuote(name) && isButton(name, value) ? [value] : [],
	);
	const own = idsOf(content).length > 0 ? [content] : [];
	return [...own, ...inside].map((button) => ({
		ids: idsOf(button),
		titles: ['title' in button ? button.title : undefined, text],
	}));
}

const isButton = (name: string, value: object): boolean =>
	/button|reply/i.test(name) || idsOf(value).length > 0 || 'title' in value;

function idsOf(button: object): string[] {
	const fields: Record<string, unknown> = { ...button };
	return TAP_ID_FIELDS.map((name) => fields[name])
		.filter((id) => typeof id === 'string' || typeof id === 'number')
		.map(String)
		.filter((id) => id.trim() !== '');
}

const hasNoIdOfItsOwn = ({ ids, titles }: TappedButton): boolean =>
	ids.every((id) =>
		titles.some((title) => typeof title === 'string' && title.trim() === id.trim()),
	);

export const isQuote = (name: string): boolean => QUOTE_FIELDS.test(name);

/** The IDs of questions' buttons in every string, except in what is quoted or was typed. */
function questionIdsIn(value: unknown): string[] {
	if (typeof value === 'string')
		return value
			.split(BUTTON_ID_START)
			.slice(1)
			.map((rest) => BUTTON_ID_START + (REST_OF_ID.exec(rest)?.[0] ?? ''));
	if (typeof value !== 'object' || value === null) return [];
	const isTyped = isText(value);
	return Object.entries(value).flatMap(([name, part]: [string, unknown]) =>
		isQuote(name) || NOT_OF_A_TAP.has(name) || (isTyped && name === 'message')
			? []
			: questionIdsIn(part),
	);
}

/** The IDs of the messages that one quotes. @param value as delivered, at most 100 levels deep */
export function quotedIdsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
		if (!isQuote(name)) return quotedIdsIn(part);
		return typeof part === 'string' ? textsOf(part) : idsIn(part);
	});
}

function idsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
		if (!NAMES_AN_ID.test(name)) return idsIn(part);
		return [part].flat().flatMap((one) => (typeof one === 'string' ? textsOf(one) : idsIn(one)));
	});
}

const textsOf = (text: string): string[] => (text.trim() === '' ? [] : [text]);
