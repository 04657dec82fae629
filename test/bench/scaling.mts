/**
 * How time and memory grow: with items, with recipients, with webhooks, and the slope of each
 * curve.
 */
import { build } from '../../scripts/build.mts';
import { resultOf, startScript } from './children.mts';
import { atMost, type Bound, type Measured } from './report.mts';
import type { SendFigure } from './scalingSend.mts';
import type { WebhookFigures } from './scalingWebhooks.mts';
import { medianOf, slopeOf, table, type Point } from './statistics.mts';

const ITEMS = [100, 1_000, 10_000, 100_000];
/** Sent to each number of recipients. */
const TEXTS = 10_000;
const RECIPIENTS = [1, 10, 100, 1_000, 10_000];
const WEBHOOKS = [1, 3, 10, 30, 100];
/** Number of runs for a median. The longest ones run once. */
const RUNS = 3;
const LONG = 100_000;
/**
 * Linear is 1. What is over it is the room for the scatter of a single decade: a quarter more time
 * than linear.
 */
const SLOPE_MAX = 1.1;

interface Curve {
	name: string;
	/** Such as "s". */
	unit: string;
	points: Point[];
}

interface Growth {
	title: string;
	curves: Curve[];
}

const megabytes = (bytes: number) => bytes / 1e6;

async function sendOnce(
	mode: 'time' | 'memory',
	items: number,
	recipients: number,
): Promise<SendFigure> {
	return await resultOf<SendFigure>(
		startScript('test/bench/scalingSend.mts', [mode, String(items), String(recipients)], {
			flags: ['--expose-gc'],
		}),
	);
}

/** Seconds and megabytes of sending. Each run has a process of its own. */
async function measureSend(items: number, recipients: number) {
	const seconds: number[] = [];
	for (let run = 0; run < (items < LONG ? RUNS : 1); run += 1)
		seconds.push(await sendOnce('time', items, recipients));
	return {
		seconds: medianOf(seconds),
		megabytes: megabytes(await sendOnce('memory', items, recipients)),
	};
}

async function growthOfSend(
	title: string,
	sizes: number[],
	shapeOf: (size: number) => [items: number, recipients: number],
): Promise<Growth> {
	const time: Point[] = [];
	const memory: Point[] = [];
	for (const size of sizes) {
		const measured = await measureSend(...shapeOf(size));
		time.push({ x: size, y: measured.seconds });
		memory.push({ x: size, y: measured.megabytes });
	}
	return {
		title,
		curves: [
			{ name: 'Time', unit: 's', points: time },
			{ name: 'Heap beside the input', unit: 'MB', points: memory },
		],
	};
}

async function growthOfWebhooks(): Promise<Growth> {
	const figures: Array<{ x: number; of: WebhookFigures }> = [];
	for (const x of WEBHOOKS) {
		figures.push({
			x,
			of: await resultOf<WebhookFigures>(
				startScript('test/bench/scalingWebhooks.mts', [String(x)], { flags: ['--expose-gc'] }),
			),
		});
	}
	const points = (pick: (of: WebhookFigures) => number) =>
		figures.map(({ x, of }) => ({ x, y: pick(of) }));
	return {
		title: 'Webhooks on a channel',
		curves: [
			{
				name: 'Registering one more',
				unit: 'ms',
				points: points(({ registration }) => registration * 1000),
			},
			{ name: 'A message to all', unit: 'ms', points: points(({ fanOut }) => fanOut * 1000) },
			{
				name: 'Heap of triggers and sandbox',
				unit: 'MB',
				points: points(({ heap }) => megabytes(heap)),
			},
		],
	};
}

/** The slope over the last decade: what comes before is mostly what every size costs. */
function finalSlope(points: Point[]): number {
	const last = points.at(-1)!.x;
	return slopeOf(points.filter(({ x }) => x >= last / 10));
}

const show = (value: number) => value.toPrecision(3);

function rowsOf({ title, curves }: Growth): string[][] {
	return curves.map(({ name, unit, points }) => [
		title,
		`${name}, ${unit}`,
		points.map(({ x, y }) => `${x.toLocaleString('en')}: ${show(y)}`).join(', '),
		finalSlope(points).toFixed(2),
	]);
}

const boundsOf = ({ title, curves }: Growth): Bound[] =>
	curves.map(({ name, points }) => atMost(`${title}: ${name}`, finalSlope(points), SLOPE_MAX));

export async function benchScaling(): Promise<Measured> {
	await build();
	const growths = [
		await growthOfSend('Texts', ITEMS, (size) => [size, Math.ceil(size / 5)]),
		await growthOfSend('Recipients', RECIPIENTS, (size) => [TEXTS, size]),
		await growthOfWebhooks(),
	];
	return {
		blocks: [
			[
				"Sending: the built node in n8n's execution engine, with expressions for recipient and text, 20 at a time, for a service that accepts at once; so this is the node's and n8n's own time.",
				'Webhooks: so many triggers registered on one channel of a sandbox, each by its own lifecycle methods; then one more, and one message of a customer, until the last of them has received it.',
				`Medians of several runs (one for ${LONG.toLocaleString('en')} texts), each in a process of its own.`,
			].join(' '),
			'The slope is that of the last decade: 1 is linear, less is better.',
			table(['What grows', 'Figure', 'Measured', 'Slope'], growths.flatMap(rowsOf)),
		],
		bounds: growths.flatMap(boundsOf),
	};
}
