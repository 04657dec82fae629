/** Valid numbers of every country, and what libphonenumber and the nodes make of their forms. */
import { createRequire } from 'node:module';

import fc from 'fast-check';

import { readRecipient } from '../../../nodes/BusinessMessaging/service/recipient.ts';

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
	/** The national number. */
	national: string;
	/** The whole number, with + and digits. */
	number: string;
	trunk?: string;
	wanted: string;
	made: string | undefined;
}

interface Known {
	reason: string;
	covers(form: Form): boolean;
}

/** Why the nodes make something else of a form than libphonenumber. */
const KNOWN: Known[] = [
	{
		reason: 'a number of fewer than 8 digits, or of more than 15, stays as it is',
		covers: ({ number, trunk = '', made }) =>
			made === undefined && (number.length < 9 || number.length + trunk.length > 16),
	},
	{
		reason: 'the plan of Italy and the Vatican has all digits behind a 0: a second 0 may belong',
		covers: ({ region, national }) => ['IT', 'VA'].includes(region) && national !== '',
	},
	{
		reason: 'Ascension and Gabon have numbers of this beginning with a 0, one digit longer',
		covers: ({ region, made, number, national }) =>
			['AC', 'GA'].includes(region) && made === number.replace(national, `0${national}`),
	},
	{
		reason: 'the 06 of Hungary goes before a 0 would that it does not have: 06 80 and 0 680',
		covers: ({ region, trunk, national }) =>
			region === 'HU' && trunk === '0' && national.startsWith('6'),
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
					...{ region, text, national, number, wanted, made: madeOf(text), ...more },
				});
				yield form(`+${code} (${national.slice(0, 2)}) ${national.slice(2)}`, number);
				yield form(`00${code} ${national.slice(0, 3)}-${national.slice(3)}`, number);
				yield form(`+${code} (0) ${national}`, number);
				for (const trunk of new Set([prefix ?? '0', '0'])) {
					const whole = `+${code}${trunk}${national}`;
					const text = `+${code} ${trunk} ${national}`;
					yield form(text, validIn(text) === whole ? whole : `propose ${number}`, { trunk });
				}
			}
		}
	}
}
