/** Plays all runs of a script against the workflow that listens on a channel of the sandbox. */
import type { Channel, Sandbox } from '../client/index.mts';
import { type Played, playOnce, type PlayOptions, type Stage } from './once.mts';
import type { ParsedScript } from './parse.mts';
import { type Part, partsOf } from './parts.mts';
import { ScriptError } from './scriptError.mts';
import { judgedIn } from './steps.mts';
import type { Found, Problem } from './unasked.mts';

export type { PlayOptions } from './once.mts';

/** The result of a script. The chats of several runs are those with problems. */
export interface Rehearsed extends Found {
	name: string;
	seconds: number;
	/** Wrong words in no more runs than the script allows. */
	allowed: Problem[];
	/** Such as `9 of 10 runs right`, for the file and each step with several runs. */
	tallies: string[];
	/**
	 * Why the rest could not be played: a problem with the script, the judge or the sandbox, not with
	 * the workflow.
	 */
	broken?: string;
}

/** Whether a script moves the clock. All share it, so nothing else may be played meanwhile. */
export const movesClock = ({ script }: ParsedScript): boolean =>
	script.steps.some(({ advance }) => advance !== undefined);

/** Whether a script asks a person to do something. */
export const needsPerson = ({ script }: ParsedScript): boolean =>
	script.steps.some(({ manually }) => manually !== undefined);

/** @throws ScriptError if a script needs a person or a judge, and there is none */
export function requirePlayable(
	parsed: ParsedScript,
	{ manually, judge }: Pick<PlayOptions, 'manually' | 'judge'>,
): void {
	const { name } = parsed.script;
	if (needsPerson(parsed) && !manually)
		throw new ScriptError(`'${name}' asks a person to do something. Play it in a terminal`);
	const free = judgedIn(parsed.script).find(({ action }) => action.gets?.means !== undefined);
	if (free && !judge)
		throw new ScriptError(
			`'${name}' has free words to judge (means, line ${parsed.lineOf(free.step)}). Name a command that judges them with --judge, or use contains and containsNone`,
		);
}

/**
 * Plays a script in all its runs, one after the other. Wrong words may occur in some runs. The
 * first run with another problem is the last.
 *
 * @throws ScriptError if it needs a person or a judge, and there is none
 */
export async function play(
	parsed: ParsedScript,
	sandbox: Sandbox,
	channel: Channel,
	options: PlayOptions,
): Promise<Rehearsed> {
	requirePlayable(parsed, options);
	const began = performance.now();
	const { name } = parsed.script;
	const rehearsed: Rehearsed = {
		...{ name, seconds: 0, problems: [], allowed: [], tallies: [], transcripts: [] },
	};
	const parts = partsOf(parsed);
	for (const part of parts) {
		const isOnlyRun = parts.length === 1 && part.runs === 1;
		const ran = await playPart(parsed, part, { sandbox, channel }, options);
		add(rehearsed, part, ran, isOnlyRun);
		if (ran.some(isOver)) break;
	}
	rehearsed.seconds = (performance.now() - began) / 1000;
	return rehearsed;
}

const isHard = ({ kind }: Problem): boolean => kind !== 'wrongWords';

/** Whether no further run can change the result. */
const isOver = ({ problems, broken }: Played): boolean =>
	broken !== undefined || problems.some(isHard);

async function playPart(
	parsed: ParsedScript,
	part: Part,
	stage: Stage,
	options: PlayOptions,
): Promise<Played[]> {
	const ran: Played[] = [];
	while (ran.length < part.runs && !ran.some(isOver))
		ran.push(await playOnce(parsed, part, stage, options));
	return ran;
}

/** Adds what the runs of a part came to. */
function add(rehearsed: Rehearsed, part: Part, ran: Played[], isOnlyRun: boolean): void {
	const { runs, atLeast, line } = part;
	const right = ran.filter(({ problems, broken }) => problems.length === 0 && !broken).length;
	const isComplete = ran.length === runs;
	const place = line === undefined ? {} : { line };
	if (isComplete && runs > 1)
		rehearsed.tallies.push(
			`${right} of ${runs} runs right${line === undefined ? '' : ` in line ${line}`}`,
		);
	if (isComplete && runs > 1 && right < atLeast)
		rehearsed.problems.push({
			...{ kind: 'tooFew', ...place },
			what: `${right} of ${runs} runs were right; at least ${atLeast} must be`,
		});
	for (const [index, { problems, transcripts, broken }] of ran.entries()) {
		const upTo = line === undefined ? '' : ` up to line ${line}`;
		const run = isOnlyRun ? undefined : `run ${index + 1} of ${runs}${upTo}`;
		for (const problem of problems)
			(isHard(problem) || right < atLeast ? rehearsed.problems : rehearsed.allowed).push({
				...problem,
				...(run === undefined ? {} : { run }),
			});
		if (broken !== undefined) rehearsed.broken = run === undefined ? broken : `${broken} (${run})`;
		if (run === undefined) rehearsed.transcripts.push(...transcripts);
		else if (problems.length > 0 || broken !== undefined)
			rehearsed.transcripts.push(...transcripts.map((chat) => `${run}. ${chat}`));
	}
}
