/** The table of number plans, and what it makes of numbers, held against libphonenumber. */
import { NUMBER_PLANS } from '#nodes/service/numberPlans.ts';
import { numberPlans } from '#scripts/numberPlans.mts';
import { compare } from './plannedNumbers.mts';

test('the table is the one that scripts/numberPlans.mts makes', () => {
	expect(numberPlans()).toContain(`\`${NUMBER_PLANS}\``);
});

test("every country's example numbers and a few others leave, and are refused with a trunk prefix", () => {
	const { forms, different } = compare(1);
	expect(forms).toBeGreaterThan(9000);
	expect(different).toEqual([]);
});
