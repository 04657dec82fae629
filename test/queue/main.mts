/**
 * n8n in queue mode under load, while its processes and Redis are killed in turn. Counts, at the
 * service and in n8n's database, what became of every event and of every text. Its other runs
 * disturb nothing.
 */
import { command, readCommandLine } from '#sandbox/core/commandLine.cjs';
import { longRun, type Place } from '../load/longRun.mts';
import { accountForAll } from './account.mts';
import { receiveBursts } from './bursts.mts';
import { type Cluster, FAST, MODE, RECOMMENDED, startCluster } from './cluster.mts';
import { checkComposition } from './composition.mts';
import { disturb } from './disturbances.mts';
import { askAndListen } from './questions.mts';
import { replaceState } from './replacedState.mts';
import { Run } from './run.mts';
import { ONE_JOB_EACH, sendSameKeys } from './sameKeys.mts';

const NUMBER = { type: 'string', value: 'NUMBER' } as const;

const QUEUE = command({
	name: 'npm run test:queue --',
	about:
		'Runs n8n in queue mode under load. The run disturbed kills its processes and Redis in turn, and counts what became of every event and text. The run same-keys has two workers send the same texts under the same keys at once. The run bursts counts the bursts of messages that became one execution. The run questions has customers answer questions in the chat while a trigger listens on the channel. The run static-data has a Code node replace what the trigger stored.',
	words: {
		usage: '[run]',
		name: 'run',
		among: ['disturbed', 'same-keys', 'bursts', 'questions', 'static-data'],
		most: 1,
	},
	options: {
		events: { ...NUMBER, default: '600', about: 'events of the run disturbed' },
		keys: { ...NUMBER, default: '10000', about: 'keys of the run same-keys' },
		bursts: { ...NUMBER, default: '1000', about: 'bursts of the run bursts' },
		questions: { ...NUMBER, default: '24', about: 'questions of the run questions' },
		'n8n-defaults': {
			type: 'boolean',
			about:
				'leaves out what docs/queue-mode.md recommends: then events are lost that a killed worker was at work on',
		},
	},
	example: 'same-keys --keys 2000',
});

const { values, words } = readCommandLine(QUEUE);

interface QueueRun {
	env?: NodeJS.ProcessEnv;
	play(cluster: Cluster, place: Place): Promise<void>;
}

const RUNS: Record<(typeof words)[number], QueueRun> = {
	disturbed: { play: disturbAndCount },
	'same-keys': {
		env: ONE_JOB_EACH,
		play: async (cluster, { program, sandboxUrl, report }) =>
			await sendSameKeys(cluster, program, sandboxUrl, Number(values.keys), report),
	},
	bursts: {
		play: async (cluster, { program, sandboxUrl, report }) =>
			await receiveBursts(cluster, program, sandboxUrl, Number(values.bursts), report),
	},
	questions: {
		play: async (cluster, { program, sandboxUrl, report }) =>
			await askAndListen(cluster, program, sandboxUrl, Number(values.questions), report),
	},
	'static-data': {
		play: async (cluster, { program, sandboxUrl, report }) =>
			await replaceState(cluster, program, sandboxUrl, report),
	},
};

await longRun(async (place) => {
	const [name = 'disturbed'] = words;
	const run = RUNS[name];
	const { program, folder } = place;
	if (run === RUNS.disturbed) await checkDeployment(program.version);
	const recovery = values['n8n-defaults'] ? {} : RECOMMENDED;
	const cluster = await startCluster(program, folder, { ...recovery, ...run.env });
	console.log(`n8n ${program.version} in queue mode runs.`);
	try {
		await run.play(cluster, place);
	} finally {
		await cluster.close();
	}
	return `Queue mode: n8n ${program.version}, one main, two workers, two webhook processors`;
});

async function checkDeployment(version: string): Promise<void> {
	const checked = await checkComposition({ ...MODE, ...RECOMMENDED, ...FAST }, version);
	console.log(
		checked
			? 'Docker Compose accepts docs/queue-mode/compose.yaml, and it has the settings that are recommended.'
			: 'There is no Docker Compose here: docs/queue-mode/compose.yaml is not checked.',
	);
}

async function disturbAndCount(
	cluster: Cluster,
	{ program, sandboxUrl, report }: Place,
): Promise<void> {
	const run = await Run.prepare(cluster, program, sandboxUrl);
	const keeper = run.keepUp();
	try {
		await disturb(cluster, run, Math.max(60, Number(values.events)));
		report.figure('jobs of workers that were gone, dropped', await run.settle());
	} finally {
		// Else a run that fails goes on for ever.
		await keeper.stop();
	}
	await accountForAll(run, report);
	report.must('webhooks left at the service after unpublishing', await run.unpublish(), 0);
}
