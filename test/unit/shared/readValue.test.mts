import type { Expected } from '#nodes/shared/texts/readValue.ts';
import { readValues } from '#nodes/shared/texts/readValue.ts';

const valuesOf = (text: string, expected: Expected, person?: string) =>
	readValues(text, expected, person).map(({ value }) => value);

/** A made-up reply, with what it was made from, and what else it could mean. */
interface Made {
	text: string;
	kind: Expected['kind'];
	meant: number | string;
	other?: number | string | undefined;
}

/** The same numbers in each run, from 0 to 1. */
function randomOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
		return state / 4_294_967_296;
	};
}
const random = randomOf(75);
const oneOf = <T,>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
const upTo = (most: number): number => Math.floor(random() * (most + 1));

const LOCALES =
	'en de fr es pt pt-PT it nl sv nb da fi pl cs sk hu ro bg ru uk el tr ar-EG fa he hi bn ta te mr ne my th lo km vi id ms zh ja ko de-CH de-AT en-IN es-MX es-CO fr-CH it-CH ff-Adlm gu kn ml pa sr hr sl lt lv et is ga cy eu ca gl'.split(
		' ',
	);
const UNITS =
	' people| pessoas| personas| Personen| personnes|人|名| euros| €|€| kg| km| hours| Uhr| itens| человек| شخص| लोग|%| noches| nights|x| Stück.'.split(
		'|',
	);

const formats = new Map<string, Intl.NumberFormat>();
/** Each made once, because that takes long. */
function formatOf(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
	const key = JSON.stringify([locale, options]);
	const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
	formats.set(key, format);
	return format;
}

/** Thousands with a point are a decimal to somebody else. By the written text alone. */
function otherNumber(written: string, meant: number): number | undefined {
	const ascii = formatOf('en', { useGrouping: false, maximumFractionDigits: 3 });
	const [, point] = /^\D?[1-9]\d{0,2}(?:([.,])\d{3})$/.exec(written) ?? [];
	if (point === undefined) return undefined;
	const digits = ascii.format(meant).replace('.', '');
	return Number.isInteger(meant) ? meant / 1000 : Number(digits);
}

function madeNumber(): Made {
	const size = oneOf([9, 99, 999, 9999, 999_999, 99_999_999]);
	const meant = (upTo(size) + 1) / oneOf([1, 1, 1, 1, 10, 100]);
	const locale = oneOf(LOCALES);
	const useGrouping = oneOf(['always', 'always', false] as const);
	const options = { useGrouping, maximumFractionDigits: 2 };
	const written = formatOf(locale, options).format(meant);
	const latin = formatOf(locale, { ...options, numberingSystem: 'latn' });
	const other = otherNumber(latin.format(meant), meant);
	const dressed = oneOf([
		written,
		written,
		` ${written}.`,
		`"${written}"`,
		`*${written}*`,
		`${written} 👍`,
		written + oneOf(UNITS),
	]);
	// Only western signs can be either.
	const isEither = other !== undefined && /\d[.,]\d|[.,]/.test(written);
	return { text: dressed, kind: 'number', meant, ...(isEither ? { other } : {}) };
}

function madeDate(): Made {
	const time = Date.UTC(2020, 0, 1) + upTo(20 * 365) * 86_400_000;
	const meant = new Date(time).toISOString().slice(0, 10);
	const [year = '', month = '', day = ''] = meant.split('-');
	const sign = oneOf(['/', '.', '-', '. ', ' / ', '–']);
	const order = oneOf(['dmy', 'dmy', 'mdy', 'ymd'] as const);
	const isShort = oneOf([true, false]);
	const part = (text: string) => (isShort ? String(Number(text)) : text);
	const parts = { d: part(day), m: part(month), y: year };
	const text = [...order].map((name) => parts[name as 'd' | 'm' | 'y']).join(sign);
	const isEither = order !== 'ymd' && Number(day) <= 12 && day !== month;
	const digits = oneOf([0, 0, 0, 0x630, 0x6c0, 0x936, 0xfee0]);
	const written = text.replace(/\d/g, (one) => String.fromCharCode(one.charCodeAt(0) + digits));
	return {
		text: oneOf([written, `${written}.`, ` ${written} `]),
		...{ kind: 'date', meant, other: isEither ? `${year}-${day}-${month}` : undefined },
	};
}

function madeAddress(): Made {
	const name = oneOf(['ana', 'Ana.Souza', 'ben+shop', 'cleo_1', "o'neil", 'josé', '张伟']);
	const meant = `${name}@${oneOf(['example.com', 'mail.example.co.uk', 'exämple.de', 'a-b.io'])}`;
	const text = oneOf([meant, `${meant}.`, `<${meant}>`, `Ana Souza <${meant}>`, `mailto:${meant}`]);
	return { text, kind: 'email', meant };
}

/** By country code, numbers of a valid length and beginning. */
const PHONES = ['5511987654321', '4915123456789', '14155552671', '33612345678', '919876543210'];
function madePhone(): Made {
	const meant = oneOf(PHONES).replace(/\d{3}$/, () => String(100 + upTo(899)));
	const spaced = meant.replace(/(\d{2,4})(?=(?:\d{4})+$)/g, '$1 ');
	const text = oneOf([
		`+${meant}`,
		`+${spaced}`,
		`00${meant}`,
		`+${spaced.replaceAll(' ', '-')}`,
		`+${spaced.replaceAll(' ', '.')}`,
		` +${spaced} `,
		`tel:+${meant}`,
	]);
	return { text, kind: 'phone', meant };
}

