const { relative } = require('node:path');

const { default: TestSequencer } = require('@jest/test-sequencer');

/** Seconds in a deep run of the files that take minutes. Others take half of one. */
const SECONDS = {
	...{ 'host/outbox': 700, 'host/start': 500, 'host/everyday': 450 },
	...{ 'host/sendAndWaitRestarts': 300, 'host/startSafety': 250, 'host/rehearsals': 250 },
	...{ 'host/shopAssistant': 200, 'host/channelKinds': 200, 'host/triggerLifecycle': 170 },
	...{ 'host/lastWord': 170, 'host/templateInstead': 140, 'host/scheduledFollowUps': 120 },
	...{ 'host/n8nAgent': 110, 'host/skill': 95 },
	...{ 'browser/examples': 200, 'browser/trialOrder': 130, 'browser/buildWorkflow': 100 },
	...{ 'browser/firstHour': 100, 'browser/sandbox-page-access': 55 },
	...{ 'browser/sandbox-page-marks': 50, 'browser/sandbox-page': 50 },
};
const OTHER = 30;

/** Gives each shard as much as the others, where Jest gives it as many files. */
class EvenShards extends TestSequencer {
	/**
	 * @param {import('@jest/test-result').Test[]} tests
	 * @param {{ shardIndex: number, shardCount: number }} options
	 */
	shard(tests, { shardIndex, shardCount }) {
		const shards = Array.from({ length: shardCount }, () => ({
			seconds: 0,
			/** @type {typeof tests} */ tests: [],
		}));
		for (const test of [...tests].sort(
			(one, other) => secondsOf(other) - secondsOf(one) || (one.path < other.path ? -1 : 1),
		)) {
			const least = shards.reduce((one, other) => (other.seconds < one.seconds ? other : one));
			least.tests.push(test);
			least.seconds += secondsOf(test);
		}
		return shards[shardIndex - 1]?.tests ?? [];
	}
}

/** @param {import('@jest/test-result').Test} test */
function secondsOf({ path, context }) {
	const [name = ''] = relative(`${context.config.rootDir}/test`, path).split('.');
	return SECONDS[/** @type {keyof typeof SECONDS} */ (name)] ?? OTHER;
}

module.exports = EvenShards;
