import { SandboxError, type Wire } from './wire.mts';

/** How often a fault strikes. */
interface Strikes {
	/** Strikes this many times. Left out: until it is cleared. */
	times?: number;
	/** Strikes every n-th time: with 3, the third, the sixth… Left out: every time. */
	every?: number;
}

interface Status {
	kind: 'status';
	/** 400 to 599. */
	status: number;
	/** Seconds, sent as `Retry-After`. */
	retryAfter?: number;
}

/**
 * Faults of requests to the service. `operation`: one from `/openapi.json`, such as `sendMessage`;
 * left out: all.
 */
export type RouteFault = Strikes & { on: 'route'; operation?: string } & (
		| (Status & {
				message?: string;
				/** Form of the body. Left out: that of the route. */
				shape?: 'A' | 'B' | 'C' | 'framework';
				/** Whether the request is carried out first. */
				after?: boolean;
		  })
		| { kind: 'latency'; ms: number }
		| { kind: 'dropBefore' | 'dropAfter' | 'windowClosed' }
		| { kind: 'media'; subCode: string; message?: string }
	);

/** Faults of deliveries to webhooks. `webhookId` left out: all. */
export type WebhookFault = Strikes & { on: 'webhook'; webhookId?: string } & (
		| Status
		| { kind: 'latency'; ms: number }
		| { kind: 'dropBefore' | 'dropAfter' | 'badSignature' }
		| { kind: 'duplicate'; copies?: number }
		| { kind: 'reorder'; withinMs?: number }
		| { kind: 'staleSignature'; seconds?: number }
		| { kind: 'gzip'; mode: 'always' | 'never' }
	);

/** All faults. sandbox/docs/control-api.md of the sandbox's repository describes each kind. */
export type Fault = RouteFault | WebhookFault;

/** A fault that is switched on. */
export interface ActiveFault {
	id: string;
	/** Switches it off. A fault with `times` switches itself off after the last. */
	clear(): Promise<void>;
}

/** Faults of one account, or of all. */
export class Faults {
	readonly #wire: Wire;
	readonly #tenant: string | undefined;

	/** @param tenant whose requests and deliveries fail; undefined: everybody's */
	constructor(wire: Wire, tenant?: string) {
		this.#wire = wire;
		this.#tenant = tenant;
	}

	/** Switches one on. */
	async set(fault: Fault): Promise<ActiveFault> {
		const scope = this.#tenant === undefined ? {} : { tenant: this.#tenant };
		const { id } = await this.#wire.call<{ id: string }>('POST', '/faults', { ...fault, ...scope });
		return { id, clear: () => this.#remove(id) };
	}

	/** Switches off all faults of this account, or all faults. */
	async clear(): Promise<void> {
		if (this.#tenant === undefined) return await this.#wire.call('DELETE', '/faults');
		const { faults } = await this.#wire.call<{
			faults: Array<{ id: string; fault: { tenant?: string } }>;
		}>('GET', '/faults');
		for (const { id, fault } of faults) if (fault.tenant === this.#tenant) await this.#remove(id);
	}

	async #remove(id: string): Promise<void> {
		await this.#wire.call('DELETE', `/faults/${id}`).catch((error: unknown) => {
			if (!(error instanceof SandboxError && error.status === 404)) throw error;
		});
	}
}
