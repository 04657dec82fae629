/** Replaces a secret. */
export const HIDDEN = '[hidden]';

/** Secrets of fewer bytes occur in ordinary words, so they are hidden only if they are words. */
const SHORT = 6;

/** A secret is known by its first bytes, as the rest may be cut off. Fewer can begin many keys. */
const HEAD = 12;

/** How often a text is decoded. What was encoded more often is not quoted. */
const ROUNDS = 4;

/** Percent-encoding, and the escapes of JSON and HTML. */
const ENCODED =
	/%(?:25)*([\da-f]{2})|((?:\\u[\da-f]{4})+)|\\[nrt]|&(?:amp;)*(?:#0*(\d{1,7})|#x0*([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi;

const NAMED: Partial<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** What belongs to the same word, which is hidden with the secret. */
const BEFORE = /[\w+/%-]/;
/** Also what fills up base64, and the bytes within a letter. */
const BEHIND = /[\w+/%=\x80-\xbf-]/;

/** How a text is searched: each of its bytes is a character. */
const bytesOf = (text: string) => Buffer.from(text).toString('latin1');
const encoded = (bytes: string, encoding: 'base64' | 'hex') =>
	Buffer.from(bytes, 'latin1').toString(encoding);

/** One character for those that encodings exchange: both cases, both kinds of base64, blanks. */
const folded = (bytes: string) =>
	bytes
		.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
		.replace(/[\s-]/g, '+')
		.replaceAll('_', '/');

/** Without everything that can part the letters of a word. */
const squeezed = (bytes: string) => folded(bytes).replace(/[^a-z\d]+/g, '');

/** The letters, as many as know a secret, from each place on. */
function piecesOf(writing: string): string[] {
	const word = squeezed(writing);
	return Array.from({ length: Math.max(0, word.length - HEAD + 1) }, (_, at) =>
		word.slice(at, at + HEAD),
	);
}

/** Without backslashes, because JSON puts them before signs. Undefined if it takes too long. */
function decoded(bytes: string): string | undefined {
	let text = bytes;
	for (let round = 0; round < ROUNDS; round++) {
		const next = text.replace(ENCODED, signOf);
		if (next === text) return text.replaceAll('\\', '');
		text = next;
	}
	return undefined;
}

function signOf(all: string, byte = '', units = '', decimal = '', hex = '', name = ''): string {
	if (byte) return String.fromCharCode(parseInt(byte, 16));
	if (units) return bytesOf(JSON.parse(`"${units.replaceAll('U', 'u')}"`) as string);
	if (name) return NAMED[name.toLowerCase()] ?? '';
	const code = decimal ? Number(decimal) : parseInt(hex || '20', 16);
	return code > 0x10ffff ? all : bytesOf(String.fromCodePoint(code));
}

/** Base64 makes four characters of three bytes: what is before a secret decides among three. */
const inBase64 = (bytes: string, before: number) =>
	encoded('-'.repeat(before) + bytes, 'base64').slice(
		Math.ceil((before * 4) / 3),
		Math.floor(((before + bytes.length) * 4) / 3),
	);

interface Form {
	/** Folded, as is the tail. */
	head: string;
	tail: string;
	length: number;
	isShort: boolean;
}

function formOf(writing: string, isShort: boolean): Form {
	const text = folded(writing);
	return { head: text.slice(0, HEAD), tail: text.slice(-HEAD), length: text.length, isShort };
}

/** How a secret can be written in a text that is decoded. */
function writingsOf(bytes: string): string[] {
	const base64 = encoded(bytes, 'base64');
	if (bytes.length < SHORT) return [bytes, base64, base64.replaceAll('=', '')];
	const plain = decoded(bytes) ?? '';
	return [plain, encoded(bytes, 'hex'), ...[0, 1, 2].map((before) => inBase64(bytes, before))];
}

/**
 * Makes the function that hides secrets in a text of others: as they are, percent-encoded, in
 * base64, in hexadecimal digits, and as JSON or HTML escape them, also cut off. Nothing is left of
 * a text that has some of one otherwise, such as letter by letter, or its end. Each is searched for
 * itself: an expression made of them could fail, and quote them. The time is linear in the text,
 * for each.
 */
export function secretRemover(secrets: readonly unknown[]): (text: string) => string {
	const given = secrets
		.filter((secret) => typeof secret === 'string')
		.filter((secret) => secret.trim() !== '');
	if (given.length === 0) return (text) => text;
	const all = [...new Set(given)].map((secret) => {
		const bytes = bytesOf(secret);
		return { bytes, isShort: bytes.length < SHORT, writings: writingsOf(bytes) };
	});
	// One that is made of escapes alone cannot be told from other texts.
	if (all.some(({ isShort, writings: [plain = ''] }) => !isShort && plain.length < SHORT))
		return () => HIDDEN;
	const asGiven = all.map(({ bytes, isShort }) => formOf(bytes, isShort));
	const forms = all.flatMap(({ writings, isShort }) =>
		writings.map((writing) => formOf(writing, isShort)),
	);
	const pieces = new Set(
		all.flatMap(({ isShort, writings }) => (isShort ? [] : writings)).flatMap(piecesOf),
	);
	return (text) => {
		const bytes = bytesOf(text);
		// First as they are: what is before one could be decoded with its beginning.
		const asWritten = without(asGiven, bytes, true);
		const plain = decoded(asWritten);
		if (plain === undefined) return HIDDEN;
		const left = without(forms, plain, false);
		if (piecesOf(left).some((piece) => pieces.has(piece))) return HIDDEN;
		const shown = left === plain ? asWritten : left;
		return shown === bytes ? text : Buffer.from(shown, 'latin1').toString();
	};
}

/** The text without these, and without the words that they are in. */
function without(forms: readonly Form[], text: string, areWhole: boolean): string {
	const until = endsIn(text, forms, areWhole);
	const pieces: string[] = [];
	let shown = 0;
	for (let at = 0; at < text.length;) {
		let end = until[at]!;
		if (end === 0) {
			at += 1;
			continue;
		}
		let from = at;
		while (from > shown && BEFORE.test(text[from - 1]!)) from -= 1;
		// What overlaps it is hidden with it.
		for (; at < text.length && (at < end || BEHIND.test(text[at]!)); at++)
			end = Math.max(end, until[at]!);
		pieces.push(text.slice(shown, from), HIDDEN);
		shown = at;
	}
	return [...pieces, text.slice(shown)].join('');
}

/** For each place: where the longest secret ends that starts there. */
function endsIn(text: string, forms: readonly Form[], areWhole: boolean): Int32Array {
	const until = new Int32Array(text.length);
	const searched = folded(text);
	for (const { head, tail, length, isShort } of forms)
		for (let at = searched.indexOf(head); at !== -1; at = searched.indexOf(head, at + 1)) {
			const isOther = areWhole && !searched.startsWith(tail, at + length - tail.length);
			if (isOther || (isShort && !isWord(text, at, at + length))) continue;
			until[at] = Math.max(until[at]!, at + length);
		}
	return until;
}

const isWord = (text: string, from: number, to: number) =>
	!/\w/.test(text[from - 1] ?? '') && !/\w/.test(text[to] ?? '');
