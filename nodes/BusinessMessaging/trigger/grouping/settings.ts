import type { IDataObject } from 'n8n-workflow';

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

/** The numbers that the editor shows. The others have no effect. */
const OPTIONS_OF: Record<GroupedBy, readonly OptionName[]> = {
	arrival: ['mostEvents'],
	customer: ['mostEvents', 'mostWaiting', 'quietTime', 'longestWait'],
};

export interface GroupingSettings extends GroupRules {
	by: GroupedBy;
	output: 'simplified' | 'raw';
}

/** Names the first number that is out of its limits, and them. Undefined if all are right. */
export function wrongGrouping(by: GroupedBy | undefined, numbers: IDataObject): string | undefined {
	if (by === undefined) return undefined;
	const wrong = OPTIONS_OF[by].find((option) => numberOf(numbers, option) === undefined);
	if (!wrong) return undefined;
	const { name, min, max } = GROUPING_OPTIONS[wrong];
	return `"${name}" is not a number from ${min} to ${max}`;
}

/**
 * Undefined if each event starts an execution of its own.
 * @throws if a number is wrong. Publishing refuses it, so only an expression can still give it
 */
export function readGrouping(
	by: GroupedBy | undefined,
	output: GroupingSettings['output'],
	numbers: IDataObject,
): GroupingSettings | undefined {
	if (by === undefined) return undefined;
	const wrong = wrongGrouping(by, numbers);
	if (wrong !== undefined) throw new Error(wrong);
	const read = (option: OptionName) => numberOf(numbers, option) ?? 0;
	const settings = { by, output, mostEvents: read('mostEvents') };
	if (by === 'arrival') return settings;
	const pause = {
		quietTime: read('quietTime') * 1000,
		longestWait: read('longestWait') * 1000,
		mostWaiting: read('mostWaiting'),
	};
	return { ...settings, pause };
}

function numberOf(numbers: IDataObject, option: OptionName): number | undefined {
	const { byDefault, min, max } = GROUPING_OPTIONS[option];
	const number = Number(numbers[option] ?? byDefault);
	return number >= min && number <= max ? number : undefined;
}
