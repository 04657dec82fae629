import { EventEmitter } from 'node:events';

import type { EndingResponse } from '#nodes/delivery/respond.ts';

/** An HTTP response of Node.js. No event tells what happens to it after its connection ended. */
export class FakeResponse extends EventEmitter implements EndingResponse {
	statusCode = 200;
	writableEnded = false;
	writableFinished = false;
	destroyed = false;

	/** The server responds. */
	end(statusCode: number): void {
		if (this.writableEnded) return;
		this.statusCode = statusCode;
		this.writableEnded = true;
		if (this.destroyed) return;
		this.writableFinished = true;
		this.emit('finish');
	}

	/** The sender disconnects, or has its response. */
	close(): void {
		if (this.destroyed) return;
		this.destroyed = true;
		this.emit('close');
	}
}
