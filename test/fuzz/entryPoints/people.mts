/** Who is who: identifiers of the service, and what stands in fields for people. */
import fc from 'fast-check';

import { problemIn, readRecipient } from '../../../nodes/BusinessMessaging/service/recipient.ts';
import { keyOf } from '../../../nodes/BusinessMessaging/shared/phoneNumbers.ts';
import { type EntryPoint, must } from '../entryPoint.mts';
import { changeText, oddText, textChange } from '../texts.mts';

/** Texts near each other, so that two of them are often one person for careless code. */
const text = fc.oneof(
	fc.constantFrom('12345678', '1234-5678', '0012345678', '5511987650000', 'ana.b', '@store'),
	fc.stringMatching(/^[+]?(55|52|54|49|00)?[0-9]{6,12}$/),
	fc.stringMatching(/^[0-9+ ().-]{1,18}$/),
	oddText,
);
const pair = fc.record({
	one: text,
	changes: fc.array(textChange, { maxLength: 2 }),
});
type Pair = typeof pair extends fc.Arbitrary<infer Value> ? Value : never;

/** Two spellings that the service itself may have of one number. */
function mayBeOne(one: string, other: string): boolean {
	const [left = '', right = ''] = [one, other].map((each) => each.replace(/^\+(?=\d{8,15}$)/, ''));
	if (left === right) return true;
	const isOptional = [left, right].every((each) => /^5[245]\d{8,12}$/.test(each));
	return isOptional && left.slice(0, 2) === right.slice(0, 2) && left.slice(-8) === right.slice(-8);
}

/** @param keyFor makes the key under test */
export const peopleBy = (keyFor: (identifier: string) => string): EntryPoint<Pair> => ({
	name: 'people',
	input: pair,
	withText: (long) => [{ one: long, changes: [] }],
	check: ({ one, changes }) => {
		const other = changes.reduce(changeText, one);
		for (const near of [other, `00${one}`, `${one.slice(0, 4)}-${one.slice(4)}`, ` ${one}`])
			must(
				keyFor(one) !== keyFor(near) || mayBeOne(one, near),
				`${JSON.stringify(one)} and ${JSON.stringify(near)} are one person`,
			);
		const { identifier, problem } = readRecipient(other);
		must(readRecipient(identifier).identifier === identifier, 'what leaves is read once more');
		must(!problem || problemIn(other) === problem, 'a refused recipient has no problem in a list');
		must(
			identifier === other.trim() ||
				(/^\d+$/.test(identifier) && /[+\s()\p{Cf}]/u.test(other.trim())),
			`${JSON.stringify(other)} leaves as ${JSON.stringify(identifier)}`,
		);
	},
});

export const people = peopleBy(keyOf);
