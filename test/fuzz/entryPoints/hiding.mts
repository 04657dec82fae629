import fc from 'fast-check';

import { excerptOf, quoteOf } from '../../../nodes/BusinessMessaging/service/errors/excerpt.ts';
import { secretRemover } from '../../../nodes/BusinessMessaging/service/secrets.ts';
import { type EntryPoint, must } from '../entryPoint.mts';
import { echoesOf, shownForm } from '../secrets.mts';

const anySecret = fc.oneof(
	fc.string({ minLength: 8, maxLength: 60 }),
	fc
		.string({ unit: 'binary', minLength: 8, maxLength: 40 })
		.map((text) => Buffer.from(text).toString()),
	fc.string({ unit: fc.constantFrom(...'.*+?^${}()|[]\\/%&;u0'), minLength: 8, maxLength: 60 }),
	fc
		.tuple(fc.string({ minLength: 1, maxLength: 5 }), fc.integer({ min: 8, max: 300 }))
		.map(([part, times]) => part.repeat(times)),
	fc.constantFrom('x'.repeat(15_000), '%'.repeat(9000), '\\'.repeat(16), '&amp;'.repeat(9)),
);

const input = fc.record({
	key: fc.string({ minLength: 12, maxLength: 40, unit: fc.constantFrom(...'skLIVE7_-+/=?') }),
	/** Of these, each is hidden. */
	secrets: fc.array(
		anySecret.filter((text) => text.trim().length >= 8),
		{ maxLength: 2 },
	),
	/** Ordinary words, which others are hidden among. */
	short: fc.array(fc.string({ minLength: 1, maxLength: 5 }), { maxLength: 9 }),
	around: fc.tuple(fc.constantFrom('', 'Wrong: ', 'é "', '<p>'), fc.constantFrom('', '.', '" ü')),
});
export type HidingInput = typeof input extends fc.Arbitrary<infer Value> ? Value : never;

/** Texts that quote secrets of any kind. What is left must show none. */
export function hidingBy(makeRemover: typeof secretRemover): EntryPoint<HidingInput> {
	return {
		name: 'hiding',
		input,
		check: ({ key, secrets, short, around: [before, after] }) => {
			const all = [key, ...secrets];
			const remove = makeRemover([...short, ...all]);
			for (const secret of all)
				for (const echo of [...echoesOf(secret), JSON.stringify(secret)]) {
					const text = `${before}${echo}${after}`;
					let left: unknown;
					try {
						left = [remove(text), quoteOf(text, remove), excerptOf({ [text]: 1 }, remove)];
					} catch (error) {
						// It would be shown in the place of the error that was to be made.
						left = error instanceof Error ? error.message : error;
					}
					must(shownForm(left, secret, key) === undefined, 'a secret shows in what is quoted');
				}
		},
		withText: (text) => [
			{ key: 'sk_of-the-tests', secrets: [text], short: [], around: ['', ''] as never },
		],
	};
}

export const hiding = hidingBy(secretRemover);
