import { isMissed, type Report, scoreOf } from '../../mutation/scores.mts';

const report = (file: string, ...statuses: string[]): Report => ({
	files: { [file]: { mutants: statuses.map((status) => ({ status })) } },
});

it('counts a fault that no test reaches as missed, and one that cannot be tried not at all', () => {
	const score = scoreOf([
		report('one.ts', 'Killed', 'Killed', 'Ignored', 'RuntimeError', 'CompileError'),
		report('other.ts', 'Timeout', 'Survived', 'Survived', 'Survived', 'NoCoverage', 'NoCoverage'),
	]);
	expect(score).toEqual({ noticed: 37.5, counts: [2, 1, 3, 2, 1, 1] });
	const missed = [37, 37.5, 38].map((bound) => isMissed({ name: 'one', bound, score }));
	expect(missed).toEqual([false, false, true]);
});
