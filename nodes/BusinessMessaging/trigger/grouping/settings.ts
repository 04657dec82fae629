import type { ReadNumber } from '../../shared/numbers';
import { toNumber } from '../../shared/numbers';
import { RegistrationError } from '../registration/apply';
import type { GroupRules } from './groups';

/** Seconds. The service waits 15 for a response (assumed), and n8n needs some of them. */
const LONGEST_WAIT_MAX = 10;

/**
 * The numbers of grouping: their names in the editor, defaults and limits. By default, n8n 2 holds
 * an isolate of about 10 MB for each unanswered request, beside some 800 MB of its own. With 16
 * waiting, it stays below 1 GB.
 */
export const GROUPING_OPTIONS = {
	quietTime: { name: 'Quiet Time (Seconds)', byDefault: 3, min: 0, max: LONGEST_WAIT_MAX },
	longestWait: { name: 'Max Wait (Seconds)', byDefault: 8, min: 1, max: LONGEST_WAIT_MAX },
	mostEvents: { name: 'Max Events', byDefault: 100, min: 1, max: 1000 },
	mostWaiting: { name: 'Max Waiting', byDefault: 16, min: 1, max: 10_000 },
} as const;
export type OptionName = keyof typeof GROUPING_OPTIONS;

export type GroupedBy = 'arrival' | 'customer';

export interface GroupingSettings extends GroupRules {
	by: GroupedBy;
	output: 'simplified' | 'raw';
}

/**
 * Undefined if each event starts an execution of its own.
 * @throws RegistrationError that names the first number that is out of its limits, and them
 */
export function readGrouping(
	by: GroupedBy | undefined,
	output: GroupingSettings['output'],
	numberOf: ReadNumber,
): GroupingSettings | undefined {
	if (by === undefined) return undefined;
	const read = (option: OptionName): number => {
		const { name, byDefault, min, max } = GROUPING_OPTIONS[option];
		const number = toNumber(numberOf(option, `"${name}"`) ?? byDefault);
		if (number >= min && number <= max) return number;
		throw new RegistrationError(
			`"${name}" is not a number from ${min} to ${max}`,
			'Enter a number within these limits.',
		);
	};
	const settings = { by, output, mostEvents: read('mostEvents') };
	if (by === 'arrival') return settings;
	const pause = {
		mostWaiting: read('mostWaiting'),
		quietTime: read('quietTime') * 1000,
		longestWait: read('longestWait') * 1000,
	};
	return { ...settings, pause };
}
