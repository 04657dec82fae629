import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';

import { DEMO_SECRET_KEY } from '#sandbox/seed.mts';

/**
 * An address of this machine that another machine would call. Undefined if there is only the
 * loopback.
 */
export const OUTER = Object.values(networkInterfaces())
	.flat()
	.find((entry) => entry?.family === 'IPv4' && !entry.internal)?.address;

export interface RawCall {
	/** The target in the request line. */
	target: string;
	host: string;
	/** Secret key. By default the demo tenant's published one. */
	key?: string | null | undefined;
	method?: string;
	headers?: Record<string, string>;
	body?: string;
	/** Where to connect to. */
	address: string;
	port: string;
}

/**
 * A call written byte by byte, with the demo tenant's key, as a browser or the owner of a rebound
 * name can send it.
 *
 * @returns the response's status and raw headers
 */
export function rawCall({
	target,
	host,
	key = DEMO_SECRET_KEY,
	method = 'GET',
	headers = {},
	body,
	address,
	port,
}: RawCall): Promise<{ status: number; headers: string }> {
	const lines = Object.entries({
		host,
		authorization: `Bearer ${key}`,
		...(body === undefined
			? {}
			: { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
		...headers,
	}).map(([name, value]) => `${name}: ${value}\r\n`);
	return new Promise((resolve, reject) => {
		const socket = connect({ host: address, port: Number(port) });
		let received = '';
		socket.on('data', (chunk) => {
			received += chunk.toString();
			const [head, code] = /^HTTP\/1\.1 (\d{3})[^]*?\r\n\r\n/.exec(received) ?? [];
			if (head === undefined) return;
			socket.destroy();
			resolve({ status: Number(code), headers: head });
		});
		socket.on('error', reject);
		socket.on('close', () => reject(new Error(`no response to ${method} ${target}: ${received}`)));
		socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`);
	});
}
