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

type Form = ReturnType<typeof formOf>;

function formOf(writing: string, isShort: boolean) {
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

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Base32 makes eight characters of five bytes. */
function inBase32(bytes: string, before: number): string {
	const bits = Array.from('-'.repeat(before) + bytes, (byte) =>
		byte.charCodeAt(0).toString(2).padStart(8, '0'),
	).join('');
	const groups = bits.match(/.{5}/g) ?? [];
	return groups
		.slice(Math.ceil((before * 8) / 5))
		.map((group) => BASE32[parseInt(group, 2)])
		.join('');
}

/** Writings that no server echoes. A text with some of one is not quoted. UTF-16 counts, too. */
function oddWritingsOf(secret: string): string[] {
	const bytes = bytesOf(secret);
	const wide = Buffer.from(secret, 'utf16le').toString('latin1');
	const numbers = (radix: number, between = '', digits = 0) =>
		Array.from(bytes, (byte) => byte.charCodeAt(0).toString(radix).padStart(digits, '0')).join(
			between,
		);
	const three = [0, 1, 2];
	const turned = [bytes, ...three.map((before) => inBase64(bytes, before)), encoded(bytes, 'hex')];
	return [
		...[numbers(10), numbers(10, '', 3), numbers(8), numbers(8, '', 3), numbers(2, '', 8)],
		...['0x', 'x', 'u'].map((escape) => numbers(16, escape, 2)),
		Array.from(bytes, (byte, at) => `${at}${byte}`).join(''),
		...[encoded(wide, 'hex'), ...three.map((before) => inBase64(wide, before))],
		...[0, 1, 2, 3, 4].map((before) => inBase32(bytes, before)),
		...turned.map((writing) => Array.from(writing).reverse().join('')),
	];
}

/** Characters of secrets that are searched for in odd writings: those of the credential first. */
const ODD_MAX = 2000;

/** The first, the third and so on: somebody may have put signs between the letters. */
const everySecond = (text: string): string => text.replace(/([^])[^]/g, '$1');

/**
 * Makes the function that hides secrets in a text of others: as they are, percent-encoded, in
 * base64, in hexadecimal digits, and as JSON or HTML escape them, also cut off. Nothing is left of
 * a text that has some of one otherwise, such as letter by letter, as numbers, or its end. Each is
 * searched for itself: an expression made of them could fail, and quote them. The time is linear
 * in the text, for each.
 */
export function secretRemover(secrets: readonly unknown[]): (text: string) => string {
	const given = secrets
		.filter((secret) => typeof secret === 'string')
		.filter((secret) => secret.trim() !== '');
	if (given.length === 0) return (text) => text;
	const all = [...new Set(given)].map((secret) => {
		const bytes = bytesOf(secret);
		return { secret, bytes, isShort: bytes.length < SHORT, writings: writingsOf(bytes) };
	});
	// One that is made of escapes alone cannot be told from other texts.
	if (all.some(({ isShort, writings: [plain = ''] }) => !isShort && plain.length < SHORT))
		return () => HIDDEN;
	const asGiven = all.map(({ bytes, isShort }) => formOf(bytes, isShort));
	const forms = all.flatMap(({ writings, isShort }) =>
		writings.map((writing) => formOf(writing, isShort)),
	);
	let room = ODD_MAX;
	const pieces = new Set(
		all.flatMap(({ isShort, secret, writings }) => {
			if (isShort) return [];
			const searched = secret.slice(0, room);
			room -= searched.length;
			return [...writings, ...oddWritingsOf(searched)].flatMap(piecesOf);
		}),
	);
	const hasSome = (text: string) => piecesOf(text).some((piece) => pieces.has(piece));
	return (text) => {
		const bytes = bytesOf(text);
		// First as they are: what is before one could be decoded with its beginning.
		const asWritten = without(asGiven, bytes, true);
		const plain = decoded(asWritten);
		if (plain === undefined) return HIDDEN;
		const left = without(forms, plain, false);
		if ([left, everySecond(left), everySecond(left.slice(1))].some(hasSome)) return HIDDEN;
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
