/** Customers who write, and strangers who pretend to be the service. */
import type { SandboxControl } from '#scripts/n8n/sandbox.mts';
import { until } from '#scripts/until.mts';
import { type Delivery, deliver, messageBody, signed } from '../core/harness/deliveries.mts';
import { number } from '../host/harness/conversations.mts';
import { type DeliveryRecord, eventIn, eventText, FORGED_TEXT } from './records.mts';

/** Customers that take turns. */
export const CUSTOMERS = 50;
/** Deliveries that may wait at most, so that there is always work and never a mountain of it. */
const WAITING_MAX = 150;
const PAGE = 1000;
const WRITERS = 4;

interface DeliveryPage {
	counts: Record<'PENDING' | 'DELIVERED' | 'FAILED' | 'CANCELLED', number>;
	deliveries: Array<{ id: number; body: string; state: string; attempts: number }>;
}

export class Traffic {
	written = 0;

	constructor(
		private readonly sandbox: SandboxControl,
		private readonly channelId: string,
		private readonly webhookId: string,
		/** That write in turns: fewer write more often. */
		private readonly customers = CUSTOMERS,
	) {}

	/**
	 * Starts writing this many more messages, as fast as they are delivered. `done` rejects when the
	 * writing fails.
	 */
	begin(count: number): { done: Promise<void> } {
		const done = this.write(count);
		// Something else can fail first, and then nobody waits for the writing.
		done.catch(() => undefined);
		return { done };
	}

	/** Writes this many messages more. */
	async write(count: number): Promise<void> {
		const end = this.written + count;
		const writer = async (): Promise<void> => {
			while (this.written < end) {
				const event = this.written++;
				await this.sandbox.customerWrites({
					channelId: this.channelId,
					from: number(event % this.customers),
					name: 'Customer',
					text: eventText(event),
				});
				if (event % 25 === 0)
					await until(
						'deliveries to be made',
						async () => (await this.pending()) < WAITING_MAX,
						600_000,
					);
			}
		};
		await Promise.all(Array.from({ length: WRITERS }, writer));
	}

	async pending(): Promise<number> {
		return (await this.page(1)).counts.PENDING;
	}

	/** Waits until the service has nothing left to deliver. */
	async delivered(limitMs: number): Promise<void> {
		await until(
			'all deliveries to be made',
			async () => (await this.pending()) === 0,
			limitMs,
			500,
		);
	}

	async records(): Promise<DeliveryRecord[]> {
		const records: DeliveryRecord[] = [];
		let before: number | undefined;
		for (;;) {
			const { deliveries } = await this.page(PAGE, before);
			for (const { id, body, state, attempts } of deliveries) {
				before = id;
				const event = eventIn(body);
				if (event === undefined) continue;
				const { message } = JSON.parse(body) as { message: { _id: string } };
				const acknowledged = state === 'DELIVERED';
				records.push({ event, messageId: message._id, acknowledged, attempts });
			}
			if (deliveries.length < PAGE) return records;
		}
	}

	private async page(limit: number, before?: number): Promise<DeliveryPage> {
		return await this.sandbox.get(
			`/_sandbox/deliveries?webhookId=${this.webhookId}&limit=${limit}${before === undefined ? '' : `&before=${before}`}`,
		);
	}
}

/**
 * What is sent to the trigger's address without the service's secret. None of it may start
 * anything.
 */
const FORGERIES: Array<(body: unknown, key: string) => Delivery> = [
	(body, key) => signed(body, { key }),
	(body, key) => signed(body, { key, secret: 'not the secret' }),
	(body, key) => signed(body, { key, headers: { authorization: 'Bearer not-the-token' } }),
	(body, key) => signed(body, { key, secret: 'not the secret', at: 1_700_000_000 }),
	(body, key) => ({
		...signed(body, { key, secret: '0'.repeat(64) }),
		body: JSON.stringify({ ...(body as object), more: true }),
	}),
];

export class Strangers {
	/** Responses by status; 0 where there was none. */
	readonly responses = new Map<number, number>();
	private sent = 0;

	constructor(private readonly url: string) {}

	/** Sends one forgery of each kind. */
	async forge(): Promise<void> {
		for (const make of FORGERIES) {
			const body = messageBody({ text: `${FORGED_TEXT} ${this.sent}` });
			const { status } = await deliver(this.url, make(body, `forged:0:${this.sent++}`)).catch(
				() => ({ status: 0 }),
			);
			this.responses.set(status, (this.responses.get(status) ?? 0) + 1);
		}
	}

	/** Forgeries that had a response as if they were genuine. */
	get believed(): number {
		return [...this.responses].reduce(
			(sum, [status, count]) => (status >= 200 && status < 300 ? sum + count : sum),
			0,
		);
	}

	get refused(): number {
		return this.responses.get(401) ?? 0;
	}
}
