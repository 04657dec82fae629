import { createHash } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';

import { SIGNATURE_HEADER } from '#nodes/service/signature.ts';
import { chunked, type Pace } from './rawHttp.mts';
import { delivery, EVENT, type Headers, keyOf, now, type Sent, signed } from './request.mts';
import { type Status, type Target, unproven, withSignature } from './request.mts';

/** What is sent, the status of n8n's response, and how fast it is sent. */
export type HostileCase = [
	input: string,
	status: Status | { current: Status; oldest: Status },
	bytes: (target: Target) => Buffer,
	pace?: Pace,
];

const TOKEN = 'authorization';
const KEY = 'x-idempotency-key';

/** A right request, except for these headers. */
const headed = (headersOf: (target: Target) => Headers) => (target: Target) =>
	delivery(target, { headers: headersOf(target) });
/** An earlier delivery, except for these parts. */
const replayed =
	(changesOf: (target: Target) => { body?: Buffer; key?: string; signature?: string }) =>
	(target: Target) => {
		const { body, key, signature } = { ...target.genuine, ...changesOf(target) };
		return delivery(target, { body, headers: { [KEY]: key, [SIGNATURE_HEADER]: signature } });
	};
const queried = (target: Target, query: string) => `${target.url.pathname}?${query}`;

/**
 * What n8n does with headers and query strings on their way. The unit tests of `verify` have all
 * forms of a wrong proof.
 */
export const PROOFS: HostileCase[] = [
	['No signature, no token', 401, (target) => unproven(target)],
	['The right token, no signature', 401, (target) => withSignature(target, null)],
	['An empty signature header', 401, (target) => withSignature(target, '')],
	[
		'The signature header twice, both right',
		401,
		(target) => withSignature(target, [signed(target), signed(target)]),
	],
	[
		'A signature of digits that are not ASCII',
		401,
		(target) => withSignature(target, `t=${now()},v1=${'\u00b2'.repeat(64)}`),
	],
	[
		'The right signature in the query string',
		401,
		(target) =>
			withSignature(target, null, {
				target: queried(target, `${SIGNATURE_HEADER}=${signed(target)}`),
			}),
	],
	['No idempotency key', 401, headed(() => ({ [KEY]: null }))],
	[
		'The idempotency key twice',
		401,
		headed((target) => ({ [KEY]: [keyOf(target), keyOf(target)] })),
	],
	['A right signature, no token', 401, headed(() => ({ [TOKEN]: null }))],
	[
		'A right signature, the token twice',
		401,
		headed(({ token }) => ({ [TOKEN]: [`Bearer ${token}`, `Bearer ${token}`] })),
	],
	[
		'A right signature, the stored hash of the token as the token',
		401,
		headed(({ token }) => ({
			[TOKEN]: `Bearer ${createHash('sha256').update(token).digest('hex')}`,
		})),
	],
	[
		'A right signature, the token in the query string',
		401,
		(target) =>
			delivery(target, {
				target: queried(target, `authorization=Bearer%20${target.token}`),
				headers: { [TOKEN]: null },
			}),
	],
	['A received delivery, with another body', 401, replayed(() => ({ body: EVENT }))],
	['A received delivery, with another key', 401, replayed((target) => ({ key: keyOf(target) }))],
	['A received delivery, exactly as it was (a redelivery)', 200, replayed(() => ({}))],
];

const text = (body: string): Buffer => Buffer.from(body);
const nested = (depth: number) => text(`{"message":${'['.repeat(depth)}${']'.repeat(depth)}}`);
const json = (body: Buffer) => (target: Target) => delivery(target, { body });
const typed = (type: string | readonly string[] | null, body: Buffer, more: Headers = {}) => {
	return (target: Target) => delivery(target, { body, headers: { 'content-type': type, ...more } });
};
const nothingProven = (sent: Sent) => (target: Target) => unproven(target, sent);
/** A body that is signed as it is, before it is encoded for transport. */
const encoded =
	(encoding: string, travelling: Buffer, body: Buffer = EVENT) =>
	(target: Target) =>
		withSignature(target, signed(target, { body }), {
			body: travelling,
			headers: { 'content-encoding': encoding },
		});

