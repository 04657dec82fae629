import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';

import { DEMO_SECRET_KEY } from '../../sandbox/seed.mts';

/** An address of this machine that is not its loopback: what another machine would call. Undefined where the machine has none. */
export const OUTER = Object.values(networkInterfaces())
	.flat()
	.find((entry) => entry?.family === 'IPv4' && !entry.internal)?.address;

export interface RawCall {
	/** What stands in the request line. */
	target: string;
	host: string;
	method?: string;
	headers?: Record<string, string>;
	body?: string;
	/** Where to connect to. */
	address: string;
	port: string;
}

/**
 * A call written byte by byte, with the demo tenant's key: what a browser, or whoever stands behind a rebound name, can send.
 *
 * @returns the response's status, and its headers as they came
 */
export function rawCall({
	target,
	host,
	method = 'GET',
	headers = {},
	body,
	address,
	port,
}: RawCall): Promise<{ status: number; headers: string }> {
	const lines = Object.entries({
		host,
		authorization: `Bearer ${DEMO_SECRET_KEY}`,
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
