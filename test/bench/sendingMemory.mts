/**
 * Run by itself, with the garbage collector at hand: what sending many texts needs beside its input
 * and its output. Prints JSON.
 *
 *     node --expose-gc --import tsx test/bench/sendingMemory.mts <texts>
 */
import { setImmediate } from 'node:timers/promises';

import { RateLimiter } from '../../nodes/BusinessMessaging/sending/rateLimiter.ts';
import { SentRecord } from '../../nodes/BusinessMessaging/sending/sentRecord.ts';
import { sendAll } from '../../nodes/BusinessMessaging/sending/sendAll.ts';

export interface MemoryFigures {
	/** Bytes of the heap beside the input, at the highest and at the end. */
	peak: number;
	output: number;
	seconds: number;
	/** Bytes of the sentRecord as n8n stores it. */
	sentRecord: number;
}

const count = Number(process.argv[2]);
const heap = () => {
	globalThis.gc!();
	return process.memoryUsage().heapUsed;
};

const jobs = Array.from({ length: count }, (_, index) => ({
	index,
	name: 'text',
	channelId: '019E4C54B1B375A28970B605CA9B03C3',
	recipient: String(5511900000000 + (index % Math.ceil(count / 5))),
	text: `Hello ${index}`,
}));
const store = {};
const before = heap();
let peak = before;
let sent = 0;
const samples = new Set(
	Array.from({ length: 20 }, (_, sample) => Math.floor((count * (sample + 1)) / 21)),
);
const started = performance.now();
async function* items() {
	yield* jobs;
}
const clock = { now: () => Date.now(), sleep: async () => {} };
const limiter = new RateLimiter(clock);
const none = () => Promise.reject(new Error('nothing has a key'));
const policy = { maxConcurrency: 20, maxPerSecond: 0, stopOnFailure: false };
const outcomes = await sendAll(items(), policy, {
	request: async () => {
		if (samples.has(sent++)) peak = Math.max(peak, heap());
		await setImmediate();
		return sent.toString(16).padStart(32, '0');
	},
	sentRecord: SentRecord.open(store, 0),
	clock,
	limiterFor: () => limiter,
	onceKeys: { claim: none, confirm: none, free: none, leaveInDoubt: () => {} },
});
const seconds = (performance.now() - started) / 1000;
const after = heap();
if (outcomes.size !== jobs.length)
	throw new Error(`${outcomes.size} outcomes of ${jobs.length} texts`);
const figures: MemoryFigures = {
	peak: peak - before,
	output: after - before,
	seconds,
	sentRecord: JSON.stringify(store).length,
};
console.log(JSON.stringify(figures));