const MULTIPART = text(
	'--b\r\ncontent-disposition: form-data; name="data"\r\n\r\n{"message":{}}\r\n--b--\r\n',
);
const BOMB = Buffer.alloc(20 * 1024 * 1024);
const BILLION_LAUGHS = text('<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>');
const POLLUTION = text(
	'{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"message":{"__proto__":{"polluted":true}}}',
);
/** Above n8n's N8N_PAYLOAD_SIZE_MAX, 16 MB by default. */
const TOO_LARGE = Buffer.alloc(17 * 1024 * 1024, ' ');

/** Bodies that do not fit. Signed with the right secret, unless the case has no proof. */
export const BODIES: HostileCase[] = [
	['An empty body, unproven', 401, nothingProven({ body: Buffer.alloc(0) })],
	['Malformed JSON, unproven', 422, nothingProven({ body: text('{"message":') })],
	['Malformed JSON, signed', 422, json(text('{"message":'))],
	['Keys that would change object prototypes, unproven', 401, nothingProven({ body: POLLUTION })],
	['Invalid UTF-8 in the place of JSON, signed', 422, json(Buffer.from([0xff, 0xfe, 0x00, 0x80]))],
	[
		'JSON in UTF-16 that says so, signed',
		422,
		typed('application/json; charset=utf-16be', Buffer.from(EVENT.toString(), 'utf16le').swap16()),
	],
	['A character set that there is not', 422, typed('application/json; charset=nothing', EVENT)],
	['Arrays 101 deep, signed', 422, json(nested(100))],
	['Arrays 200,000 deep, signed', 422, json(nested(200_000))],
	['Arrays 200,000 deep, unproven', 401, nothingProven({ body: nested(200_000) })],
	['A body of 17 MB, signed', 500, json(TOO_LARGE)],
	['gzip that is none, signed', 500, encoded('gzip', EVENT)],
	['gzip that ends too early, signed', 500, encoded('gzip', gzipSync(EVENT).subarray(0, -12))],
	[
		'gzip, signed over the compressed bytes',
		401,
		encoded('gzip', gzipSync(EVENT), gzipSync(EVENT)),
	],
	['gzip twice', 422, encoded('gzip', gzipSync(gzipSync(EVENT)))],
	['20 MB compressed to 20 KB (a gzip bomb)', 500, encoded('gzip', gzipSync(BOMB))],
	['20 MB compressed to 20 KB with deflate', 500, encoded('deflate', deflateSync(BOMB))],
	[
		'An encoding that n8n does not know, another body signed',
		401,
		encoded('br', EVENT, text('{}')),
	],
	['Multipart, signed', 422, typed('multipart/form-data; boundary=b', MULTIPART)],
	[
		'Multipart without a boundary, signed',
		{ current: 400, oldest: 422 },
		typed('multipart/form-data', MULTIPART),
	],
	[
		'XML with nested entities, unproven',
		422,
		nothingProven({ body: BILLION_LAUGHS, headers: { 'content-type': 'application/xml' } }),
	],
	['No content type, unproven', 401, nothingProven({ headers: { 'content-type': null } })],
	['gzip that is none, without a type', 422, typed(null, EVENT, { 'content-encoding': 'gzip' })],
	['A body of 17 MB without a content type, signed', 422, typed(null, TOO_LARGE)],
];

const at = (change: (path: string) => string) => (target: Target) =>
	delivery(target, { target: change(target.url.pathname) });
/** Another node's part of the URL. */
const ANOTHER = '00000000-0000-4000-8000-000000000000';
const EVIL = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };

