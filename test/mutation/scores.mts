/** The part of Stryker's report that is used here. */
export interface Report {
	files: Record<string, { mutants: Array<{ status: string }> }>;
}

export interface Line {
	name: string;
	bound: number | undefined;
	score: Score;
}

/** Stryker's statuses, by the columns of the table. */
const STATUSES = {
	killed: 'Killed',
	timeout: 'Timeout',
	survived: 'Survived',
	'no test': 'NoCoverage',
	ignored: 'Ignored',
	errors: 'RuntimeError',
};

export interface Score {
	/** The share of faults that a test noticed, in percent. */
	noticed: number;
	/** How many mutants have each status. */
	counts: number[];
}

/** Stryker's score of several of its reports together. */
export function scoreOf(reports: readonly Report[]): Score {
	const files = reports.flatMap((report) => Object.values(report.files));
	const all = files.flatMap(({ mutants }) => mutants.map(({ status }) => status));
	const counts = Object.values(STATUSES).map(
		(one) => all.filter((status) => status === one).length,
	);
	const [killed = 0, timeout = 0, survived = 0, noTest = 0] = counts;
	const noticed = killed + timeout;
	return { noticed: (100 * noticed) / (noticed + survived + noTest), counts };
}

export const isMissed = ({ bound, score }: Line): boolean =>
	bound !== undefined && score.noticed < bound;

/** The scores as lines of text. */
export function table(lines: Line[]): string {
	const columns = (cells: Array<string | number>) =>
		cells
			.map((cell, index) => (index === 0 ? String(cell).padEnd(12) : String(cell).padStart(9)))
			.join(' ');
	const head = columns(['part', 'score %', 'bound %', ...Object.keys(STATUSES)]);
	const rows = lines.map(({ name, bound, score: { noticed, counts } }) =>
		columns([name, noticed.toFixed(2), bound ?? '', ...counts]),
	);
	return [head, ...rows].join('\n');
}
