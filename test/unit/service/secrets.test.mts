import fc from 'fast-check';

import { excerptOf, wordsOf } from '../../../nodes/BusinessMessaging/service/excerpt.ts';
import { secretRemover } from '../../../nodes/BusinessMessaging/service/secrets.ts';

const SECRET = 'sk_live-7f3a+needle/in=haystack~Q?';
const percent = (text: string, upper = false) =>
	Array.from(
		Buffer.from(text),
		(byte) => `%${byte.toString(16)[upper ? 'toUpperCase' : 'toLowerCase']()}`,
	).join('');
const escaped = (text: string) =>
	Array.from(text, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const WRITINGS: Array<[name: string, write: (secret: string) => string]> = [
	['as it is', (secret) => secret],
	['in capitals', (secret) => secret.toUpperCase()],
	['as a part of an address', encodeURIComponent],
	['as a part of an address, in lower case', (secret) => encodeURIComponent(secret).toLowerCase()],
	[
		'as a form sends it',
		(secret) => new URLSearchParams({ secret }).toString().slice('secret='.length),
	],
	['percent-encoded as a whole', (secret) => percent(secret)],
	['percent-encoded as a whole, in capitals', (secret) => percent(secret, true)],
	['percent-encoded twice', (secret) => encodeURIComponent(encodeURIComponent(secret))],
	['percent-encoded as a whole, twice', (secret) => encodeURIComponent(percent(secret))],
	['in base64', base64],
	['in base64 without padding', (secret) => base64(secret).replaceAll('=', '')],
	['in base64 for addresses', base64url],
	['in base64, percent-encoded', (secret) => encodeURIComponent(base64(secret))],
	['in base64 with a short name before it', (secret) => base64(`u:${secret}`)],
	['in base64 with a longer name before it', (secret) => base64(`us:${secret}`)],
	['in base64 with a long name before it', (secret) => base64(`use:${secret}`)],
	['in base64 within an object', (secret) => base64(JSON.stringify({ secret, more: 'text' }))],
	[
		'in base64 for addresses, within an object',
		(secret) => base64url(JSON.stringify({ a: 1, secret })),
	],
	['in base64, a line broken', (secret) => base64(`user:${secret}`).replace(/.{16}/g, '$&\r\n')],
	['in hexadecimal digits', (secret) => Buffer.from(secret).toString('hex')],
	[
		'in hexadecimal digits, in capitals',
		(secret) => Buffer.from(secret).toString('hex').toUpperCase(),
	],
	['escaped by JSON', escaped],
	['escaped by JSON twice', (secret) => escaped(secret).replaceAll('\\', '\\\\')],
	['escaped by JSON, with slashes', (secret) => secret.replaceAll('/', '\\/')],
	[
		'escaped by JavaScript',
		(secret) => Array.from(secret, (char) => `\\x${char.charCodeAt(0).toString(16)}`).join(''),
	],
	[
		'escaped by HTML',
		(secret) => Array.from(secret, (char) => `&#${char.charCodeAt(0)};`).join(''),
	],
	[
		'escaped by HTML in hexadecimal digits',
		(secret) => Array.from(secret, (char) => `&#x${char.charCodeAt(0).toString(16)};`).join(''),
	],
	[
		'escaped by HTML twice',
		(secret) => Array.from(secret, (char) => `&amp;#${char.charCodeAt(0)};`).join(''),
	],
	['broken by white space', (secret) => secret.replace(/.{7}/g, '$&\n  ')],
];

test.each(WRITINGS)('a secret is taken out of a text that has it %s', (name, write) => {
	const written = write(SECRET);
	const shown = secretRemover([SECRET])(`Before ${written} and after é`);
	// In base64, what stood around it may be left; and so may the backslash that a backslash was escaped by.
	expect(shown).toMatch(
		name.includes('base64')
			? /^Before [\w\r\n]{0,24}\[hidden\][\w\r\n]{0,24}(=|%3D)* and after é$/
			: /^Before \\?\[hidden\] and after é$/,
	);
});

test('it is taken out wherever it stands, as often as it does', () => {
	const remove = secretRemover([SECRET, undefined, '', 'another-secret']);
	expect(remove(`${SECRET}${SECRET}another-secret, x=${base64(SECRET)}`)).toMatch(
		/^(\[hidden\])+, x=\[hidden\]$/,
	);
	expect(remove('Nothing to hide: 100 % & "more" + 1/2')).toBe(
		'Nothing to hide: 100 % & "more" + 1/2',
	);
	expect(remove(`%${SECRET}`)).toBe('%[hidden]');
	expect(remove(`key${SECRET}end`)).toBe('key[hidden]end');
});

const WITH_MARKUP_IN_IT = [
	'a"b<c>&\'d\\e',
	'with a space',
	'ümläut-ß',
	'%41%42%43xyz',
	'&amp;&lt;12',
	'\\u0041\\n',
	'______',
	'++++////',
];

test.each(WITH_MARKUP_IN_IT)('a secret of odd characters is, too: %s', (secret) => {
	for (const text of [
		secret,
		encodeURIComponent(secret),
		percent(secret),
		base64(secret),
		base64(secret).replaceAll('=', ''),
		base64(`user:${secret}`),
		escaped(secret),
		JSON.stringify(secret),
		Buffer.from(secret).toString('hex'),
	]) {
		expect(secretRemover([secret])(`Before ${text}.`)).toMatch(
			/^Before "?(dXNlcj|\\)?\[hidden\]"?\.$/,
		);
	}
});

test('of a secret within base64 nothing is left to read, whatever stands around it', () => {
	const text = fc.string({
		minLength: 8,
		maxLength: 40,
		unit: fc.constantFrom(
			...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~+/=',
		),
	});
	fc.assert(
		fc.property(
			text,
			fc.string({ maxLength: 9 }),
			fc.string({ maxLength: 9 }),
			fc.constantFrom('base64' as const, 'base64url' as const),
			(secret, before, after, alphabet) => {
				const around = 'ü';
				const shown = secretRemover([secret])(
					`${around} ${Buffer.from(before + secret + after).toString(alphabet)} ${around}`,
				);
				expect(shown).toContain('[hidden]');
				expect(
					Buffer.from(shown.replace('[hidden]', ''), alphabet).toString('latin1'),
				).not.toContain(secret.slice(0, 4));
			},
		),
	);
});

test('a secret of a few characters makes no nonsense of a text, and is taken out where it stands alone', () => {
	expect(secretRemover(['a'])('a channel has a bad name: "a"')).toBe(
		'[hidden] channel has [hidden] bad name: "[hidden]"',
	);
	expect(secretRemover(['abc'])('Bearer abc, key=abc&more; YWJj abcd 0abc')).toBe(
		'Bearer [hidden], key=[hidden]&more; [hidden] abcd 0abc',
	);
	expect(secretRemover(['abc'])('%61%62%63 a bc')).toBe('[hidden] a bc');
	expect(secretRemover(['abc'])('the key is abc')).toBe('the key is [hidden]');
});

test('a short secret in base64 is taken out without its padding, too', () => {
	for (const secret of ['abcd', 'abcde'])
		for (const written of [base64(secret), base64(secret).replaceAll('=', '')])
			expect(secretRemover([secret])(`key ${written}.`)).toBe('key [hidden].');
});

test('a secret of which nothing is left to look for takes nothing out, and ends', () => {
	for (const secret of [' ', '\r\n', '\t  '])
		expect(secretRemover([secret])('a text, with\tblanks ')).toBe('a text, with\tblanks ');
});

test('a secret with a space is taken out as a form sends it', () => {
	expect(secretRemover(['with a space'])('key=with+a+space&more')).toBe('key=[hidden]&more');
});

test('what is no text is no secret', () => {
	expect(secretRemover([undefined, null, 7])('undefined, null, 7')).toBe('undefined, null, 7');
});

test('letters that have two capitals leave the places where they are', () => {
	// Its first byte, read as a letter, is written SS in capitals.
	expect(secretRemover([SECRET])(`\u07ca ${SECRET}.`)).toBe('\u07ca [hidden].');
});

test('a text without a secret is given as it is, to the last surrogate', () => {
	expect(secretRemover([SECRET])('\ud800 cut emoji')).toBe('\ud800 cut emoji');
});

test('an excerpt holds no secret that markup or a cut would have let through', () => {
	const remove = secretRemover([SECRET]);
	expect(excerptOf(`<p>${SECRET.slice(0, 8)}<wbr>${SECRET.slice(8)}</p>`, remove)).toBe('[hidden]');
	expect(excerptOf(`${'x'.repeat(110)} ${SECRET}`, remove)).not.toContain(SECRET.slice(0, 5));
	expect(
		excerptOf({ [SECRET]: 1, [`Basic ${base64(`user:${SECRET}`)}`]: 2, name: 3 }, remove),
	).toBe('a JSON object with the fields [hidden], Basic dXNlcj[hidden], name');
	expect(wordsOf(`${SECRET} ${'x'.repeat(5000)}`, remove)).toMatch(/^\[hidden\] x{1991}$/);
});

test('an excerpt is a line without markup, scripts and styles', () => {
	const page =
		'<html>\n<style>p { }</style><SCRIPT>let a = "<p>";</SCRIPT><h1>Bad\tGateway</h1>\u0007<p>Sorry</p><script>never closed';
	expect(excerptOf(page, secretRemover([]))).toBe('Bad Gateway Sorry');
});
