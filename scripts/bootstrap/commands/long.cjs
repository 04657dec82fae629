/** The command lines of the tests that take long, and of the benchmarks. */
const { command } = require('../../../sandbox/core/commandLine.cjs');

const NUMBER = /** @type {const} */ ({ type: 'string', value: 'NUMBER' });

const QUEUE = command({
	name: 'npm run test:queue --',
	about:
		'Runs n8n in queue mode under load. The run disturbed kills its processes and Redis in turn, and counts what became of every event and text. The run same-keys has two workers send the same texts under the same keys at once. The run bursts counts the bursts of messages that became one execution. The run questions has customers answer questions in the chat while a trigger listens on the channel.',
	words: {
		usage: '[run]',
		name: 'run',
		among: ['disturbed', 'same-keys', 'bursts', 'questions'],
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

const MUTATION = command({
	name: 'npm run test:mutation --',
	about:
		'Plants faults in the folders of the nodes, and lists those that no unit or core test notices.',
	words: { usage: '[part ...]' },
	options: {
		file: {
			type: 'string',
			multiple: true,
			value: 'PATH',
			about: 'plants faults in this file alone; can be repeated',
		},
		total: {
			type: 'boolean',
			about: 'plants none: prints the scores of parts that ran before, and the one over all',
		},
	},
	example: 'sending',
	more: 'Each part is a folder of nodes/BusinessMessaging/, credentials, or nodes: the files beside those folders.',
});

const BENCH = command({
	name: 'npm run bench --',
	about:
		'Measures everything, writes docs/benchmarks.md, and ends with 1 if a bound is missed. With names, it measures these sections only.',
	words: {
		usage: '[section ...]',
		name: 'section',
		among: ['sending', 'batch', 'keys', 'receiving', 'grouping', 'loading'],
	},
	options: {},
	example: 'sending keys',
});

const CONTAINERS = command({
	name: 'node scripts/bootstrap.mjs containers',
	about:
		"Starts containers/compose.yaml with n8n's own image, and runs the host tests that go by address in that image. Needs Docker.",
	options: {
		n8n: {
			type: 'string',
			value: 'TAG',
			about: 'tag of the image, or a major version: its newest (default: the current n8n)',
		},
	},
	example: '--n8n next',
});

module.exports = { BENCH, CHAOS, CONTAINERS, MUTATION, QUEUE };
