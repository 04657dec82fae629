import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How the request's bytes are sent: at once; the last ones one by one; with the end of the stream;
 * with a reset of the connection; most of them only if no response comes to the first.
 */
export type Pace = 'whole' | 'slow' | 'cut' | 'reset' | 'paused';

const RESPONSE_LIMIT_MS = 20_000;
const SLOW_BYTES = 20;
const SLOW_STEP_MS = 20;
const FIRST_BYTES = 65_536;
const PAUSE_MS = 1000;

/** Header lines as sent. Names may repeat, and values may be wrong. */
export type HeaderLines = ReadonlyArray<readonly [name: string, value: string]>;

export interface RequestParts {
	method?: string;
	target: string;
	version?: string;
	headers: HeaderLines;
	body?: Buffer;
}

/** A request byte for byte. Adds nothing, so the caller gives `host` and `content-length`. */
export function requestBytes({
	method = 'POST',
	target,
	version = 'HTTP/1.1',
	headers,
	body = Buffer.alloc(0),
}: RequestParts): Buffer {
	const head = [
		`${method} ${target} ${version}`,
		...headers.map(([name, value]) => `${name}: ${value}`),
		'',
		'',
	].join('\r\n');
	return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

/** A body in chunks, for `transfer-encoding: chunked`. */
export function chunked(body: Buffer, chunkBytes = 7): Buffer {
	const chunks: Buffer[] = [];
	for (let at = 0; at < body.length; at += chunkBytes) {
		const chunk = body.subarray(at, at + chunkBytes);
		chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
	}
	return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}

/**
 * Sends bytes over a connection of their own and reads the first response's status.
 * @returns 'none' if the connection ended without a response, as it does when the sender resets it
 */
export async function sendRaw(
	url: URL,
	bytes: Buffer,
	pace: Pace = 'whole',
): Promise<number | 'none'> {
	const socket = connect(Number(url.port), url.hostname);
	const received: Buffer[] = [];
	let isOver = false;
	const over = new Promise<void>((resolve) => {
		const end = () => {
			isOver = true;
			resolve();
		};
		socket.on('data', (chunk) => {
			received.push(chunk);
			// Only the status is wanted. A server may keep the connection open after it.
			if (Buffer.concat(received).includes('\r\n')) end();
		});
		// A server that has responded may reset the connection while a long body is still being sent.
		socket.on('error', end);
		socket.on('close', end);
	});
	try {
		await Promise.race([over, write(socket, bytes, pace, () => isOver)]);
		await Promise.race([over, sleep(RESPONSE_LIMIT_MS, undefined, { ref: false })]);
		if (!isOver) throw new Error(`no response within ${RESPONSE_LIMIT_MS / 1000} s`);
	} finally {
		socket.destroy();
	}
	const status = /^HTTP\/1\.[01] (\d{3})/.exec(Buffer.concat(received).toString('latin1'))?.[1];
	return status === undefined ? 'none' : Number(status);
}

async function write(
	socket: ReturnType<typeof connect>,
	bytes: Buffer,
	pace: Pace,
	isOver: () => boolean,
): Promise<void> {
	if (pace === 'whole') socket.write(bytes);
	else if (pace === 'cut') socket.end(bytes);
	else if (pace === 'reset') socket.write(bytes, () => socket.resetAndDestroy());
	else if (pace === 'paused') {
		socket.write(bytes.subarray(0, FIRST_BYTES));
		await sleep(PAUSE_MS);
		if (!isOver()) socket.write(bytes.subarray(FIRST_BYTES));
	} else {
		socket.setNoDelay(true);
		const rest = bytes.length - SLOW_BYTES;
		socket.write(bytes.subarray(0, rest));
		for (let at = rest; at < bytes.length && !isOver(); at++) {
			await sleep(SLOW_STEP_MS);
			socket.write(bytes.subarray(at, at + 1));
		}
	}
}
