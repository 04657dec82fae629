/**
 * Plays the conversation of each example workflow, each in an account of its own, side by side.
 * REHEARSALS=20 plays each 20 times in a row, REHEARSE=opt-out,outbox those two alone.
 */

import { inWords, isGreen, type Outcome } from '#sandbox/rehearsal/report.mts';
import { exampleNames } from '#scripts/n8n/provision.mts';
import { hostUnderTest } from './harness/host.mts';
import { type Models, startModels } from './harness/models.mts';
import { rehearse } from './harness/rehearsals.mts';

const only = process.env.REHEARSE?.split(',');
const EXAMPLES = exampleNames(hostUnderTest().generation).filter(
	(name) => only?.includes(name) ?? true,
);
const ROUNDS = Number(process.env.REHEARSALS ?? 1);
/**
 * Rehearsals at once. n8n 1 says that its database is not ready if twenty workflows are imported
 * and published together.
 */
const AT_ONCE = 5;
const LIMIT_MS = 120_000 + ROUNDS * 90_000;

let models: Models;
/** What is running, by the name of the example. */
const playing = new Map<string, Promise<Outcome[]>>();

/** In order of arrival. */
const waiting: Array<() => void> = [];
let places = AT_ONCE;

/** Rehearses when there is a free place. */
async function rehearseInTurn(...parameters: Parameters<typeof rehearse>): Promise<Outcome> {
	if (places > 0) places -= 1;
	else await new Promise<void>((resolve) => waiting.push(resolve));
	try {
		return await rehearse(...parameters);
	} finally {
		const next = waiting.shift();
		if (next) next();
		else places += 1;
	}
}

async function rounds(name: string): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	while (outcomes.length < ROUNDS) outcomes.push(await rehearseInTurn(name, models));
	return outcomes;
}

beforeAll(async () => {
	models = await startModels();
	for (const name of EXAMPLES) playing.set(name, rounds(name));
	// The test that waits for a rehearsal reports its failure.
	for (const end of playing.values()) end.catch(() => {});
});
afterAll(async () => {
	await Promise.allSettled(playing.values());
	await models?.close();
}, LIMIT_MS);

async function outcomesOf(name: string): Promise<Outcome[]> {
	const outcomes = await playing.get(name);
	if (!outcomes) throw new Error(`${name} is not played`);
	return outcomes;
}

test.each(EXAMPLES)(
	'%s follows its conversation',
	async (name) => {
		const outcomes = await outcomesOf(name);
		expect(outcomes.filter((outcome) => !isGreen(outcome)).map(inWords)).toEqual([]);
		expect(outcomes).toHaveLength(ROUNDS);
	},
	LIMIT_MS,
);
