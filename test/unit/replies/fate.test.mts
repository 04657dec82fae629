/** The table of docs/decisions/whose-words.md, a row at a time. */
import { readFile } from 'node:fs/promises';

import { fateOf, type Known, type FateStep } from '#nodes/replies/fate.ts';

const NEW: Known = {
	isTap: false,
	isTaken: false,
	list: 'unread',
	question: 'none',
	isPastDeadline: false,
	hadTime: false,
	blind: 0,
};
const tap = { isTap: true, list: 'fresh', question: 'waits' } as const;
const words = { list: 'fresh', question: 'waits' } as const;
const waited = { ...words, hadTime: true } as const;
const again = { ...waited, life: 'unknown', list: 'again' } as const;
const starts: FateStep = { do: 'start', isLate: false };
const startsLate: FateStep = { do: 'start', isLate: true };

const ROWS: Array<[row: number, known: Partial<Known>, step: FateStep]> = [
	[1, { isTaken: true }, { do: 'leaveIt' }],
	[1, { ...again, isTaken: true }, { do: 'leaveIt' }],
	[2, {}, { do: 'read', list: 'recent' }],
	[2, { isTap: true }, { do: 'read', list: 'fresh' }],
	[3, { isTap: true, list: 'unreadable' }, { do: 'comeAgain', most: 2 }],
	[3, { list: 'unreadable' }, { do: 'start', isUnclaimed: true }],
	[4, { list: 'recent', question: 'over' }, startsLate],
	[4, { ...tap, question: 'over' }, startsLate],
	[4, { ...again, question: 'over' }, startsLate],
	[5, { ...tap, question: 'elsewhere' }, { do: 'leaveIt', tells: 'elsewhere' }],
	[6, { list: 'recent' }, starts],
	[6, { list: 'fresh' }, starts],
	[6, { ...tap, question: 'none' }, starts],
	[6, { ...again, question: 'none' }, starts],
	[6, { ...again, question: 'none', blind: 2 }, { ...starts, tells: 'blind' }],
	[7, { ...words, list: 'recent' }, { do: 'read', list: 'fresh' }],
	[8, tap, { do: 'askAddress' }],
	[8, { ...tap, blind: 2 }, { do: 'askAddress' }],
	[8, { ...tap, life: 'gone' }, { do: 'comeAgain', most: 1, isLate: true }],
	[8, { ...tap, life: 'blind' }, { do: 'leaveIt' }],
	[8, { ...tap, life: 'running' }, { do: 'leaveIt' }],
	[9, words, { do: 'wait' }],
	[9, { ...tap, isPastDeadline: true }, { do: 'wait' }],
	[9, waited, { do: 'askAddress' }],
	[9, { ...waited, blind: 1 }, { do: 'askAddress' }],
	[9, { ...waited, blind: 2 }, { do: 'read', list: 'again' }],
	[9, { ...waited, life: 'gone' }, { do: 'read', list: 'again' }],
	[10, { ...again, life: 'gone' }, starts],
	[10, { ...again, life: 'gone', isPastDeadline: true }, startsLate],
	[10, { ...again, life: 'elsewhere' }, starts],
	[10, { ...again, life: 'blind', blind: 2 }, { ...starts, tells: 'blind' }],
	[11, { ...again, life: 'blind', blind: 1 }, { do: 'comeAgain', most: 2, isLate: false }],
	[11, { ...again, life: 'alive' }, { do: 'comeAgain', most: 2, isLate: false }],
	[11, { ...again, isPastDeadline: true }, { do: 'comeAgain', most: 2, isLate: true }],
];

it.each(ROWS)('row %i: %j', (_row, known, step) => {
	expect(fateOf({ ...NEW, ...known })).toEqual(step);
});

it('has each row of the page', async () => {
	const page = await readFile('docs/decisions/whose-words.md', 'utf8');
	const rows = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, row]) => Number(row));
	expect(rows.length).toBeGreaterThan(5);
	expect([...new Set(ROWS.map(([row]) => row))]).toEqual(rows);
});

it('asks for nothing twice, whatever comes', () => {
	const after = (known: Known, step: FateStep): Known[] => {
		if (step.do === 'wait') return [{ ...known, hadTime: true }];
		if (step.do === 'askAddress')
			return (['alive', 'running', 'gone', 'elsewhere', 'blind', 'unknown'] as const).map(
				(life) => ({ ...known, life, blind: known.blind + Number(life === 'blind') }),
			);
		if (step.do !== 'read') return [];
		const lists = (['none', 'over', 'elsewhere', 'waits'] as const).flatMap((question) =>
			[true, false].map((isPastDeadline) => ({ question, isPastDeadline, list: step.list })),
		);
		return [{ list: 'unreadable' } as const, ...lists].map((read) => ({ ...known, ...read }));
	};
	const longest = (known: Known): number => {
		const next = after(known, fateOf(known));
		return 1 + Math.max(0, ...next.map(longest));
	};
	const all = [0, 1, 2].flatMap((blind) =>
		[true, false].map((isTap) => ({ ...NEW, isTap, blind })),
	);
	// Both lists, the time, the address, the list again, and the end.
	expect(Math.max(...all.map(longest))).toBe(6);
});
