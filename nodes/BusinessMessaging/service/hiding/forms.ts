import { asWritten, decoded, withoutBreaks } from './views';

/** Secrets of fewer bytes occur in ordinary words, so they are hidden only if they are words. */
const SHORT = 6;

/** How a secret is written. What is searched is folded, as a view's text is. */
export interface Forms {
	isShort: boolean;
	/** It ends with a backslash, which a decoded text lacks. */
	endsEscaped: boolean;
	/** In a text as it is written. */
	written: string[];
	/** In a decoded text. */
	decoded: string[];
	/** In a text without line breaks. */
	joined: string[];
	/** In all, within longer texts of the same kind. */
	base64: string[];
}

const folded = (text: string) => asWritten(text).text;

const escapedByHtml = (text: string, prefix: string, radix: 10 | 16) =>
	Array.from(text, (sign) =>
		/\w/.test(sign) ? sign : `&#${prefix}${(sign.codePointAt(0) ?? 0).toString(radix)};`,
	).join('');

const byName = (text: string) =>
	text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;');

/**
 * The usual encodings of a whole text. Decoding finds these, and mixtures too, except where what
 * is before or behind the text seems to belong to it.
 */
function encodingsOf(text: string): string[] {
	const wellFormed = Buffer.from(text).toString();
	const json = JSON.stringify(text).slice(1, -1);
	return [
		text,
		encodeURIComponent(wellFormed),
		encodeURIComponent(wellFormed).replaceAll('%20', '+'),
		Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
		json,
		json.replaceAll('/', '\\/'),
		text
			.split('')
			.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
			.join(''),
		byName(text),
		byName(text).replaceAll("'", '&#39;'),
		escapedByHtml(text, '', 10),
		escapedByHtml(text, 'x', 16),
	];
}

/** Letters that JSON writes for characters that have no sign, behind a backslash. */
const CONTROLS: Array<[string, string]> = [
	['\b', 'b'],
	['\f', 'f'],
	['\n', 'n'],
	['\r', 'r'],
	['\t', 't'],
];

/** A decoded secret, unless so little is left of it that ordinary texts would have it. */
function decodedForms(text: string): string[] {
	const inJson = CONTROLS.reduce((all, [sign, letter]) => all.replaceAll(sign, letter), text);
	return [text, inJson]
		.map((form) => decoded(form).text)
		.filter((form) => form.length >= Math.min(SHORT, text.length) && /[^+]/.test(form));
}

/**
 * Base64 turns three bytes into four characters. So a secret inside a longer text, such as
 * `user:secret`, has three forms, and the characters at its ends hold bits of its neighbours.
 */
const withinBase64 = (secret: Buffer): string[] =>
	[0, 1, 2].map((before) =>
		Buffer.concat([Buffer.alloc(before), secret])
			.toString('base64')
			.slice(Math.ceil((before * 4) / 3), Math.floor(((before + secret.length) * 4) / 3)),
	);

export function formsOf(secret: string): Forms {
	const bytes = Buffer.from(secret);
	const isShort = bytes.length < SHORT;
	const hex = isShort ? [] : [folded(bytes.toString('hex'))];
	const base64 = isShort
		? [bytes.toString('base64').replaceAll('=', '')]
		: withinBase64(bytes).filter((form) => form.length >= SHORT);
	const unique = (forms: string[]) => [...new Set(forms)];
	return {
		isShort,
		endsEscaped: secret.endsWith('\\'),
		written: unique([...encodingsOf(secret).map(folded), ...hex]),
		decoded: unique([...decodedForms(secret), ...hex]),
		joined: unique([secret, withoutBreaks(secret)].flatMap(decodedForms).concat(hex)).filter(
			({ length }) => length >= SHORT,
		),
		base64: unique(base64.map(folded)),
	};
}
