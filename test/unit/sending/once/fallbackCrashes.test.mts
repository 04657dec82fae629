/**
 * Whole nodes that send texts and their fallbacks under keys, and processes that die: while n8n
 * writes, and before or after the service accepts a message.
 */
import fc from 'fast-check';

import type { SendOutcome } from '#nodes/sending/batch.ts';
import type { ServiceError } from '#nodes/service/errors/index.ts';
import { SentRecord } from '#nodes/sending/sentRecord.ts';
import {
	closed,
	type Item,
	jobsTo,
	lost,
	refused,
	sendAll,
	sharedWith,
	templateInstead,
	type TextMessage,
} from '../fakeService.mts';
import { VirtualClock } from '../../../support/clocks.mts';
import { processKeys, Memory } from './memory.mts';
import { runs } from '../../../support/runs.mts';

const RUNS = runs(1000);

/** The parts of each text, by its key. Two have the same recipient. */
const TEXTS = { a: 1, b: 2, c: 3 } as const;
type Key = keyof typeof TEXTS;
type Answer = 'accepted' | 'closed' | 'refused' | 'lost';

const life = fc.record({
	texts: fc.array(fc.constantFrom<Key>('a', 'b', 'c'), { minLength: 1, maxLength: 4 }),
	/** To each request in order, and then from the start. */
	answers: fc.array(
		fc.constantFrom<Answer>('accepted', 'accepted', 'closed', 'closed', 'refused', 'lost'),
		{ minLength: 1, maxLength: 6 },
	),
	hasFallback: fc.constantFrom(true, true, false),
	/** The first, and those of Retry On Fail. */
	tries: fc.integer({ min: 1, max: 2 }),
	maxConcurrency: fc.integer({ min: 1, max: 3 }),
	stopOnFailure: fc.boolean(),
	sendAgain: fc.boolean(),
	dies: fc.option(
		fc.oneof(
			fc.record({ call: fc.integer({ min: 1, max: 15 }), hasWritten: fc.boolean() }),
			fc.record({ request: fc.integer({ min: 1, max: 6 }), isAccepted: fc.boolean() }),
		),
		{ nil: undefined, freq: 4 },
	),
});
type Outcomes = ReadonlyMap<number, SendOutcome>;
type Life = typeof life extends fc.Arbitrary<infer Value> ? Value : never;

/** The last one: every window is open, and nothing dies. */
const LAST: Life = {
	...{ texts: ['a', 'b', 'c'], answers: ['accepted'], hasFallback: true, dies: undefined },
	...{ tries: 1, maxConcurrency: 3, stopOnFailure: false, sendAgain: false },
};

/** What outlives a process. */
class World {
	readonly stored: string[] = [];
	/** What the service accepted, by key: the numbers of parts, or "template". */
	readonly accepted: Record<Key, string[]> = { a: [], b: [], c: [] };
	/** Keys that a crash or a lost response left in doubt. */
	readonly doubtful = new Set<string>();
	/** Whether a life of it sent again what was in doubt. */
	mayRepeat = false;

	/** Whether the service has all of a text, or its template. */
	hasWhole(key: Key): boolean {
		const accepted = this.accepted[key];
		return accepted.includes('template') || partsOf(key).every((part) => accepted.includes(part));
	}
}

/**
 * Lives until all tries ended, or the process died.
 * @returns what the last try sent or not, by item. Undefined if the process died
 */
async function live(world: World, plan: Life): Promise<Outcomes | undefined> {
	world.mayRepeat ||= plan.sendAgain;
	let die = () => {};
	const death = new Promise<void>((resolve) => (die = resolve));
	const process = {
		isDead: false,
		onDeath: () => {
			for (const key of plan.texts) world.doubtful.add(key);
			die();
		},
	};
	const { dies } = plan;
	const memory = new Memory(world.stored, dies && 'call' in dies ? dies : undefined, process);
	let requests = 0;
	const send = async (job: TextMessage): Promise<string> => {
		const key = keyOf(job);
		if (process.isDead) return await new Promise(() => {});
		const answer = plan.answers[requests++ % plan.answers.length]!;
		const isLast = dies !== undefined && 'request' in dies && requests === dies.request;
		const given = job.name === 'template' && answer === 'closed' ? 'accepted' : answer;
		const isAccepted = isLast ? dies.isAccepted : given === 'accepted' || given === 'lost';
		if (isAccepted)
			world.accepted[key].push(
				job.name === 'template' ? 'template' : String(job.part?.number ?? 1),
			);
		if (isLast) {
			process.isDead = true;
			process.onDeath();
			return await new Promise(() => {});
		}
		await new Promise((next) => setImmediate(next));
		if (given === 'accepted') return 'id';
		if (given === 'closed') throw closed();
		if (given === 'refused') throw refused();
		world.doubtful.add(key);
		throw lost();
	};
	return await Promise.race([tryAll(world, plan, memory, send), death.then(() => undefined)]);
}

