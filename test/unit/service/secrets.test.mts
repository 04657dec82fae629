import fc from 'fast-check';

import { excerptOf, quoteOf } from '#nodes/service/errors/serviceMessage.ts';
import { secretRemover } from '#nodes/service/secrets.ts';

const SECRET = 'sk_live-7f3a+needle/in=haystack~Q?';
const percent = (text: string, upper = false) =>
	Array.from(
		Buffer.from(text),
		(byte) => `%${byte.toString(16)[upper ? 'toUpperCase' : 'toLowerCase']()}`,
	).join('');
const escaped = (text: string) =>
	Array.from(text, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const escapedByHtml = (text: string, radix: 10 | 16 = 10) =>
	text.replace(
		/\W/g,
		(sign) => `&#${radix === 16 ? 'x' : ''}${sign.charCodeAt(0).toString(radix)};`,
	);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const WRITINGS: Array<[name: string, write: (secret: string) => string]> = [
	['as it is', (secret) => secret],
	['in capitals', (secret) => secret.toUpperCase()],
	['as a part of a URL', encodeURIComponent],
	['as a part of a URL, in lower case', (secret) => encodeURIComponent(secret).toLowerCase()],
	['as a URL', encodeURI],
	[
		'as a form sends it',
		(secret) => new URLSearchParams({ secret }).toString().slice('secret='.length),
	],
	['percent-encoded, every byte', (secret) => percent(secret)],
	['percent-encoded, every byte, in capitals', (secret) => percent(secret, true)],
	['in base64', base64],
	['in base64 without padding', (secret) => base64(secret).replaceAll('=', '')],
	['in base64 for URLs', base64url],
	['in base64, percent-encoded', (secret) => encodeURIComponent(base64(secret))],
	['in base64 after a short name', (secret) => base64(`u:${secret}`)],
	['in base64 after a longer name', (secret) => base64(`us:${secret}`)],
	['in base64 after a long name', (secret) => base64(`use:${secret}`)],
	['in base64 within an object', (secret) => base64(JSON.stringify({ secret, more: 'text' }))],
	['in base64 for URLs, within an object', (secret) => base64url(JSON.stringify({ a: 1, secret }))],
	['in hexadecimal digits', (secret) => Buffer.from(secret).toString('hex')],
	['escaped by JSON, every character', escaped],
	['escaped by JSON, slashes', (secret) => secret.replaceAll('/', '\\/')],
	['escaped by HTML, signs', escapedByHtml],
	['escaped by HTML, signs in hexadecimal digits', (secret) => escapedByHtml(secret, 16)],
];

test.each(WRITINGS)('hides a secret %s', (name, write) => {
	const written = write(SECRET);
	const shown = secretRemover([SECRET])(`Before ${written} and after é`);
	// In base64, the text around the secret may be left.
	expect(shown).toMatch(
		name.includes('base64')
			? /^Before \w{0,24}\[hidden\]\w{0,24}(=|%3D)* and after é$/
			: /^Before \[hidden\] and after é$/,
	);
});

const folded = (text: string, length: number, end: string) =>
	(text.match(new RegExp(`.{1,${length}}`, 'g')) ?? []).join(end);

const numbers = (text: string, radix: number, digits = 0) =>
	[...Buffer.from(text)].map((byte) => byte.toString(radix).padStart(digits, '0'));
const wide = (text: string) => Buffer.from(text, 'utf16le');
const base32 = (text: string) =>
	(
		numbers(text, 2, 8)
			.join('')
			.match(/.{1,5}/g) ?? []
	)
		.map((bits) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[parseInt(bits.padEnd(5, '0'), 2)])
		.join('');

test.each<[string, (secret: string) => string]>([
	['in lines', (secret) => folded(secret, 9, '\r\n ')],
	['in lines, as JSON has them', (secret) => folded(secret, 9, '\\r\\n')],
	['in lines of mail', (secret) => folded(secret, 9, '=\r\n')],
	['in lines of base64', (secret) => folded(base64(`user:${secret}`), 16, '\r\n')],
	['in lines, percent-encoded', (secret) => folded(percent(secret), 9, '\n')],
	['with places to break', (secret) => folded(secret, 4, '\u200b')],
	['letter by letter', (secret) => folded(secret, 1, ' ')],
	['in UTF-16', (secret) => folded(secret, 1, '\0')],
	['but its beginning', (secret) => secret.slice(1)],
	['as a Buffer of Node.js in JSON', (secret) => JSON.stringify({ key: Buffer.from(secret) })],
	['as decimal numbers', (secret) => [...Buffer.from(`key ${secret}`)].join(' ')],
	['as octal numbers', (secret) => numbers(secret, 8).join('\\')],
	['as octal numbers of three digits', (secret) => numbers(secret, 8, 3).join(', ')],
	['as hexadecimal numbers', (secret) => numbers(secret, 16, 2).join(', 0x')],
	['in base64 of UTF-16', (secret) => wide(`user:${secret}`).toString('base64')],
	['in base64 of UTF-16 in the other order', (s) => wide(`u:${s}`).swap16().toString('base64')],
	['in hexadecimal digits of UTF-16', (secret) => wide(secret).toString('hex')],
	...['', 'u', 'us', 'use', 'user'].map((before): [string, (secret: string) => string] => [
		`in base32 after "${before}"`,
		(secret) => base32(before + secret),
	]),
	['backwards', (secret) => [...secret].reverse().join('')],
	['in base64 backwards', (secret) => [...base64(`u${secret}`)].reverse().join('')],
	...['\\x*', '\\u{*}'].map((escape): [string, (secret: string) => string] => [
		`as ${escape}`,
		(secret) =>
			numbers(secret, 16, 2)
				.map((digits) => escape.replace('*', digits))
				.join(''),
	]),
	['as binary numbers', (secret) => numbers(secret, 2, 8).join(' ')],
	['as an object of its letters', (secret) => JSON.stringify({ ...Array.from(secret) })],
	['with a letter between each two', (secret) => folded(secret, 1, 'x')],
	['with a letter between each two, after one', (secret) => `.${folded(secret, 1, 'x')}`],
])('quotes nothing of a text that has a secret %s', (_name, write) => {
	for (const secret of [SECRET, 'blanks in a secret'])
		expect(secretRemover([secret])(`Before ${write(secret)}: after`)).toBe('[hidden]');
});

test('quotes nothing of a text that has a secret in two elements', () => {
	const [one, other] = ['made_up_51HqTz', 'KLmnop9XyZ23abcDEF'];
	const text = `Before <b>${one}</b><b class="end">${other}</b>`;
	expect(secretRemover([one + other])(text)).toBe('[hidden]');
});

test.each<[string, (start: string) => string]>([
	['at the end', (start) => `Failed: ${start}`],
	['before a quotation mark', (start) => `{"message":"Failed: ${start}"}`],
	['before an ellipsis', (start) => `Failed: ${start}… Try again.`],
	['before three dots', (start) => `Failed: ${start}... Try again.`],
	['behind another ellipsis', (start) => `Failed… ${start}…`],
])('hides the start of a secret that was cut off %s', (_name, write) => {
	for (let length = 12; length < SECRET.length; length += 1)
		for (const start of [SECRET.slice(0, length), percent(SECRET).slice(0, 3 * length)])
			expect(secretRemover([SECRET])(write(start))).toMatch(/ \[hidden\](?!\w)/);
	const short = write(SECRET.slice(0, 11));
	expect(secretRemover([SECRET])(short)).toBe(short);
});

test('hides every secret each time it occurs', () => {
	const remove = secretRemover([SECRET, undefined, '', 'another-secret']);
	expect(remove(`${SECRET}${SECRET}another-secret, x=${base64(SECRET)}`)).toMatch(
		/^(\[hidden\])+, x=\[hidden\]$/,
	);
	const overlapping = secretRemover(['one two three', 'three four five', 'four']);
	expect(overlapping('So one two three four five.')).toBe('So [hidden].');
	expect(remove('Nothing to hide: 100 % & "more" + 1/2')).toBe(
		'Nothing to hide: 100 % & "more" + 1/2',
	);
	for (const word of [`%${SECRET}`, `key${SECRET}end`])
		expect(remove(`A ${word}, then`)).toBe('A [hidden], then');
});

const HIDES_IT = /^Before "?(dXNlcj)?\[hidden\]"?\.$/;
/** A secret of escapes alone cannot be told from other texts. */
const QUOTES_NOTHING = /^\[hidden\]$/;

test.each([
	['with a space', HIDES_IT],
	['ümläut-ß', HIDES_IT],
	['%41%42%43xyz', HIDES_IT],
	['______', HIDES_IT],
	['++++////', HIDES_IT],
	['a"b<c>&\'d\\e', HIDES_IT],
	['&amp;&lt;12', QUOTES_NOTHING],
	['\\u0041\\n', QUOTES_NOTHING],
])('hides a secret of odd characters: %s', (secret, shown) => {
	for (const text of [
		secret,
		encodeURIComponent(secret),
		percent(secret),
		base64(secret),
		base64(secret).replaceAll('=', ''),
		base64(`user:${secret}`),
		escaped(secret),
		JSON.stringify(secret),
		secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
	]) {
		expect(secretRemover([secret])(`Before ${text}.`)).toMatch(shown);
	}
});

test('leaves nothing readable of a secret within base64, whatever surrounds it', () => {
	const letters = 'abcdefghijklmnopqrstuvwxyz';
	const sign = fc.constantFrom(...letters, ...letters.toUpperCase(), ...'0123456789-_.~+/=');
	const text = fc.string({ minLength: 8, maxLength: 40, unit: sign });
	const around = fc.string({ maxLength: 9 });
	fc.assert(
		fc.property(
			text,
			around,
			around,
			fc.constantFrom('base64' as const, 'base64url' as const),
			(secret, before, after, alphabet) => {
				const written = Buffer.from(before + secret + after).toString(alphabet);
				const shown = secretRemover([secret])(`ü ${written} ü`);
				expect(shown).toContain('[hidden]');
				expect(
					Buffer.from(shown.replace('[hidden]', ''), alphabet).toString('latin1'),
				).not.toContain(secret.slice(0, 4));
			},
		),
	);
});

test('hides a secret with slashes and backslashes as JSON escapes them', () => {
	const secret = '\\/a\\\\/"b-cd';
	const inJson = JSON.stringify(secret).slice(1, -1);
	for (const written of [secret, inJson, inJson.replaceAll('/', '\\/')])
		expect(secretRemover([secret])(`key ${written}.`)).toBe('key [hidden].');
});

test.each([
	['with a space', 'key=with+a+space&more', 'key=[hidden]&more'],
	// A letter that has two capitals, and a cut emoji.
	[SECRET, `\u07ca ${SECRET}.`, '\u07ca [hidden].'],
	[SECRET, '\ud800 cut emoji', '\ud800 cut emoji'],
	[undefined, 'undefined, null, 7', 'undefined, null, 7'],
	[null, 'undefined, null, 7', 'undefined, null, 7'],
	[7, 'undefined, null, 7', 'undefined, null, 7'],
	[' ', 'a text, with\tblanks ', 'a text, with\tblanks '],
	['\r\n', 'a text,\r\nwith', 'a text,\r\nwith'],
	['\t  ', 'a text,\t  with', 'a text,\t  with'],
	// Short ones only if they are words of their own.
	['a', 'a channel has a bad name: "a"', '[hidden] channel has [hidden] bad name: "[hidden]"'],
	['abc', 'Bearer abc, key=abc&more; abcd 0abc', 'Bearer [hidden], key=[hidden]&more; abcd 0abc'],
	['abc', 'YWJj %61%62%63 a bc the key is abc', '[hidden] [hidden] a bc the key is [hidden]'],
	['abcd', 'key YWJjZA== YWJjZA.', 'key [hidden] [hidden].'],
	['abcde', 'key YWJjZGU= YWJjZGU.', 'key [hidden] [hidden].'],
])('of the secret %j, %j shows %j', (secret, text, shown) => {
	expect(secretRemover([secret])(text)).toBe(shown);
});

test('finds a secret in an excerpt despite markup and cuts', () => {
	const remove = secretRemover([SECRET]);
	expect(excerptOf(`<p>${SECRET.slice(0, 8)}<wbr>${SECRET.slice(8)}</p>`, remove)).toBe('[hidden]');
	expect(excerptOf(`${'x'.repeat(110)} ${SECRET}`, remove)).not.toContain(SECRET.slice(0, 5));
	expect(
		excerptOf({ [SECRET]: 1, [`Basic ${base64(`user:${SECRET}`)}`]: 2, name: 3 }, remove),
	).toBe('a JSON object with the fields [hidden], Basic [hidden], name');
	expect(quoteOf(`${SECRET} ${'x'.repeat(5000)}`, remove)).toMatch(/^\[hidden\] x{1991}$/);
});

test('makes an excerpt of one line without markup, scripts and styles', () => {
	const page =
		'<html>\n<style>p { }</style><SCRIPT>let a = "<p>";</SCRIPT><h1>Bad\tGateway</h1>\u0007<p>Sorry</p><script>never closed';
	expect(excerptOf(page, secretRemover([]))).toBe('Bad Gateway Sorry');
});

test.each(['{"id": "1", "secret": "abc', '\n[{"token": "abc"}, oops', '{"key":"abc"}{}'])(
	'quotes nothing of JSON that cannot be parsed: %j',
	(body) => expect(excerptOf(body, secretRemover([]))).toBe('JSON that is not whole'),
);

test('quotes on one line, because n8n logs errors', () => {
	const words = 'Wrong:\r\n::error::x\u0085\u2028\u2029\u001b]52;c;QQ==\u0007.';
	expect(quoteOf(words, secretRemover([]))).toBe('Wrong: ::error::x ]52;c;QQ== .');
	const turned = '\u202egnorW\u202c \u2067a\u2069\u200e\u200f\u061c.';
	expect(quoteOf(turned, secretRemover([]))).toBe('gnorW a.');
	expect(excerptOf(turned, secretRemover([]))).toBe('gnorW a.');
});
