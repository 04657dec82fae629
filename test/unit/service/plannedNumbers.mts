/** Valid numbers of every country, and what libphonenumber and the nodes make of their forms. */
import { createRequire } from 'node:module';

import fc from 'fast-check';

import { readRecipient } from '#nodes/service/recipient.ts';

interface Kind {
	2?: string;
	6?: string;
}

type Region = { 10: number; 12?: string } & Record<number, unknown>;

interface Libphonenumber {
	metadata: { countryToMetadata: Record<string, Region> };
	PhoneNumberFormat: { E164: number };
	PhoneNumberUtil: {
		getInstance(): {
			parse(text: string): object;
			isValidNumber(number: object): boolean;
			format(number: object, form: number): string;
		};
	};
}

const { metadata, PhoneNumberFormat, PhoneNumberUtil } = createRequire(import.meta.url)(
	'google-libphonenumber',
) as Libphonenumber;
const library = PhoneNumberUtil.getInstance();

/** Fixed, mobile, toll-free and so on: their places in the metadata. */
const KINDS = [2, 3, 4, 5, 6, 7, 8, 21, 25, 28];

/** + and digits, or undefined if it is not valid. */
function validIn(text: string): string | undefined {
	try {
		const number = library.parse(text);
		return library.isValidNumber(number)
			? library.format(number, PhoneNumberFormat.E164)
			: undefined;
	} catch {
		return undefined;
	}
}

/** + and digits of what leaves; what is proposed; `refused`; or undefined: it stays as it is. */
function madeOf(text: string): string | undefined {
	const { identifier, problem } = readRecipient(text);
	if (problem) return /\+\d+(?=\.$)/.exec(problem.todo)?.[0].replace('+', 'propose +') ?? 'refused';
	return identifier === text ? undefined : `+${identifier}`;
}

export interface Form {
	region: string;
	/** How the number is written. */
	text: string;
	/** + and digits, and the same with a 0 behind the country code. */
	number: string;
	withZero: string;
	/** Of the region, and in the text. */
	prefix: string | undefined;
	trunk?: string;
	/** By libphonenumber, and by the nodes. */
	wanted: string;
	made: string | undefined;
}

interface Known {
	reason: string;
	covers: (form: Form) => boolean;
}

/** Why the nodes make something else of a form than libphonenumber. */
const KNOWN: Known[] = [
	{
		reason: 'a number of fewer than 8 digits, or of more than 15, stays as it is',
		covers: ({ number, trunk = '', made }) =>
			made === undefined && (number.length < 9 || number.length + trunk.length > 16),
	},
	{
		reason: 'Italy and the Vatican have numbers of all digits behind a 0, so it may belong',
		covers: ({ region, made, withZero }) => ['IT', 'VA'].includes(region) && made === withZero,
	},
	{
		reason: 'Ascension and Gabon have numbers of this beginning with a 0, one digit longer',
		covers: ({ region, made, withZero }) => ['AC', 'GA'].includes(region) && made === withZero,
	},
	{
		reason: 'libphonenumber knows no 0 there, and people write one',
		covers: ({ trunk, prefix, made, number }) =>
			trunk === '0' && prefix !== '0' && made === `propose ${number}`,
	},
	{
		reason:
			'libphonenumber takes the 3 or 9 of numbers in Colombia, as of mobile ones, for a carrier',
		covers: ({ text, made, number }) => /^\+57 0 [39]/.test(text) && made === `propose ${number}`,
	},
	{
		reason: 'libphonenumber leaves the 1 before numbers in Canada that begin with 310',
		covers: ({ text, made, number }) => /^\+1 1 310/.test(text) && made === `propose ${number}`,
	},
];

interface Comparison {
	forms: number;
	different: Form[];
	/** The reasons that explain none. */
	unused: string[];
}

/** @param each generated numbers of each kind, beside its example */
export function compare(each: number, seed = 1): Comparison {
	let forms = 0;
	const different: Form[] = [];
	const used = new Set<string>();
	for (const form of formsOf(each, seed)) {
		forms += 1;
		if (form.made === form.wanted) continue;
		const known = KNOWN.find(({ covers }) => covers(form));
		if (known) used.add(known.reason);
		else different.push(form);
	}
	const unused = KNOWN.flatMap(({ reason }) => (used.has(reason) ? [] : [reason]));
	return { forms, different, unused };
}

function* formsOf(each: number, seed: number): Generator<Form> {
	for (const [region, described] of Object.entries(metadata.countryToMetadata)) {
		const { 10: code, 12: prefix } = described;
		for (const { 2: expression, 6: example } of KINDS.map((kind) => described[kind] as Kind)) {
			if (expression === undefined) continue;
			const generated =
				each === 0
					? []
					: fc.sample(fc.stringMatching(new RegExp(`^(?:${expression})$`)), {
							numRuns: each,
							seed,
						});
			for (const national of [...(example === undefined ? [] : [example]), ...generated]) {
				const number = `+${code}${national}`;
				if (validIn(number) !== number) continue;
				const form = (text: string, wanted: string, more: Partial<Form> = {}): Form => ({
					...{ region, text, number, withZero: `+${code}0${national}`, prefix, wanted },
					...{ made: madeOf(text), ...more },
				});
				yield form(`+${code} (${national.slice(0, 2)}) ${national.slice(2)}`, number);
				yield form(`00${code} ${national.slice(0, 3)}-${national.slice(3)}`, number);
				yield form(`+${code} (0) ${national}`, number);
				for (const trunk of new Set([prefix ?? '0', '0'])) {
					const text = `+${code} ${trunk} ${national}`;
					const read = validIn(text);
					const isWhole = read === `+${code}${trunk}${national}`;
					yield form(text, isWhole ? read : read ? `propose ${read}` : 'refused', { trunk });
				}
			}
		}
	}
}
