import { DELIVERY_SCHEDULE, DELIVERY_TIMEOUT, IDEMPOTENCY_HEADER } from '../contract.mts';
import type { FactId } from '../facts/catalogue.mts';
import {
	type Deliveries,
	eventIn,
	FOLLOWED,
	headerOf,
	of,
	RETRY_AFTER,
	signedAt,
} from './deliveries.mts';
import type { Delivered } from './receiver.mts';
import type { Run } from './runContext.mts';

/** Waits for redeliveries, and until the service gives up a response. */
export async function judgeRedeliveries(run: Run, deliveries: Deliveries): Promise<void> {
	const { findings, stop, wait } = run;
	const { received, hits } = deliveries.receiver;
	const again = (name: string) => {
		const [first] = of(deliveries, name);
		const id = first && eventIn(first)?.message._id;
		const second = received.find(
			(other) => other !== first && other.name === name && eventIn(other)?.message._id === id,
		);
		return { first, second };
	};
	const isFollowed = () => hits.has(FOLLOWED);
	const [slow] = of(deliveries, 'slow');
	await stop.until(() => {
		const isRetried = again('basic').second && again('custom').second;
		const isRedirected = again('api-key').second ?? (isFollowed() || undefined);
		return isRetried && isRedirected && slow?.gaveUpAfter !== undefined ? true : undefined;
	}, wait);
	const basic = again('basic');
	const firstRetry = judgeFirstRetry(run, basic);
	judgeSecond(run, basic);
	if (slow?.gaveUpAfter !== undefined) {
		const seconds = rounded(slow.gaveUpAfter / 1000);
		const expected = DELIVERY_TIMEOUT / 1000;
		findings.record('delivery.timeout', Math.abs(seconds - expected) <= 3, { seconds });
	} else recordUnfinished(run, 'delivery.timeout', DELIVERY_TIMEOUT / 1000, slow);
	const redirected = again('api-key');
	if (isFollowed()) findings.record('delivery.redirect', false, { word: 'followed' });
	else if (redirected.second) findings.record('delivery.redirect', true);
	else if (firstRetry === undefined || !redirected.first)
		findings.skip('delivery.redirect', 'no redelivery came in the time given');
	else findings.record('delivery.redirect', false, { word: 'success' });
	const custom = again('custom');
	const seconds = custom.first && custom.second && secondsBetween(custom.first, custom.second);
	if (seconds === undefined || firstRetry === undefined || firstRetry >= RETRY_AFTER)
		findings.skip('delivery.retry-after', 'redeliveries take longer than it asks');
	else findings.record('delivery.retry-after', seconds >= RETRY_AFTER - 0.5, { seconds });
}

interface Pair {
	first: Delivered | undefined;
	second: Delivered | undefined;
}

const rounded = (seconds: number): number => Math.min(86_400, Math.round(seconds * 10) / 10);
const secondsBetween = (first: Delivered, second: Delivered): number =>
	rounded((second.at - first.at) / 1000);

/** @returns the seconds of the first wait; undefined: none came */
function judgeFirstRetry(run: Run, { first, second }: Pair): number | undefined {
	const expected = DELIVERY_SCHEDULE[1];
	if (!first || !second) {
		recordUnfinished(run, 'delivery.first-retry', expected, first);
		return undefined;
	}
	const seconds = secondsBetween(first, second);
	const isExpected = seconds >= expected * 0.8 && seconds <= expected * 1.2 + 2;
	run.findings.record('delivery.first-retry', isExpected, { seconds });
	return seconds;
}

/** Something had not happened when the time was over. */
function recordUnfinished(
	{ findings }: Run,
	id: FactId,
	expected: number,
	first: Delivered | undefined,
): void {
	if (!first) return findings.skip(id, 'nothing was delivered there');
	const waited = (Date.now() - first.at) / 1000;
	if (waited < expected * 1.5 + 2) findings.skip(id, 'takes longer than --wait');
	else findings.record(id, false, { seconds: rounded(waited), unfinished: true });
}

function judgeSecond({ findings }: Run, { first, second }: Pair): void {
	if (!first || !second) {
		for (const id of ['delivery.same-key', 'delivery.signed-afresh'] as const)
			findings.skip(id, 'no redelivery came in the time given');
		return;
	}
	const [key, again] = [first, second].map((one) => headerOf(one, IDEMPOTENCY_HEADER));
	findings.record('delivery.same-key', key === again, { word: 'other' });
	const [at = '', later = ''] = [first, second].map(signedAt);
	if (at === '' || later === '' || secondsBetween(first, second) < 1.5)
		return findings.skip('delivery.signed-afresh', 'the signatures have no times to compare');
	findings.record('delivery.signed-afresh', Number(later) > Number(at), { word: 'same' });
}
