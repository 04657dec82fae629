/** Texts to send, and a service to send them to, on a clock that jumps. */
import { Ledger } from '../../../nodes/BusinessMessaging/sending/ledger.ts';
import type { SendJob, SendSettings } from '../../../nodes/BusinessMessaging/sending/sendAll.ts';
import { sendAll as sendItems } from '../../../nodes/BusinessMessaging/sending/sendAll.ts';
import { ServiceError } from '../../../nodes/BusinessMessaging/service/errors.ts';
import type { TextMessage } from '../../../nodes/BusinessMessaging/service/messages.ts';
import type { VirtualClock } from './virtualClock.mts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';

/** Jobs come one by one, as from a node that reads its items while it sends. */
async function* oneByOne(jobs: SendJob[]) {
	for (const job of jobs) yield await Promise.resolve(job);
}

export const sendAll = async (jobs: SendJob[], settings: SendSettings) => await sendItems(oneByOne(jobs), settings);

export const jobsTo = (recipients: string[]): SendJob[] => recipients.map((recipient, index) => ({ index, channelId: CHANNEL, recipient, text: `text ${index}` }));

export const failure = (reason: ServiceError['reason'], effect: 'none' | 'unknown', retryAfter?: number) =>
	new ServiceError('send the text', { reason, effect, cause: reason, hint: '', ...(retryAfter === undefined ? {} : { retryAfter }) });

/** A service that notes what arrives and answers by a plan: a latency, and failures to give first. */
export class FakeService {
	readonly arrivals: Array<{ text: string; recipient: string; at: number }> = [];
	readonly accepted: string[] = [];
	inFlight = 0;
	mostInFlight = 0;

	constructor(
		private readonly clock: VirtualClock,
		private readonly latency: (message: TextMessage) => number = () => 0,
		private readonly failures: Map<string, ServiceError[]> = new Map(),
		private readonly signal?: AbortSignal,
	) {}

	readonly send = async (message: TextMessage): Promise<string> => {
		this.arrivals.push({ text: message.text, recipient: message.recipient, at: this.clock.now() });
		this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
		const error = this.failures.get(message.text)?.shift();
		// An answer that is lost is lost after the message was taken.
		if (!error || error.failure.effect === 'unknown') this.accepted.push(message.text);
		await this.clock.sleep(this.latency(message));
		this.inFlight--;
		if (this.signal?.aborted) throw failure('cancelled', 'unknown');
		if (error) throw error;
		return `id of ${message.text}`;
	};
}

export function settingsFor(service: FakeService, clock: VirtualClock, changes: Partial<SendSettings> = {}): SendSettings {
	return { send: service.send, ledger: Ledger.open({}, 0), maxConcurrency: 10, maxPerSecond: 0, stopOnFailure: false, clock, ...changes };
}

/** How many arrivals the fullest half-open window of one second holds. */
export function mostInOneSecond(times: number[]): number {
	const sorted = [...times].sort((left, right) => left - right);
	let most = 0;
	let from = 0;
	sorted.forEach((time, to) => {
		while (time - sorted[from]! >= 1000) from++;
		most = Math.max(most, to - from + 1);
	});
	return most;
}
