import { DELIVERY_SCHEDULE, DELIVERY_TIMEOUT, IDEMPOTENCY_HEADER } from '../contract.mts';
import { type Deliveries, eventIn, FOLLOWED, headerOf } from './deliveries.mts';
import { of, RETRY_AFTER, signedAt } from './deliveries.mts';
import type { Verdict } from './findings.mts';
import type { Delivered } from './receiver.mts';
import type { Run } from './runContext.mts';

const NONE_CAME = 'no redelivery came in the time given';

const rounded = (seconds: number): number => Math.min(86_400, Math.round(seconds * 10) / 10);

/** A delivery with its redelivery. */
type Pair = [first?: Delivered, second?: Delivered];

/** The seconds between them. Undefined: the second did not come. */
const between = ([first, second]: Pair): number | undefined =>
	first && second && rounded((second.at - first.at) / 1000);

/** Waits for redeliveries, and until the service gives up a response. */
export async function judgeRedeliveries(run: Run, deliveries: Deliveries): Promise<void> {
	const pair = (name: string): Pair => {
		const [first, ...others] = of(deliveries, name);
		const id = first && eventIn(first)?.message._id;
		return [first, others.find((other) => eventIn(other)?.message._id === id)];
	};
	const isFollowed = () => deliveries.hits.has(FOLLOWED);
	const [slow] = of(deliveries, 'slow');
	await run.stop.until(() => {
		const isRetried = pair('basic')[1] && pair('custom')[1];
		const isRedirected = isFollowed() || pair('api-key')[1];
		return (isRetried && isRedirected && slow?.gaveUpAfter !== undefined) || undefined;
	}, run.wait);
	const retried = pair('basic');
	const wait = between(retried);
	const timeout = slow?.gaveUpAfter && rounded(slow.gaveUpAfter / 1000);
	const [expectedTimeout, expectedWait] = [DELIVERY_TIMEOUT / 1000, DELIVERY_SCHEDULE[1]];
	run.findings.note({
		'delivery.timeout':
			timeout === undefined
				? unfinished(expectedTimeout, slow)
				: Math.abs(timeout - expectedTimeout) <= 3 || { seconds: timeout },
		'delivery.first-retry':
			wait === undefined
				? unfinished(expectedWait, retried[0])
				: (wait >= expectedWait * 0.8 && wait <= expectedWait * 1.2 + 2) || { seconds: wait },
		...againVerdicts(retried),
		'delivery.redirect': isFollowed()
			? { word: 'followed' }
			: redirectVerdict(pair('api-key'), wait),
		'delivery.retry-after': retryAfterVerdict(between(pair('custom')), wait),
	});
}

function redirectVerdict([first, second]: Pair, wait: number | undefined): Verdict {
	if (second) return true;
	return wait === undefined || !first ? NONE_CAME : { word: 'success' };
}

function retryAfterVerdict(seconds: number | undefined, wait: number | undefined): Verdict {
	if (seconds === undefined || wait === undefined || wait >= RETRY_AFTER)
		return 'redeliveries take longer than it asks';
	return seconds >= RETRY_AFTER - 0.5 || { seconds };
}

/** Something had not happened when the time was over. */
function unfinished(expected: number, first: Delivered | undefined): Verdict {
	if (!first) return 'nothing was delivered there';
	const waited = (Date.now() - first.at) / 1000;
	if (waited < expected * 1.5 + 2) return 'takes longer than --wait';
	return { seconds: rounded(waited), unfinished: true };
}

/** What a redelivery shows beside the delivery. */
function againVerdicts([first, second]: Pair) {
	if (!first || !second)
		return { 'delivery.same-key': NONE_CAME, 'delivery.signed-afresh': NONE_CAME };
	const isSame = headerOf(first, IDEMPOTENCY_HEADER) === headerOf(second, IDEMPOTENCY_HEADER);
	const [at, later] = [signedAt(first), signedAt(second)];
	const areTimes = at !== undefined && later !== undefined && second.at - first.at >= 1500;
	return {
		'delivery.same-key': isSame || { word: 'other' },
		'delivery.signed-afresh': areTimes
			? Number(later) > Number(at) || { word: 'same' }
			: 'the signatures have no times to compare',
	} as const;
}
