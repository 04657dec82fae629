/**
 * Writes the table of trunk prefixes and number plans, from libphonenumber's metadata:
 *
 *     node scripts/numberPlans.mts
 *
 * A line for each country code: the code, its trunk prefixes, and its national numbers by their
 * first digits. `23g,9.1fg` are numbers of 2 or 3 and six more digits, and of 91 and five or six
 * more: a letter counts further digits, from `a` for none.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { checkout } from './checkout.mts';
import { readManifest } from './n8n/package.mts';

const PACKAGE = 'google-libphonenumber';
const FILE = 'nodes/BusinessMessaging/service/numberPlans.ts';

/** Numbers: their expression, and their lengths. */
interface Kind {
	2: string;
	9: number[];
}

/** A region: all its numbers, its country code, and its prefix, also as it is read. */
interface Region {
	1: Kind;
	10: number;
	12?: string;
	15?: string;
}

/** The digits that can be at each place. */
type Places = string[];

const ANY = '0123456789';
/** E.164: the most digits of a number, with its country code. */
const MOST_DIGITS = 15;
/** Prefixes of an expression. Those with more are codes of carriers that nobody writes. */
const MOST_PREFIXES = 40;
/**
 * What was dialled until 2019, and is in contact lists. libphonenumber dropped it. The 1 behind 52
 * is in numbers of the chat application.
 */
const FORMER: Record<number, { trunks: string[]; plan: Kind }> = {
	52: { trunks: ['01', '044', '045'], plan: { 2: '1[2-9]\\d{9}', 9: [11] } },
};

/** All that an expression of the metadata accepts: they are finite, and of digits alone. */
function placesOf(expression: string): Places[] {
	let at = 0;
	const take = (form: RegExp): string[] | undefined => {
		const found = form.exec(expression.slice(at)) ?? undefined;
		at += found?.[0].length ?? 0;
		return found;
	};
	const alternatives = (): Places[] => {
		let all: Places[] = [[]];
		for (let part = atom(); part; part = atom()) all = repeated(all, part);
		return take(/^\|/) ? [...all, ...alternatives()] : all;
	};
	const atom = (): Places[] | undefined => {
		if (take(/^\((?:\?:)?/)) {
			const inner = alternatives();
			if (take(/^\)/)) return inner;
		}
		const [, digit, set = digit] = take(/^(?:(\\d|\d)|\[([\d-]+)\])/) ?? [];
		const digits = set
			?.replace('\\d', ANY)
			.replace(/(\d)-(\d)/g, (_, from, to) => ANY.slice(+from, +to + 1));
		return digits === undefined ? undefined : [[digits]];
	};
	const repeated = (before: Places[], part: Places[]): Places[] => {
		const [count, least = '1', most = least] = take(/^(?:\{(\d+)(?:,(\d+))?\}|\?)/) ?? [];
		const from = count === '?' ? 0 : Number(least);
		let all = before;
		const found = from === 0 ? [...before] : [];
		for (let time = 1; time <= Number(most); time++) {
			all = all.flatMap((places) => part.map((more) => [...places, ...more]));
			if (time >= from) found.push(...all);
		}
		return found;
	};
	const all = alternatives();
	if (at < expression.length) throw new Error(`Not understood: ${expression} at ${at}`);
	return all;
}

/** The prefixes of a region, likeliest first. */
function trunksOf({ 12: prefix, 15: parsed = '' }: Region): string[] {
	const expression = parsed
		// Local numbers that a prefix completes.
		.replace(/\([^()]*\)\$\|?/, '')
		// Of Brazil: the number behind the code of a carrier.
		.replace('(\\d{10,11})', '');
	const rows = placesOf(expression).flatMap((places) => {
		let all = [''];
		for (const digits of places)
			if (all.length <= MOST_PREFIXES)
				all = all.flatMap((row) => [...digits].map((digit) => row + digit));
		return all;
	});
	const written = rows.length > MOST_PREFIXES ? [] : rows.filter((row) => row !== '');
	return prefix === undefined ? written : [prefix, ...written];
}

const letters = (counts: readonly number[]): string =>
	counts.map((count) => String.fromCharCode(97 + count)).join('');

/** What follows a beginning: so many digits of any kind, or rows by the next digit. */
function rowsOf(all: readonly Places[], depth = 0): string {
	if (all.every((places) => places.slice(depth).every((digits) => digits === ANY)))
		return letters([...new Set(all.map(({ length }) => length - depth))].sort((a, b) => a - b));
	if (all.some(({ length }) => length === depth))
		throw new Error('A number is also the beginning of others.');
	const groups = new Map<string, string>();
	for (const digit of ANY) {
		const rows = rowsOf(
			all.filter((places) => places[depth]?.includes(digit)),
			depth + 1,
		);
		if (rows !== '') groups.set(rows, (groups.get(rows) ?? '') + digit);
	}
	const [[rows = '', digits = ''] = []] = groups;
	if (digits === ANY && /^[a-z]+$/.test(rows))
		return letters([...rows].map((letter) => letter.charCodeAt(0) - 96));
	return [...groups]
		.flatMap(([each, those]) =>
			each.split(',').map((row) => (/^\d/.test(row) ? `${those}.${row}` : those + row)),
		)
		.join(',');
}

/** The text of the generated file. */
export function numberPlans(): string {
	const { metadata } = createRequire(import.meta.url)(PACKAGE) as {
		metadata: { countryToMetadata: Record<string, Region> };
	};
	const regions = Object.values(metadata.countryToMetadata);
	const lines = [...new Set(regions.map((region) => region[10]))].sort().map((code) => {
		const own = regions.filter((region) => region[10] === code);
		const former = FORMER[code];
		const trunks = new Set([...own.flatMap(trunksOf), ...(former?.trunks ?? [])]);
		const plans = [...own.map((region) => region[1]), ...(former ? [former.plan] : [])];
		const numbers = plans.flatMap(({ 2: expression, 9: lengths }) =>
			placesOf(expression).filter(
				({ length }) => lengths.includes(length) && `${code}`.length + length <= MOST_DIGITS,
			),
		);
		return `${code} ${[...trunks].join(',')} ${rowsOf(numbers)}`;
	});
	const { version } = readManifest(join(checkout, 'node_modules', PACKAGE));
	return `/**
 * Country codes, with their trunk prefixes and their national numbers by first digits. It is made
 * by scripts/numberPlans.mts, which says how to read it, of the metadata of libphonenumber
 * (${PACKAGE} ${version}, Apache License 2.0, The Libphonenumber Authors).
 */
export const NUMBER_PLANS = \`
${lines.join('\n')}
\`;
`;
}

if (import.meta.main) writeFileSync(join(checkout, FILE), numberPlans());
