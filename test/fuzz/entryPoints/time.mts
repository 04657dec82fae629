import fc from 'fast-check';

import { expressionsOf, type FoundExpression, idOf } from '../../support/expressions.mts';
import { type EntryPoint, must } from '../entryPoint.mts';
import { badGrowth, type Read } from '../growth.mts';
import { type Pumped, piecesOf, pumpedOf } from '../pumped.mts';
import { type Reader, READERS } from '../readers.mts';

interface Target {
	of: string;
	read: Read;
	text: fc.Arbitrary<Pumped>;
}

export interface TimeInput {
	/** A reader's name, an entry point's, or an expression by file and text. */
	of: string;
	text: Pumped;
}

/** What takes its time over texts of others. */
export interface Timed {
	readers: readonly Reader[];
	/** Those that can be given a text. */
	entryPoints: readonly EntryPoint[];
	/** Each by itself. */
	expressions: readonly FoundExpression[];
}

/**
 * Each kind with how often it is taken: entry points take a hundred times as long as expressions.
 */
function findTargets({
	readers,
	entryPoints,
	expressions,
}: Timed): Array<{ weight: number; targets: Target[] }> {
	const ofReaders = readers.map(({ name, read, worst }) => {
		const pieces = worst.flatMap(({ before, pump, after }) => [before, pump, after]);
		return { of: name, read, text: pumpedOf([...new Set(pieces)].filter((piece) => piece !== '')) };
	});
	const everything = [...new Set(expressions.flatMap(piecesOf))];
	const ofEntryPoints = entryPoints.flatMap(({ name, withText, check }) =>
		withText
			? [
					{
						of: name,
						read: async (text: string) => await checkEach(withText(text), check),
						text: pumpedOf(everything),
					},
				]
			: [],
	);
	// Normalisation is worse than linear by itself: who uses it has to bound the text, and a reader
	// shows it.
	const alone = expressions.flatMap((expression) => {
		const { regex } = expression;
		return regex
			? [
					{
						of: idOf(expression),
						read: (text: string) => text.replace(regex, ''),
						text: pumpedOf(piecesOf(expression)),
					},
				]
			: [];
	});
	return [
		{ weight: 1, targets: ofEntryPoints },
		{ weight: 8, targets: ofReaders },
		{ weight: 24, targets: alone },
	].filter(({ targets }) => targets.length > 0);
}

/**
 * One after the other, since some entry points share a server. Here only the time counts; what else
 * is wrong, each entry point finds by itself.
 */
async function checkEach(inputs: unknown[], check: EntryPoint['check']): Promise<void> {
	for (const input of inputs) {
		try {
			await check(input);
		} catch {
			continue;
		}
	}
}

/** How long texts of others take, as they grow. */
export function timeOf(timed: Timed): EntryPoint<TimeInput> {
	const kinds = findTargets(timed);
	const known = new Map(kinds.flatMap(({ targets }) => targets.map(({ of, read }) => [of, read])));
	return {
		name: 'time',
		share: 4,
		input: fc.oneof(
			...kinds.map(({ weight, targets }) => ({
				weight,
				arbitrary: fc
					.constantFrom(...targets)
					.chain(({ of, text }) => fc.record({ of: fc.constant(of), text })),
			})),
		),
		check: async ({ of, text }) => {
			// Of the corpus: an expression that the code no longer has.
			const read = known.get(of);
			const bad = read && (await badGrowth(read, text));
			must(bad === undefined, `${of}: ${bad}`);
		},
	};
}

/** All of the code, read as it stands: an expression that is new in it is tried, too. */
export const timeOfCode = (entryPoints: readonly EntryPoint[]): EntryPoint<TimeInput> =>
	timeOf({
		readers: READERS,
		entryPoints,
		expressions: expressionsOf('nodes', 'credentials', 'sandbox'),
	});