/** The event, signed, with other framing of its body. */
const inChunks = (body: Buffer) => (target: Target) =>
	delivery(target, {
		body,
		headers: {
			...{ 'content-length': null, 'transfer-encoding': 'chunked' },
			[SIGNATURE_HEADER]: signed(target),
		},
	});

/** Requests with strange HTTP. Signed with the right secret, unless the case has no proof. */
export const HTTP: HostileCase[] = [
	['The method GET', 404, (target) => delivery(target, { method: 'GET' })],
	['The method OPTIONS', 204, (target) => delivery(target, { method: 'OPTIONS' })],
	['The URL of another node', 404, at((path) => path.replace(/[0-9a-f-]{36}/, ANOTHER))],
	['The URL of no test', 404, at((path) => path.replace('/webhook/', '/webhook-test/'))],
	['The URL of a waiting one', 500, at((path) => path.replace('/webhook/', '/webhook-waiting/'))],
	['The URL with more behind it', 404, at((path) => `${path}/more`)],
	['A URL that is not encoded rightly (`%zz`)', 400, at((path) => `${path}%zz`)],
	[
		'The URL with a slash at its end, unproven',
		401,
		(target) => unproven(target, { target: `${target.url.pathname}/` }),
	],
	['The host of somebody else, unproven', 401, nothingProven({ headers: EVIL })],
	['A header of 20 KB', 431, headed(() => ({ 'x-padding': 'x'.repeat(20 * 1024) }))],
	[
		'3,000 headers before the signature',
		431,
		headed((target) => ({
			'x-padding': Array<string>(3000).fill('x'),
			[SIGNATURE_HEADER]: signed(target),
		})),
	],
	['A content length that is too short', 400, headed(() => ({ 'content-length': '20' }))],
	['Both a content length and chunks', 400, headed(() => ({ 'transfer-encoding': 'chunked' }))],
	['A body that is cut off', 400, (target) => delivery(target).subarray(0, -20), 'cut'],
	['Chunks that are cut off', 400, inChunks(chunked(EVENT).subarray(0, -20)), 'cut'],
	['A reset within the body', 'none', (target) => delivery(target).subarray(0, -20), 'reset'],
	['A body that comes byte by byte, unproven', 401, nothingProven({}), 'slow'],
];

/**
 * Strange requests with the right proof. They start the workflow, because it gets whatever the
 * service signed, and do no harm.
 */
export const STRANGE_BUT_PROVEN: HostileCase[] = [
	['Keys that would change object prototypes', 200, json(POLLUTION)],
	['An empty body', 200, json(Buffer.alloc(0))],
	['`null`', 200, json(text('null'))],
	['A number', 200, json(text('1e400'))],
	['Arrays 98 deep', 200, json(nested(98))],
	['An array of 1,000 events', 200, json(text(`[${Array<string>(1000).fill('{}').join()}]`))],
	['A NUL and half a surrogate pair in a text', 200, json(text('{"text":"\\u0000 \\ud800"}'))],
	[
		'A text with invalid UTF-8',
		200,
		json(Buffer.concat([text('{"text":"'), Buffer.from([0xc3, 0x28]), text('"}')])),
	],
	['Text that is not JSON', 200, typed('text/plain', text('Hello'))],
	['Malformed XML', 200, typed('application/xml', text('<a><b></a>'))],
	['The event as a form', 200, typed('application/x-www-form-urlencoded', EVENT)],
	['The event without a content type', 200, typed(null, EVENT)],
	['The event with two content types', 200, typed(['application/json', 'text/plain'], EVENT)],
	['The event compressed', 200, encoded('gzip', gzipSync(EVENT))],
	['The event in chunks of 7 bytes', 200, inChunks(chunked(EVENT))],
	['The event byte by byte', 200, (target) => delivery(target), 'slow'],
	['The host of somebody else', 200, headed(() => EVIL)],
	['A query string', 200, at((path) => `${path}?__proto__[polluted]=1&a=b`)],
];
