import { request } from 'node:http';
import { gzipSync } from 'node:zlib';

import { computeSignature, signatureHeader } from '#nodes/service/signature.ts';
import { CHANNEL } from '../../support/constants.mts';

export interface Delivery {
	body: string | Buffer;
	/** Sent as given, with one line for each entry of a list. */
	headers: Record<string, string | string[]>;
}

export interface DeliveryOptions {
	secret?: string;
	key?: string;
	/** Unix seconds. */
	at?: number;
	headers?: Record<string, string | string[]>;
}

/** A delivery as the service signs it. */
export function signed(
	body: unknown,
	{
		secret = '',
		key = 'messages:0:1',
		at = Math.floor(Date.now() / 1000),
		headers = {},
	}: DeliveryOptions = {},
): Delivery {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const timestamp = String(at);
	const signature = computeSignature(secret, 'fiveField', {
		timestamp,
		idempotencyKey: key,
		body: Buffer.from(text),
	});
	return {
		body: text,
		headers: {
			'content-type': 'application/json',
			'x-idempotency-key': key,
			...(secret && signature
				? { 'x-webhook-signature': signatureHeader(timestamp, signature) }
				: {}),
			...headers,
		},
	};
}

/** The same, with a compressed body. */
export function gzipped({ body, headers }: Delivery): Delivery {
	return { body: gzipSync(body), headers: { ...headers, 'content-encoding': 'gzip' } };
}

/** Sends a delivery with any number of header lines, and reads the response. */
export async function deliver(
	url: string,
	{ body, headers }: Delivery,
): Promise<{ status: number; body: string; headers: NodeJS.Dict<string | string[]> }> {
	return await new Promise((resolve, reject) => {
		const outgoing = request(url, { method: 'POST', headers }, (response) => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			response.on('end', () =>
				resolve({
					status: response.statusCode ?? 0,
					body: Buffer.concat(chunks).toString(),
					headers: response.headers,
				}),
			);
		});
		outgoing.on('error', reject);
		outgoing.end(body);
	});
}

/** When messages of these tests were written: the trigger ignores old ones. */
export const WRITTEN_AT = Date.now();

/** A message in the form of the published example. */
export function messageBody({
	fromMe = false,
	text = 'Hello!',
	id = '019E6F1A93FE78DCB54332F9FF0CCAE7',
	state = 'PENDING',
	type = 'NEW_MESSAGE',
} = {}) {
	return {
		message: {
			_id: id,
			channel_id: CHANNEL,
			created: WRITTEN_AT,
			metadata: { forwarded: false, from_api: fromMe, from_me: fromMe, moment: WRITTEN_AT },
			sender: fromMe
				? { identifier: '551130000000', name: 'Shop' }
				: { identifier: '5511999990000', name: 'Ana' },
			recipient: fromMe
				? { identifier: '5511999990000', name: 'Ana' }
				: { identifier: '551130000000', name: 'Shop' },
			contents: [
				{
					identifier: 'c1',
					message: text,
					type: 'TEXT',
					state_items: [{ moment: 1779980473342, state: { name: state } }],
				},
			],
			attachments: [],
		},
		messageEventType: type,
	};
}

/** The ID of the only message of a delivery, by the delivery's number. */
export const idOf = (delivery: number, place = 0): string =>
	`${delivery}`.padStart(24, '0') + `${place}`.padStart(8, '0');

/** Gives each message of a body an ID of its own, as different messages have. */
export function withIds(body: unknown, delivery: number): unknown {
	const one = (element: unknown, place: number): unknown => {
		if (typeof element !== 'object' || element === null || !('message' in element)) return element;
		return { ...element, message: { ...Object(element.message), _id: idOf(delivery, place) } };
	};
	return Array.isArray(body) ? body.map(one) : one(body, 0);
}