const MADE = Array.from({ length: 3000 }, () =>
	oneOf([madeNumber, madeNumber, madeDate, madeDate, madeAddress, madePhone])(),
);

const isSame = (one: readonly unknown[], other: readonly unknown[]) =>
	one.length === other.length && other.every((value) => one.includes(value));

test('a made-up reply is read as what it was made from, or as several, and never as another', () => {
	const read = MADE.map((made) => ({ ...made, values: valuesOf(made.text, made) }));
	const wrong = read.filter(
		({ values, meant, other }) =>
			(values.length > 0 && !values.includes(meant)) ||
			(values.length === 1 && other !== undefined),
	);
	expect(wrong).toEqual([]);
	const either = read.filter(({ other }) => other !== undefined);
	expect(either.filter(({ values, meant, other }) => !isSame(values, [meant, other]))).toEqual([]);
	const clear = read.filter(({ other }) => other === undefined);
	const missed = clear.filter(({ values }) => values.length !== 1);
	expect([clear.length > 2000, either.length > 200]).toEqual([true, true]);
	expect(missed.slice(0, missed.length / clear.length > 0.05 ? 40 : 0)).toEqual([]);
});

test('what a button shows, and what its ID holds, is read one way only', () => {
	const read = MADE.flatMap((made) => readValues(made.text, made).map((one) => ({ ...made, one })));
	const again = read.map(({ one, kind }) =>
		[one.title, one.plain].map((text) => valuesOf(text, { kind })),
	);
	expect(again).toEqual(read.map(({ one }) => [[one.value], [one.value]]));
	expect(read.filter(({ one, kind }) => kind !== 'email' && one.title.length > 20)).toEqual([]);
});

const NONE: Array<[Expected['kind'], ...string[]]> = [
	['number', 'two', '2 or 3', '2-3', '2½', '1/2', '2k', '2 mil', '3 Mio.', '2万', '4 dozen', '二'],
	['number', '', ' ', '?', '4?', '~5', '10:30', '1.2.3', '12.34.56', '4 adults 2 kids', '1e3'],
	['number', '12345678901234567', '03/04/2027', '+55 11 98765-4321', '5 6', '4人と子供二人'],
	['date', 'tomorrow', '3/4', '30/02/2027', '3 de abril', '03.04/2027', '1/13/13/27', '14/01/1406'],
	['date', '03/04/2570', '2027', '31-31-2027', '2027-13-01', '3/4/027', '10:30'],
	['email', 'ana', 'ana@example', 'ana @example.com', 'a@b.com, c@d.com', 'not ana@example.com'],
	['email', 'ana@exa..mple.com', '@example.com', 'ana@example.com?', 'a@b@example.com'],
	['phone', '99999-0000', '(11) 98765-4321', '11 98765-4321', '+1', 'none', '+55 (0xx11) 98765'],
];
test.each(NONE)('is no %s: %j, and others', (kind, ...texts) => {
	expect(texts.map((text) => [text, valuesOf(text, { kind })])).toEqual(
		texts.map((text) => [text, []]),
	);
});

test.each<[string, Expected, Array<number | string>, string?]>([
	['1.234', { kind: 'number' }, [1234, 1.234]],
	['1.234', { kind: 'number', most: 100 }, [1.234]],
	['-5', { kind: 'number', least: 0 }, []],
	['0,500', { kind: 'number' }, [0.5]],
	['R$ 1.234,50', { kind: 'number' }, [1234.5]],
	['03/04/2027', { kind: 'date' }, ['2027-04-03', '2027-03-04']],
	['03/04/2027', { kind: 'date' }, ['2027-03-04', '2027-04-03'], '14155552671'],
	['03/04/2027', { kind: 'date', least: '2027-03-20' }, ['2027-04-03']],
	[
		'3/4/27',
		{ kind: 'date', least: '2027-01-01', most: '2027-12-31' },
		['2027-04-03', '2027-03-04'],
	],
	['31/12/85', { kind: 'date' }, ['1985-12-31']],
	['31/12/85', { kind: 'date', least: '2080-01-01' }, ['2085-12-31']],
	['3 April 2027', { kind: 'date' }, ['2027-04-03']],
	['1 415 555 2671', { kind: 'phone' }, ['14155552671'], '14155550000'],
	['1 415 555 2671', { kind: 'phone' }, [], '5511999990000'],
	['5511987654321', { kind: 'phone' }, ['5511987654321']],
])('%j within %j is %j', (...[text, expected, values, person]) => {
	expect(valuesOf(text, expected, person)).toEqual(values);
});

test('no word of CLDR for thousands and more is left aside as a unit, except those of most people', () => {
	const codes = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((first, _, all) =>
		all.map((second) => first + second),
	);
	const words = Intl.NumberFormat.supportedLocalesOf(codes).flatMap((locale) =>
		(['short', 'long'] as const).flatMap((compactDisplay) => {
			const format = new Intl.NumberFormat(locale, { notation: 'compact', compactDisplay });
			return [1e3, 2e3, 1e5, 1e6, 2e6, 1e9, 2e9, 1e12].flatMap((number) =>
				format
					.formatToParts(number)
					.flatMap(({ type, value }) => (type === 'compact' ? value : [])),
			);
		}),
	);
	const read = words.filter((word) => valuesOf(`2 ${word}`, { kind: 'number' }).length > 0);
	const units = new Set(read.map((word) => word.toLowerCase()));
	expect([...units].sort()).toEqual(['d', 'g', 'h', 'kun', 'libo', 'min', 'ming', 'p']);
});
