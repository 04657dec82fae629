/** What a template needs beside its form: to be shown, and to be taken by the chat application. */
import { z } from 'zod';

import {
	cutText,
	type ListedComponent,
	placeholdersIn,
	TEMPLATE_FILE_TYPES,
	TEMPLATE_LANGUAGES,
	TEMPLATE_LIMITS,
	variablesOf,
} from '../contract.mts';
import {
	cardsOf,
	CHATAPP_FILES,
	handleIn,
	type ListedButton,
	mediaFormatOf,
	partOf,
} from './components.mts';
import { componentSchema, type SubmittedTemplate } from './templateForm.mts';

/** A rule that components are against. The path is theirs. */
interface Problem {
	path: Array<string | number>;
	message: string;
}

type Check = (part: ListedComponent) => string | false;
const linesIn = (text: string): number => text.split(/\r\n|\r|\n/).length;

/** By the type of the component. The text of a body is bounded by the form. */
const PARTS: Record<string, Check> = {
	HEADER: ({ format, text }) =>
		(format === 'TEXT') !== Boolean(text) &&
		'a header has a text if its format is TEXT, and none otherwise',
	BODY: ({ text, add_security_recommendation: isCode }) =>
		!text &&
		isCode === undefined &&
		'a body needs a text, or add_security_recommendation for an access code',
	FOOTER: ({ text, code_expiration_minutes: minutes }) =>
		Boolean(text) === (minutes !== undefined) &&
		'a footer needs a text, or code_expiration_minutes for an access code',
	BUTTONS: ({ buttons }) => !buttons?.length && 'must hold a button',
};

const ONE_LINE: Record<string, { length: number; variables: number; says: string }> = {
	HEADER: { length: TEMPLATE_LIMITS.header, variables: 1, says: 'takes at most one variable' },
	FOOTER: { length: TEMPLATE_LIMITS.footer, variables: 0, says: 'takes no variables' },
};

function textProblem({ type, text }: ListedComponent): string | false {
	const limits = ONE_LINE[type];
	if (!limits || !text) return false;
	if (text.length > limits.length) return `has more than ${limits.length} characters`;
	if (linesIn(text) > 1) return 'must be one line';
	return placeholdersIn(text).length > limits.variables && limits.says;
}

/** Which fields a button needs, how often it is in one template. Others are in it once or not. */
const BUTTONS: Record<string, { needs: string[]; most?: number }> = {
	QUICK_REPLY: { needs: ['text'] },
	URL: { needs: ['text', 'url'], most: 2 },
	PHONE_NUMBER: { needs: ['text', 'phone_number'], most: 1 },
	COPY_CODE: { needs: ['example'], most: 1 },
	OTP: { needs: ['otp_type'] },
	FLOW: { needs: ['text'] },
};

const hasOneVariableAtItsEnd = (url: string): boolean =>
	/^https?:\/\/[^{}\s]+(?:\{\{\w{1,64}\}\})?$/.test(url);

function* partProblems(part: ListedComponent): Generator<Problem> {
	const wrong = PARTS[part.type]?.(part);
	if (wrong) yield { path: [], message: wrong };
	const text = textProblem(part);
	if (text) yield { path: ['text'], message: text };
	for (const [index, button] of (part.buttons ?? []).entries()) {
		const path = ['buttons', index];
		const missing = BUTTONS[button.type]?.needs.find((field) => !button[field]);
		if (missing) yield { path: [...path, missing], message: 'Required' };
		if (button.url && !hasOneVariableAtItsEnd(button.url))
			yield {
				path: [...path, 'url'],
				message: 'must be an http or https URL with at most one variable, at its end',
			};
	}
}

/** Numbers start at 1 in the header and in the body, without gaps. Names and numbers do not mix. */
function variableProblem(components: readonly ListedComponent[]): string | undefined {
	const byPart = components
		.filter(({ type }) => type === 'HEADER' || type === 'BODY')
		.map((component) => placeholdersIn(component.text ?? ''));
	const numbered = byPart.flat().filter(isNumber);
	if (numbered.length > 0 && numbered.length < byPart.flat().length)
		return 'variables must be all numbered or all named';
	const hasGaps = byPart.some((names) =>
		names.some((name, index) => isNumber(name) && Number(name) !== index + 1),
	);
	return hasGaps ? 'numbered variables must be {{1}}, {{2}} and so on, without gaps' : undefined;
}

const isNumber = (name: string): boolean => /^\d+$/.test(name);

/** The components of a template that is set up as it is: the sandbox can show and send it. */
export const componentsSchema = z
	.array(componentSchema)
	.min(1)
	.refine((parts) => parts.some(({ type }) => type === 'BODY'), 'must hold the BODY')
	.refine(
		(parts) => new Set(parts.map(({ type }) => type)).size === parts.length,
		'must hold each type once',
	)
	.superRefine((parts, { addIssue }) => {
		for (const [index, part] of parts.entries())
			for (const { path, message } of partProblems(part))
				addIssue({ code: 'custom', path: [index, ...path], message });
		const message = variableProblem(parts);
		if (message !== undefined) addIssue({ code: 'custom', message });
	});

/** Why a template is refused: in words, and with the chat application's number if it has one. */
export interface RuleBroken {
	description: string;
	subCode?: string;
}

/** Source: published. */
const CHATAPP_LINK_REFUSED = '2388215';
const TTL = { AUTHENTICATION: [30, 900], UTILITY: [30, 43_200], MARKETING: [43_200, 2_592_000] };
/** As long as there is: 30 days. */
const TTL_LONGEST = -1;
const CARD_TEXT = 160;
const CARD_BUTTONS = 2;

