/**
 * One n8n in its usual mode, and repeated kill -9 of it.
 *
 * The run receive has a service with every kind of fault, and counts what became of every event.
 * The run once sends texts under keys, runs the workflow again after each kill, and counts what
 * became of every text. The run bursts kills nothing: customers write several messages in a row,
 * and it counts the executions that hold all of a burst.
 */
import { command, readCommandLine } from '#sandbox/core/commandLine.cjs';
import { DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import { ExplainedError } from '#scripts/bootstrap/explained.cjs';
import { startN8nFor } from '../host/harness/ownN8n.mts';
import { publishTrigger } from '../host/harness/receivers.mts';
import { BY_CUSTOMER, playBursts } from '../load/bursts.mts';
import { sqliteQuery } from '../load/executions.mts';
import { longRun, type Place } from '../load/longRun.mts';
import { FaultSchedule } from './faultSchedule.mts';
import { OnceRun } from './onceRun.mts';
import { ChaosRun, GROUPINGS, isGrouping } from './run.mts';

const NUMBER = { type: 'string', value: 'NUMBER' } as const;

const CHAOS = command({
	name: 'npm run test:chaos --',
	about:
		'Runs one n8n in its usual mode. The run receive has a service with every kind of fault, kills n8n again and again, and counts what became of every event. The run once sends texts under keys, runs the workflow again after each kill, and counts what became of every text, while 6% of the requests are answered 500, half of them done. The run bursts kills nothing, and counts the bursts of messages that became one execution.',
	words: { usage: '[run]', name: 'run', among: ['receive', 'once', 'bursts'], most: 1 },
	options: {
		events: { ...NUMBER, default: '10000', about: 'events of the run receive' },
		texts: { ...NUMBER, default: '2000', about: 'texts of the run once' },
		bursts: { ...NUMBER, default: '1000', about: 'bursts of the run bursts' },
		kills: { ...NUMBER, about: 'kills of n8n (default 8, of the run once 20)' },
		seed: { ...NUMBER, about: 'makes the same moments of the kills in every run once' },
		'when-outcome-unknown': {
			type: 'string',
			value: 'HOW',
			default: 'fail',
			about: 'fail or sendAgain: the option of the node in the run once',
		},
		grouping: {
			type: 'string',
			value: 'HOW',
			default: 'none',
			about: 'none, arrival or customer: the grouping of the trigger in the run receive',
		},
	},
	example: 'once --texts 200 --kills 2',
});

const { values, words } = readCommandLine(CHAOS);

/** Each returns what was done, for the report's title. */
const RUNS: Record<(typeof words)[number], (place: Place) => Promise<string>> = {
	...{ receive, once: sendOnce, bursts },
};

const WHOLE_SHARE = 0.99;
/** The guide's advice for many events; and n8n by itself keeps the last 10,000 executions only. */
const BURSTS_ENV = {
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	EXECUTIONS_DATA_PRUNE: 'false',
};

await longRun(async (place) => {
	const [name = 'receive'] = words;
	return `Chaos: n8n ${place.program.version} with SQLite, ${await RUNS[name](place)}`;
});

async function receive({ program, sandboxUrl, report }: Place): Promise<string> {
	const { grouping } = values;
	if (!isGrouping(grouping))
		throw new ExplainedError(`--grouping is one of ${Object.keys(GROUPINGS).join(', ')}.`);
	const [events, kills] = [wholeNumber('events'), wholeNumber('kills', '8')];
	if (events < 10 * (kills + 1))
		throw new ExplainedError('--events is ten or more for each part between the kills.');
	const run = await ChaosRun.prepare(program, sandboxUrl, grouping);
	const faults = new FaultSchedule(run.host.sandbox);
	await faults.start();
	await run.live(events, kills);
	await faults.stop();
	await run.settle();
	await run.account(report);
	for (const [kind, count] of faults.struck)
		report.atLeast(`attempts with the fault ${kind}`, count, 1);
	await run.close();
	return `killed ${kills} times, grouping ${grouping}`;
}

async function sendOnce({ program, sandboxUrl, report }: Place): Promise<string> {
	const [texts, kills] = [wholeNumber('texts'), wholeNumber('kills', '20')];
	const seed = wholeNumber('seed', String(Date.now() % 2 ** 31));
	if (texts < 20 * (kills + 1))
		throw new ExplainedError('--texts is 20 or more for each part between the kills.');
	console.log(`Seed ${seed}`);
	const outcome = values['when-outcome-unknown'];
	if (outcome !== 'fail' && outcome !== 'sendAgain')
		throw new ExplainedError('--when-outcome-unknown is fail or sendAgain.');
	const run = await OnceRun.prepare(program, sandboxUrl, texts, outcome);
	try {
		await run.live(kills, seed);
		await run.account(report);
	} finally {
		await run.close();
	}
	return `${texts} texts with keys, ${outcome} when the outcome is unknown, killed ${kills} times, seed ${seed}`;
}

async function bursts({ program, sandboxUrl, report }: Place): Promise<string> {
	const count = wholeNumber('bursts');
	const service = { sandboxUrl, secretKey: DEMO_SECRET_KEY };
	const n8n = await startN8nFor(service, program, BURSTS_ENV);
	try {
		await playBursts(
			await publishTrigger(n8n.host, BY_CUSTOMER),
			sqliteQuery(n8n.host.underTest.home),
			{ count, wholeShare: WHOLE_SHARE, where: 'one process' },
			report,
		);
	} finally {
		await n8n.remove();
	}
	return `${count} bursts, grouping customer`;
}

function wholeNumber(name: keyof typeof values, fallback = ''): number {
	const number = Number(values[name] ?? fallback);
	if (!Number.isInteger(number) || number < 1)
		throw new ExplainedError(`--${name} is a whole number above 0.`);
	return number;
}
