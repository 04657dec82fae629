import type { IDataObject } from 'n8n-workflow';

import type { GroupRules } from './grouping';

/** Seconds. The service waits 15 for an answer (assumed), and some of them are n8n's. */
const LONGEST_WAIT_MAX = 10;

/**
 * The options of grouping, as the editor names them, with their default and what they may be. n8n 2 as it comes holds an isolate of about 10 MB for
 * each request to a webhook until it is answered, beside some 800 MB of its own: with 16 it stays below 1 GB.
 */
export const GROUPING_OPTIONS = {
	quietTime: { name: 'Quiet Time (Seconds)', byDefault: 3, min: 0, max: LONGEST_WAIT_MAX },
	longestWait: { name: 'Longest Wait (Seconds)', byDefault: 8, min: 1, max: LONGEST_WAIT_MAX },
	mostEvents: { name: 'Most Events', byDefault: 100, min: 1, max: 1000 },
	mostWaiting: { name: 'Most Waiting', byDefault: 16, min: 1, max: 10_000 },
} as const;
type OptionName = keyof typeof GROUPING_OPTIONS;

export type GroupedBy = 'arrival' | 'customer';

export interface GroupingSettings extends GroupRules {
	by: GroupedBy;
	output: 'simplified' | 'raw';
}

/** What an option holds that is no number it may be: its name, and the numbers. Undefined when all are right. */
export function wrongGroupingOption(
	by: GroupedBy | undefined,
	options: IDataObject,
): string | undefined {
	if (by === undefined) return undefined;
	const wrong = (Object.keys(GROUPING_OPTIONS) as OptionName[]).find(
		(option) => numberOf(options, option) === undefined,
	);
	if (!wrong) return undefined;
	const { name, min, max } = GROUPING_OPTIONS[wrong];
	return `The option "${name}" is not a number from ${min} to ${max}`;
}

/**
 * Undefined where each event starts an execution of its own.
 * @throws when an option is wrong: refused when it is published, so only an expression can give it
 */
export function readGrouping(
	by: GroupedBy | undefined,
	output: GroupingSettings['output'],
	options: IDataObject,
): GroupingSettings | undefined {
	if (by === undefined) return undefined;
	const wrong = wrongGroupingOption(by, options);
	if (wrong !== undefined) throw new Error(wrong);
	const read = (option: OptionName) => numberOf(options, option) ?? 0;
	const waitsFor = (option: OptionName) => (by === 'customer' ? read(option) * 1000 : 0);
	return {
		by,
		output,
		mostEvents: read('mostEvents'),
		mostWaiting: read('mostWaiting'),
		quietTime: waitsFor('quietTime'),
		longestWait: waitsFor('longestWait'),
	};
}

function numberOf(options: IDataObject, option: OptionName): number | undefined {
	const { byDefault, min, max } = GROUPING_OPTIONS[option];
	const number = Number(options[option] ?? byDefault);
	return number >= min && number <= max ? number : undefined;
}
