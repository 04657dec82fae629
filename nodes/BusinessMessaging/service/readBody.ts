import { asError } from './errors';

/** What n8n's helper returns with `encoding: 'stream'`. */
export type ByteStream = AsyncIterable<Uint8Array> & { destroy(error?: Error): unknown };

/** Something else than a stream comes from n8n where it imitates a service. */
export const isByteStream = (body: unknown): body is ByteStream =>
	typeof body === 'object' &&
	body !== null &&
	Symbol.asyncIterator in body &&
	'destroy' in body &&
	typeof body.destroy === 'function';

/** A body. Undefined: too large, and the connection is closed. @param signal ends the reading */
export async function readBody(
	body: ByteStream,
	maxBytes: number,
	signal: AbortSignal,
): Promise<Buffer | undefined> {
	const stop = () => body.destroy(asError(signal.reason));
	signal.addEventListener('abort', stop, { once: true });
	try {
		if (signal.aborted) stop();
		const chunks: Uint8Array[] = [];
		let size = 0;
		for await (const chunk of body) {
			size += chunk.length;
			if (size > maxBytes) return undefined;
			chunks.push(chunk);
		}
		return Buffer.concat(chunks, size);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

/** Whether lists and objects are nested deeper. Looks no deeper, to spare the stack. */
export function isDeeperThan(limit: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (limit === 0) return true;
	return Object.values(value).some((inner) => isDeeperThan(limit - 1, inner));
}