/** @returns the type of an uploaded file. Undefined if there is none with this handle */
type TypeOfFile = (handle: string) => string | undefined;

/**
 * Why the chat application refuses a submitted template. Undefined: it does not. Where the
 * documents contradict each other, it takes what one of them allows. Source: published.
 */
export function brokenRule(
	{ category, language, message_send_ttl_seconds: ttl, components = [] }: SubmittedTemplate,
	typeOf: TypeOfFile,
): RuleBroken | undefined {
	const parsed = componentsSchema.safeParse(components);
	if (!parsed.success) {
		const { path, message } = parsed.error.issues[0]!;
		return { description: `${['components', ...path].join('.')}: ${message}` };
	}
	const cards = components.flatMap((part) => cardsOf(part));
	const description =
		languageProblem(language) ??
		codeProblem(components, category) ??
		ttlProblem(category, ttl) ??
		buttonsProblem(partOf({ components }, 'BUTTONS')?.buttons ?? []) ??
		cardsProblem(cards) ??
		exampleProblem(components, category);
	if (description !== undefined) return { description };
	for (const parts of [components, ...cards]) {
		const broken = fileProblem(parts, typeOf);
		if (broken) return broken;
	}
	return undefined;
}

const languageProblem = (language: string): string | undefined =>
	TEMPLATE_LANGUAGES.includes(language)
		? undefined
		: `language: ${cutText(language, 64)} is no language of templates, such as en_US or pt_BR`;

function codeProblem(parts: readonly ListedComponent[], category: string): string | undefined {
	const isCode = category === 'AUTHENTICATION';
	const hasText = parts.some(({ type, text }) => type === 'BODY' && text);
	if (hasText === isCode)
		return hasText
			? 'components: the BODY takes no text in the category AUTHENTICATION'
			: 'components: the BODY needs a text, except in the category AUTHENTICATION';
	const buttons = parts.flatMap((part) => part.buttons ?? []);
	return buttons.every(({ type }) => (type === 'OTP') === isCode)
		? undefined
		: 'components: the category AUTHENTICATION takes the button OTP, and no other does';
}

function ttlProblem(category: keyof typeof TTL, ttl: number | undefined): string | undefined {
	const [least, most] = TTL[category] as [number, number];
	return ttl === undefined || ttl === TTL_LONGEST || (ttl >= least && ttl <= most)
		? undefined
		: `message_send_ttl_seconds: must be ${least} to ${most} in the category ${category}, or -1`;
}

function buttonsProblem(buttons: readonly ListedButton[]): string | undefined {
	const isReply = buttons.map(({ type }) => type === 'QUICK_REPLY');
	const changes = isReply.filter((reply, index) => index > 0 && reply !== isReply[index - 1]);
	if (changes.length > 1) return 'buttons: the quick replies must stand together';
	for (const [type, { most = TEMPLATE_LIMITS.buttons }] of Object.entries(BUTTONS))
		if (buttons.filter((button) => button.type === type).length > most)
			return `buttons: at most ${most} of the type ${type}`;
	const code = buttons.find(({ type }) => type === 'COPY_CODE')?.example;
	if (code !== undefined && !/^[\w-]{1,20}$/.test(String(code)))
		return 'buttons: the example of COPY_CODE must be up to 20 letters, digits, - and _';
	const flow = buttons.find(({ type }) => type === 'FLOW');
	const flows = ['flow_id', 'flow_name', 'flow_json'].filter((field) => flow?.[field]);
	return !flow || flows.length === 1
		? undefined
		: 'buttons: FLOW needs one of flow_id, flow_name and flow_json';
}

function cardsProblem(cards: readonly ListedComponent[][]): string | undefined {
	const builds = cards.map((parts) =>
		JSON.stringify(
			parts.map(({ type, format, buttons }) => [
				...[type, format, (buttons ?? []).map((button) => button.type)],
			]),
		),
	);
	if (new Set(builds).size > 1) return 'cards: all must have the same parts and buttons';
	for (const part of cards.flat()) {
		if (part.type === 'BODY' && (part.text ?? '').length > CARD_TEXT)
			return `cards: the BODY has more than ${CARD_TEXT} characters`;
		if ((part.buttons ?? []).length > CARD_BUTTONS)
			return `cards: more than ${CARD_BUTTONS} buttons`;
	}
	return undefined;
}

function exampleProblem(components: ListedComponent[], category: string): string | undefined {
	if (components.some(({ text }) => text?.includes('}}{{')))
		return 'components: two variables have nothing between them';
	const variables = variablesOf({ name: '', language: '', category, components });
	const lacking = variables.find(
		({ id, example }) => /^(?:header\.text|body\..*|.*\.(?:url|code))$/.test(id) && !example,
	);
	return lacking && `components: there is no example for ${lacking.id}`;
}

function fileProblem(components: ListedComponent[], typeOf: TypeOfFile): RuleBroken | undefined {
	const header = partOf({ components }, 'HEADER');
	const format = mediaFormatOf(header)?.toUpperCase();
	if (format === undefined) return undefined;
	const handle = handleIn(header) ?? '';
	if (handle.startsWith(CHATAPP_FILES))
		return {
			subCode: CHATAPP_LINK_REFUSED,
			description: "header_handle: a link of the chat application's own cannot be an example",
		};
	if (/^https?:\/\//.test(handle)) return undefined;
	const type = typeOf(handle);
	if (type === undefined)
		return {
			description:
				'the header needs an example: upload a file, and give its handle in example.header_handle, or a public link',
		};
	const taken = TEMPLATE_FILE_TYPES[format] ?? [];
	return taken.includes(type)
		? undefined
		: { description: `header_handle: ${format} takes ${taken.join(', ')}, not ${type}` };
}
