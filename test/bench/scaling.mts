/**
 * How time and memory grow: with items, with recipients, with webhooks. A slope is that of the last
 * decade, for what comes before is mostly what every size costs.
 */
import { build } from '../../scripts/build.mts';
import { resultOf, startScript } from './children.mts';
import { atMost, type Bound } from './report.mts';
import type { WebhookFigures } from './scalingWebhooks.mts';
import { medianOf, slopeOf } from './statistics.mts';

const ITEMS = [10_000, 100_000];
/** Sent to each number of recipients. */
const TEXTS = 10_000;
const RECIPIENTS = [1_000, 10_000];
const WEBHOOKS = [10, 30, 100];
/** Number of runs for a median. The longest ones run once. */
const RUNS = 3;
const LONG = 100_000;
/**
 * Linear is 1. What is over it is the room for the scatter of a single decade: a quarter more time
 * than linear.
 */
const SLOPE_MAX = 1.1;

/** Measures each size, and bounds the slope of each figure. */
async function growthOf<Figure extends string>(
	title: string,
	sizes: readonly number[],
	names: Record<Figure, string>,
	measure: (size: number) => Promise<Record<Figure, number>>,
): Promise<Bound[]> {
	const measured: Array<{ x: number; of: Record<Figure, number> }> = [];
	for (const x of sizes) measured.push({ x, of: await measure(x) });
	return (Object.entries(names) as Array<[Figure, string]>).map(([figure, name]) => {
		const slope = slopeOf(measured.map(({ x, of }) => ({ x, y: of[figure] })));
		return atMost(`${title}: ${name}`, slope, SLOPE_MAX);
	});
}

const run = async <T,>(script: string, ...parameters: Array<string | number>): Promise<T> =>
	await resultOf<T>(
		startScript(`test/bench/${script}`, parameters.map(String), { flags: ['--expose-gc'] }),
	);

/** Seconds, and bytes of the heap beside the input. */
async function measureSend(items: number, recipients: number) {
	const seconds: number[] = [];
	for (let time = 0; time < (items < LONG ? RUNS : 1); time += 1)
		seconds.push(await run<number>('scalingSend.mts', 'time', items, recipients));
	return {
		seconds: medianOf(seconds),
		heap: await run<number>('scalingSend.mts', 'memory', items, recipients),
	};
}
const SENDING = { seconds: 'Time', heap: 'Heap beside the input' };

export async function benchScaling(): Promise<Bound[]> {
	await build();
	return [
		...(await growthOf('Texts', ITEMS, SENDING, (size) => measureSend(size, Math.ceil(size / 5)))),
		...(await growthOf('Recipients', RECIPIENTS, SENDING, (size) => measureSend(TEXTS, size))),
		...(await growthOf(
			'Webhooks on a channel',
			WEBHOOKS,
			{
				registration: 'Registering one more',
				fanOut: 'A message to all',
				heap: 'Heap of triggers and sandbox',
			},
			async (size) => await run<WebhookFigures>('scalingWebhooks.mts', size),
		)),
	];
}