async function tryAll(
	world: World,
	{ texts, hasFallback, tries, ...policy }: Life,
	memory: Memory,
	send: (job: TextMessage) => Promise<string>,
): Promise<Outcomes | undefined> {
	const clock = new VirtualClock();
	const keys = processKeys(2);
	const store = {};
	let last: Outcomes | undefined;
	for (let attempt = 0; attempt < tries; attempt++) {
		const outcomes = await sendAll(itemsOf(texts), {
			...policy,
			...sharedWith(clock),
			...(hasFallback
				? { insteadOf: (job) => ((job.part?.number ?? 1) === 1 ? templateInstead(job) : undefined) }
				: {}),
			maxPerSecond: 0,
			clock,
			request: send,
			sentRecord: SentRecord.open(store, 0),
			onceKeys: {
				claim: async (once, takesDoubt) => await keys.claim(once, memory, takesDoubt),
				confirm: async (once, covered) => await keys.confirm(once, memory, covered),
				free: async (once) => await keys.free(once, memory),
				leaveInDoubt: (once) => keys.leaveInDoubt(once),
			},
		});
		for (const [index, outcome] of outcomes)
			checkOutcome(world, texts[index]!, outcome, world.mayRepeat);
		last = outcomes;
	}
	return last;
}

function checkOutcome(world: World, key: Key, outcome: SendOutcome, isSentAgain: boolean): void {
	const accepted = world.accepted[key];
	if ('error' in outcome) {
		const { reason } = outcome.error as ServiceError;
		expect(['window_closed', 'rejected', 'unknown_outcome']).toContain(reason);
		if (reason === 'unknown_outcome') expect(world.doubtful).toContain(key);
		return;
	}
	expect(world.hasWhole(key)).toBe(true);
	if ('sentAs' in outcome) expect(accepted).toContain('template');
	if ('sentAs' in outcome && !isSentAgain) expect(accepted).toEqual(['template']);
}

const partsOf = (key: Key): string[] =>
	Array.from({ length: TEXTS[key] }, (_, at) => String(at + 1));

const keyOf = ({ text }: TextMessage): Key => text.split(' ').at(-1) as Key;

const itemsOf = (texts: readonly Key[]): Item[] =>
	texts.map((key, index) => {
		const [target] = jobsTo([key === 'c' ? 'other' : 'same']);
		const total = TEXTS[key];
		const [first, ...others] = Array.from({ length: total }, (_, at) => ({
			...{ ...target!, index, text: `text ${key}` },
			once: { key: at === 0 ? key : `${key} ${at + 1}`, fingerprint: 'whole' },
			...(total === 1 ? {} : { part: { number: at + 1, whole: 'whole' } }),
		}));
		return others.length > 0 ? { index, parts: [first!, ...others] } : first!;
	});

test('property: after crashes anywhere, a text or its fallback was accepted once, and never both', async () => {
	const seen = { templates: 0, doubts: 0, died: 0 };
	await fc.assert(
		fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 4 }), async (lives) => {
			const world = new World();
			for (const each of [...lives, LAST]) await live(world, { ...each, sendAgain: false });
			for (const key of ['a', 'b', 'c'] as const) {
				const accepted = world.accepted[key];
				const parts = partsOf(key);
				expect([['template'], parts.slice(0, accepted.length)]).toContainEqual(accepted);
				if (!world.doubtful.has(key)) expect(world.hasWhole(key)).toBe(true);
				if (accepted[0] === 'template') seen.templates++;
			}
			seen.doubts += world.doubtful.size;
			seen.died += lives.filter(({ dies }) => dies).length;
		}),
		{ numRuns: RUNS },
	);
	for (const count of Object.values(seen)) expect(count).toBeGreaterThan(RUNS / 10);
}, 120_000);

test('property: where it is sent again, after crashes anywhere nothing is missing or in doubt', async () => {
	const seen = { twice: 0, died: 0 };
	await fc.assert(
		fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 4 }), async (lives) => {
			const world = new World();
			for (const each of lives) await live(world, each);
			const last = await live(world, { ...LAST, sendAgain: true });
			expect([...last!.values()].filter((outcome) => 'error' in outcome)).toEqual([]);
			for (const key of ['a', 'b', 'c'] as const) {
				const accepted = world.accepted[key];
				expect(world.hasWhole(key)).toBe(true);
				if (!world.doubtful.has(key)) expect([['template'], partsOf(key)]).toContainEqual(accepted);
				if (new Set(accepted).size < accepted.length) seen.twice++;
			}
			seen.died += lives.filter(({ dies }) => dies).length;
		}),
		{ numRuns: RUNS },
	);
	for (const count of Object.values(seen)) expect(count).toBeGreaterThan(RUNS / 20);
}, 120_000);
