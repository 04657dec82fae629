/**
 * What a reply to an open question holds: a number, a date, an address or a phone number, as people
 * write them. What may mean something else has several values, or none.
 */
import { writtenNumberIn, withPlainDigits } from '../../service/writtenNumber';
import { readRecipient } from '../../service/recipient';
import { countryCodeOf, isPhoneNumber } from '../../service/trunk';
import { areDoubtful } from './doubtfulWords';
import { holdsDigits } from './saidNumbers';
import { isDay } from './words';

export interface Expected {
	kind: 'number' | 'date' | 'email' | 'phone';
	/** Of a number or a date, which is `YYYY-MM-DD`. */
	least?: number | string | undefined;
	most?: number | string | undefined;
}

export interface ReadValue {
	value: number | string;
	/** What can be read one way only. */
	plain: string;
	/** The same for a button. */
	title: string;
}

/** Longest text that is read, in UTF-16 units. An address has at most 254 characters. */
const LONGEST = 300;

/** @param person who wrote it. Of dates, the country decides which comes first */
export function readValues(text: string, expected: Expected, person = ''): ReadValue[] {
	if (text.length > LONGEST || areDoubtful(text, 'reply')) return [];
	const values = READERS[expected.kind](withPlainDigits(text).trim(), expected, person);
	const isOther = ({ plain }: ReadValue, index: number) =>
		values.findIndex((one) => one.plain === plain) === index;
	return values.filter((one, index) => isWithin(one.value, expected) && isOther(one, index));
}

export const isWithin = (value: number | string, { least, most }: Expected): boolean =>
	!(least !== undefined && value < least) && !(most !== undefined && value > most);

type Reader = (text: string, expected: Expected, person: string) => ReadValue[];

const READERS: Record<Expected['kind'], Reader> = {
	number: (text) => numbersIn(bare(text)),
	date: (text, expected, person) => datesIn(bare(text), expected, /^\+?1\d{10}$/.test(person)),
	email: (text) => {
		const [, named, address = named ?? ''] = ADDRESS.exec(text.replace(BEHIND, '')) ?? [];
		return EMAIL.test(address) ? [{ value: address, plain: address, title: address }] : [];
	},
	phone: (text, _expected, person) => {
		const { identifier, problem, isUnclear } = readRecipient(text.replace(/^00/, '+'));
		const isInternational = /^00/.test(text) || writtenNumberIn(text)?.hasPlus === true;
		// Behind an own country's code, or as long as this, it is hardly a number within a country.
		const hasCode = identifier.length > 11 || identifier.startsWith(countryCodeOf(person) ?? ' ');
		const isRead = !problem && !isUnclear && (isInternational || hasCode);
		if (!isRead || !isPhoneNumber(identifier)) return [];
		return [{ value: identifier, plain: `+${identifier}`, title: `+${identifier}` }];
	},
};

