import { EventEmitter } from 'node:events';

import type { EndingResponse } from '../../nodes/BusinessMessaging/delivery/deduplicate.ts';

/** An HTTP response as Node.js has it: what is made of it after its connection ended, no event tells. */
export class FakeResponse extends EventEmitter implements EndingResponse {
	statusCode = 200;
	writableEnded = false;
	writableFinished = false;
	destroyed = false;

	/** The server answers. */
	end(statusCode: number): void {
		if (this.writableEnded) return;
		this.statusCode = statusCode;
		this.writableEnded = true;
		if (this.destroyed) return;
		this.writableFinished = true;
		this.emit('finish');
	}

	/** The sender goes away, or has its answer. */
	close(): void {
		if (this.destroyed) return;
		this.destroyed = true;
		this.emit('close');
	}
}
