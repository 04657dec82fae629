import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

import { computeSignature } from '../../sandbox/contract.mts';

interface Taken {
	signature: string;
	key: string;
	gzip: boolean;
	wire: Buffer;
}

/** Takes whatever is posted, responds 200 at once, and looks at it only when asked. */
export class Sink {
	readonly taken: Taken[] = [];
	readonly #server;
	#wanted = Infinity;
	#enough: () => void = () => undefined;

	constructor() {
		this.#server = createServer((request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const {
					'x-webhook-signature': signature,
					'x-idempotency-key': key,
					'content-encoding': encoding,
				} = request.headers;
				this.taken.push({
					signature: String(signature),
					key: String(key),
					gzip: encoding === 'gzip',
					wire: Buffer.concat(chunks),
				});
				response.writeHead(200).end();
				if (this.taken.length === this.#wanted) this.#enough();
			});
		});
	}

	async listen(): Promise<string> {
		await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
	}

	/**
	 * Empties it, does `begin`, and gives how many a second came, from the first to the last of
	 * `count`.
	 */
	async rateOf(count: number, begin: () => Promise<unknown>): Promise<number> {
		this.taken.length = 0;
		const first = this.#came(1);
		const begun = begin();
		await first;
		const began = performance.now();
		await this.#came(count);
		const perSecond = ((count - 1) / (performance.now() - began)) * 1000;
		await begun;
		return perSecond;
	}

	/** Empties it, calls `begin`, and waits for this many requests. */
	async untilTaken(count: number, begin: () => Promise<unknown>): Promise<void> {
		this.taken.length = 0;
		await Promise.all([this.#came(count), begin()]);
	}

	async #came(count: number): Promise<void> {
		if (this.taken.length >= count) return;
		this.#wanted = count;
		await new Promise<void>((resolve) => (this.#enough = resolve));
	}

	/**
	 * Fails unless `count` different deliveries were taken, each signed with the secret. Gives how
	 * many were gzipped.
	 */
	check(count: number, secret: string): number {
		const keys = new Set(this.taken.map(({ key }) => key)).size;
		const genuine = this.taken.filter(({ signature, key, gzip, wire }) => {
			const timestamp = /^t=(\d+)/.exec(signature)?.[1] ?? '';
			const parts = { timestamp, idempotencyKey: key, body: gzip ? gunzipSync(wire) : wire };
			return signature === `t=${timestamp},v1=${computeSignature(secret, 'fiveField', parts)}`;
		}).length;
		if (keys !== count || genuine !== count)
			throw new Error(`${count} deliveries gave ${keys} keys and ${genuine} good signatures`);
		return this.taken.filter(({ gzip }) => gzip).length;
	}

	close(): void {
		this.#server.close();
		this.#server.closeAllConnections();
	}
}
