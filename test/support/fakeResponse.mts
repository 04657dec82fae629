import { EventEmitter } from 'node:events';

import type { EndingResponse } from '#nodes/delivery/respond.ts';

/** An Express response. No event tells what happens to it after its connection ended. */
export class FakeResponse extends EventEmitter implements EndingResponse {
	statusCode = 200;
	writableEnded = false;
	writableFinished = false;
	destroyed = false;
	readonly headers: Record<string, string> = {};
	body: unknown;

	get headersSent(): boolean {
		return this.writableEnded;
	}

	setHeader(name: string, value: string): void {
		this.headers[name.toLowerCase()] = value;
	}

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body: unknown): void {
		this.send(body);
	}

	send(body: unknown): void {
		this.body = body;
		this.end(this.statusCode);
	}

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
