import {
	computeSignature,
	IDEMPOTENCY_HEADER,
	SIGNATURE_HEADER,
	signatureHeader,
} from '#nodes/service/signature.ts';
import { requestBytes, type HeaderLines } from './rawHttp.mts';

/** Everything that a sender could know. Each case's attacker uses a part of it. */
export interface Target {
	url: URL;
	/** The active signing secret. */
	secret: string;
	/**
	 * The token that the service sends along. Every request has the right one, unless the case
	 * changes it.
	 */
	token: string;
	/** An earlier delivery that the workflow received: its body, and the headers that proved it. */
	genuine: { body: Buffer; signature: string; key: string };
	/** A number that no other case has. */
	number: number;
}

export type Status = number | 'none';

export const now = (): number => Math.floor(Date.now() / 1000);
export const keyOf = ({ number }: Target): string => `hostile:0:${number}`;

/** An event that starts the workflow, each time: nothing says that a customer wrote it. */
export const EVENT = Buffer.from(
	JSON.stringify({
		message: {
			_id: '0123456789ABCDEF0123456789ABCDEF',
			channel_id: '0123456789ABCDEF0123456789ABCDEF',
			metadata: { moment: 1_779_980_473_342 },
			sender: { identifier: '5511900000900', name: 'Customer' },
			contents: [{ type: 'TEXT', message: 'Hostile' }],
			attachments: [],
		},
		messageEventType: 'NEW_MESSAGE',
	}),
);

/** The whole header of the five-field scheme, for this body. */
export function signed(target: Target, { body = EVENT }: { body?: Buffer } = {}): string {
	const timestamp = String(now());
	const parts = { timestamp, idempotencyKey: keyOf(target), body };
	return signatureHeader(timestamp, computeSignature(target.secret, 'fiveField', parts) ?? '');
}

/** Null leaves a header out; a list sends it several times. */
export type Headers = Record<string, string | readonly string[] | null>;

export interface Sent {
	method?: string;
	target?: string;
	version?: string;
	body?: Buffer;
	headers?: Headers;
}

/** A request that is right except for what the case changes. */
export function delivery(
	target: Target,
	{ body = EVENT, headers = {}, ...parts }: Sent = {},
): Buffer {
	const all: Headers = {
		host: target.url.host,
		connection: 'close',
		'content-type': 'application/json',
		'content-length': String(body.length),
		authorization: `Bearer ${target.token}`,
		[IDEMPOTENCY_HEADER]: keyOf(target),
		[SIGNATURE_HEADER]: signed(target, { body }),
		...headers,
	};
	const lines: HeaderLines = Object.entries(all).flatMap(([name, value]) =>
		value === null ? [] : [value].flat().map((single) => [name, single] as const),
	);
	return requestBytes({ target: target.url.pathname, ...parts, headers: lines, body });
}

/** A request with another signature header. */
export const withSignature = (
	target: Target,
	signature: string | readonly string[] | null,
	more: Sent = {},
): Buffer =>
	delivery(target, { ...more, headers: { ...more.headers, [SIGNATURE_HEADER]: signature } });

/** A request without any proof. */
export const unproven = (target: Target, more: Sent = {}): Buffer =>
	delivery(target, {
		...more,
		headers: { [SIGNATURE_HEADER]: null, authorization: null, ...more.headers },
	});
