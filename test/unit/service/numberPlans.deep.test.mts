/** 60,000 generated numbers of all countries, held against libphonenumber. */
import { compare } from './plannedNumbers.mts';

test('valid numbers leave, and are refused with a trunk prefix', () => {
	const { forms, different, unused } = compare(55);
	expect(forms).toBeGreaterThan(4 * 60_000);
	expect(different).toEqual([]);
	expect(unused).toEqual([]);
});