const BEHIND = /(?<!["').,;!])["').,;!]+$/u;
/** With a name in front, as a mail program writes it, or by itself. */
const ADDRESS = /^(?:[^<>@]*<([^<>\s]+)>|["'(]?(?:mailto:)?([^\s<>]+))$/iu;
const EMAIL =
	/^(?=.{3,254}$)[^\s@<>()[\],;:\\"]+@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}-]{2,}$/u;

/** Without emoji, invisible signs, and what people put around words. */
const bare = (text: string): string =>
	text
		.replace(/[\p{Cf}\uFE0F\u20E3]+|\p{Extended_Pictographic}+/gu, '')
		.replace(/，/g, ',')
		.replace(/^[\s"'“”„*_]+/u, '')
		.replace(/(?<![\s"'“”*_.,;!。])[\s"'“”*_.,;!。]+$/u, '');

/** Digits with signs between them, and one word or sign behind them: `R$ 1.234,50`, `4 pessoas`. */
const NUMBER =
	/^(?:\p{Lu}{0,3}\p{Sc}\s?)?([+\p{Pd}−]?)((?:\d+[.,'’٬٫⹁،\s])*\d+)(?:,?\s{0,2}([\p{L}\p{M}\p{Sc}%٪°/.]{1,24}))?$/u;
/** With thousands, or as India writes them. */
const GROUPS = /^[1-9]\d{0,2}(?:([.,'’٬⹁،\s])\d{3}(?:\1\d{3})*|([,.])(?:\d\d\2)+\d{3})$/u;
const DECIMALS = /^(.*)[.,٫](\d+)$/su;
/** What has more comes out as another number. */
const DIGITS_MOST = 15;

function numbersIn(text: string): ReadValue[] {
	const [, sign = '', body = '', unit = ''] = NUMBER.exec(text) ?? [];
	if (body === '' || holdsDigits(unit) || isMultiplier(unit)) return [];
	const [, whole = body, fraction] = DECIMALS.exec(body) ?? [];
	const plain = (digits: string) => digits.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
	const isWhole = (part: string) => /^\d+$/.test(part) || GROUPS.test(part);
	// Other signs than the decimal one separate thousands.
	const isOneSign = fraction !== undefined && whole.includes(body.charAt(whole.length));
	const read = [
		...(isWhole(body) ? [plain(body)] : []),
		...(fraction !== undefined && isWhole(whole) && !isOneSign
			? [`${plain(whole)}.${fraction}${fraction.length === 3 ? '0' : ''}`]
			: []),
	];
	const minus = /[\p{Pd}−]/u.test(sign) ? '-' : '';
	return read
		.filter(({ length }) => length <= DIGITS_MOST)
		.map((digits) => ({
			// Not -0.
			value: Number(minus + digits) + 0,
			plain: minus + digits,
			title: minus + digits,
		}));
}

/** Digits of a date, with the same sign between them. */
const DATE = /^(\d{1,4})(\s?[./\p{Pd}−⁄∕]\s?|\s)(\d{1,2})\2(\d{1,4})$/u;
/** Other calendars count other years. */
const YEARS = { from: 1900, until: 2199 };

function datesIn(text: string, expected: Expected, isMonthFirst: boolean): ReadValue[] {
	const [, first = '', , middle = '', last = ''] = DATE.exec(text) ?? [];
	const orders = [
		...(isMonthFirst ? [[last, first, middle]] : []),
		[last, middle, first],
		[last, first, middle],
		[first, middle, last],
	];
	const days = orders.flatMap(([year = '', month = '', day = '']) =>
		month.length > 2 || day.length > 2
			? []
			: yearsOf(year)
					.map((one) => `${one}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
					.filter((one) => isDay(one) && isWithin(one, expected))
					.slice(0, 1),
	);
	return [...days, ...dayWritten(text)].map((day) => ({
		...{ value: day, plain: day },
		title: written(day),
	}));
}

/** Of two digits, from 80 years ago until in 20 years, else a century from there. */
function yearsOf(year: string): number[] {
	const number = Number(year);
	if (year.length === 4) return number >= YEARS.from && number <= YEARS.until ? [number] : [];
	if (year.length !== 2) return [];
	const nearest = new Date().getFullYear() + 20 < 2000 + number ? 1900 + number : 2000 + number;
	return [nearest, nearest - 100, nearest + 100];
}

/** As a button shows it: `3 April 2027`. */
const written = (day: string): string =>
	new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));

/** What a button shows, also if somebody types it. */
function dayWritten(text: string): string[] {
	const [, day = '', year = ''] = /^(\d{1,2}) \p{L}+ (\d{4})$/u.exec(text) ?? [];
	return Array.from({ length: year === '' ? 0 : 12 }, (_, month) =>
		[year, String(month + 1).padStart(2, '0'), day.padStart(2, '0')].join('-'),
	).filter((one) => isDay(one) && written(one).toLowerCase() === text.toLowerCase());
}

/** Whether a word behind a number makes it another one: `2 mil`, `3k`. */
function isMultiplier(unit: string): boolean {
	const words = unit.normalize('NFC').toLowerCase().split(/[./]/);
	const [whole, stems] = [WHOLE.split(' '), STEMS.split(' ')];
	return words.some((word) => whole.includes(word) || stems.some((stem) => word.startsWith(stem)));
}

/** How CLDR's languages begin the words for thousands and more, and dozens. */
const STEMS =
	'akpe apem bhil biil bilh bili bilj bill bily bilí cien daus doce douz doze dozi dubu duhá duil duis duiz dutz dúzi elfu ezer halb half heza hilj hund inku isig juta kilu kuma mano mhil mhìl mhíl miil mijë mila mile milh mili milj mill mily mljr mlrd mpem mìgi mìle mìlt míle mílí nghì pili ribu taus thou thri tili tiri tiso tisu tisí tril triệ trln tuha tuse tusi tysi túsu tûze tūks v/mi vili vote yuta þúsu ɔpep δισε εκατ τρισ χιλι били илја мили милл милј млрд мянг міль тися трил трлн трыл тыся тэрб хиля хиља эзар ҳазо հազ հզր միլ մլն մլր տրի տրլ אלף טרי מיל ألف ارب بلي ترل تری تىر لاک ملا ملي مىل مىڭ میل هزا ٽرل کرو کھر ھزا ہزا अब् अरब अ॰ करो कोट क॰ खरब खर् ख॰ लाख ह কো নিয লা শঃ শত হা ਅਰਬ ਕਰੋ ਖਰਬ ਲੱਖ ਹਜ਼ અબજ કરો મહા લાખ હજા ଟ୍ର ନି ବି ଲକ୍ ଶହକ ହ ஆ டி பி மி ట్ర బి మి వే ಟ್ರ ಬಿ ಮಿ ಸಾ ആയി ട്ര ദശല ബില ට්ර ද බි මි พัน ล้า หมื แสน ຕື້ ພັນ ລ້າ ແສນ ཁྲི དུང བྱེ འབུ ས་ཡ སྟོ ကုဋ ဋေ ထော သန် သိန သော ათ მილ მლნ მლრ ტრი ტრლ ሚ ሺ ሽ ቢ ት ទ្រ ប៊ី ពាន លាន ẹgbẹ 万 亿 億 兆 만 억 조 천';
/** The short ones, without those that are units to most people, such as min, h and d. */
const WHOLE =
	'a afe b bi bil bin bio biu bió bln bn cem cent de dsd dt e j jt k m ma md mi mia mie mii mil mio miu mió mjd mld mln mlr mn mr mrd mìg müň n nt rb t tis tn tr tri tuh tys tús tỷ y è èwu þ δισ εκ χιλ бил илј ин их м мең мил миң млд млн мың мян пин сая тис тыс хил хиљ ҳзр';
