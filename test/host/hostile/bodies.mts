import { deflateSync, gzipSync } from 'node:zlib';

import {
	delivery,
	EVENT,
	type HostileCase,
	signed,
	type Target,
	unproven,
	withSignature,
} from './request.mts';

const text = (body: string): Buffer => Buffer.from(body);
const nested = (depth: number): Buffer =>
	text(`{"message":${'['.repeat(depth)}${']'.repeat(depth)}}`);

/** A body that is signed as it is, before it is encoded for transport. */
const encoded = (
	target: Target,
	encoding: string,
	travelling: Buffer,
	body: Buffer = EVENT,
): Buffer =>
	withSignature(target, signed(target, { body }), {
		body: travelling,
		headers: { 'content-encoding': encoding },
	});

const typed =
	(type: string | readonly string[] | null, body: Buffer) =>
	(target: Target): Buffer =>
		delivery(target, { body, headers: { 'content-type': type } });

const MULTIPART = text(
	'--b\r\ncontent-disposition: form-data; name="data"\r\n\r\n{"message":{}}\r\n--b--\r\n',
);
const BOMB_BYTES = 20 * 1024 * 1024;
const BILLION_LAUGHS = text('<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>');
const POLLUTION = text(
	'{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"message":{"__proto__":{"polluted":true}}}',
);
/** The last eight bytes are the checksum and the length. */
const wrongChecksum = (): Buffer => {
	const compressed = gzipSync(EVENT);
	return compressed.fill(0, compressed.length - 8, compressed.length - 4);
};
/** Above n8n's N8N_PAYLOAD_SIZE_MAX, 16 MB by default. */
const TOO_LARGE = Buffer.alloc(17 * 1024 * 1024, ' ');

/** Bodies that do not fit. Signed with the right secret, unless the case has no proof. */
export const BODIES: HostileCase[] = [
	{
		input: 'An empty body, unproven',
		status: 401,
		bytes: (target) => unproven(target, { body: Buffer.alloc(0) }),
	},
	{
		input: 'Malformed JSON, unproven',
		status: 422,
		bytes: (target) => unproven(target, { body: text('{"message":') }),
	},
	{
		input: 'Malformed JSON, signed',
		status: 422,
		bytes: typed('application/json', text('{"message":')),
	},
	{
		input: 'A JSON body that is twice the event, signed',
		status: 422,
		bytes: typed('application/json', Buffer.concat([EVENT, EVENT])),
	},
	{
		input: 'Keys that would change object prototypes, unproven',
		status: 401,
		bytes: (target) => unproven(target, { body: POLLUTION }),
	},
	{
		input: 'Invalid UTF-8 in the place of JSON, signed',
		status: 422,
		bytes: typed('application/json', Buffer.from([0xff, 0xfe, 0x00, 0x80])),
	},
	{ input: 'NUL bytes, signed', status: 422, bytes: typed('application/json', Buffer.alloc(64)) },
	{
		input: 'JSON in UTF-16 that says so, signed',
		status: 422,
		bytes: typed(
			'application/json; charset=utf-16be',
			Buffer.from(EVENT.toString(), 'utf16le').swap16(),
		),
	},
	{
		input: 'A character set that does not exist, signed',
		status: 422,
		bytes: typed('application/json; charset=nothing', EVENT),
	},
	{ input: 'Arrays 101 deep, signed', status: 422, bytes: typed('application/json', nested(100)) },
	{
		input: 'Arrays 200,000 deep, signed',
		status: 422,
		bytes: typed('application/json', nested(200_000)),
	},
	{
		input: 'Arrays 200,000 deep, unproven',
		status: 401,
		bytes: (target) => unproven(target, { body: nested(200_000) }),
	},
	{
		input: 'A body of 17 MB, signed',
		status: 500,
		bytes: (target) => delivery(target, { body: TOO_LARGE }),
	},
	{
		input: 'A body of 1 MB, unproven',
		status: 401,
		bytes: (target) => unproven(target, { body: text(`"${'x'.repeat(1024 * 1024)}"`) }),
	},
	{
		input: 'gzip that is none, signed',
		status: 500,
		bytes: (target) => encoded(target, 'gzip', EVENT),
	},
	{
		input: 'gzip that ends too early, signed',
		status: 500,
		bytes: (target) => encoded(target, 'gzip', gzipSync(EVENT).subarray(0, -12)),
	},
	{
		input: 'gzip with a wrong checksum, signed',
		status: 500,
		bytes: (target) => encoded(target, 'gzip', wrongChecksum()),
	},
	{
		input: 'gzip that says it is not compressed, signed before compression',
		status: 422,
		bytes: (target) => withSignature(target, signed(target), { body: gzipSync(EVENT) }),
	},
	{
		input: 'gzip with the signature over the compressed bytes',
		status: 401,
		bytes: (target) => encoded(target, 'gzip', gzipSync(EVENT), gzipSync(EVENT)),
	},
	{
		input: 'gzip twice',
		status: 422,
		bytes: (target) => encoded(target, 'gzip', gzipSync(gzipSync(EVENT))),
	},
	{
		input: '20 MB compressed to 20 KB (a gzip bomb)',
		status: 500,
		bytes: (target) => encoded(target, 'gzip', gzipSync(Buffer.alloc(BOMB_BYTES))),
	},
	{
		input: '20 MB compressed to 20 KB with deflate',
		status: 500,
		bytes: (target) => encoded(target, 'deflate', deflateSync(Buffer.alloc(BOMB_BYTES))),
	},
	{
		input: 'An encoding that n8n does not know, the event in plain, another body signed',
		status: 401,
		bytes: (target) => encoded(target, 'br', EVENT, text('{}')),
	},
	{
		input: 'Multipart, unproven',
		status: 422,
		bytes: (target) =>
			unproven(target, {
				body: MULTIPART,
				headers: { 'content-type': 'multipart/form-data; boundary=b' },
			}),
	},
	{
		input: 'Multipart, signed',
		status: 422,
		bytes: typed('multipart/form-data; boundary=b', MULTIPART),
	},
	{
		input: 'Multipart without a boundary, signed',
		status: { current: 400, oldest: 422 },
		bytes: typed('multipart/form-data', MULTIPART),
	},
	{
		input: 'A form, unproven',
		status: 401,
		bytes: (target) =>
			unproven(target, {
				body: text('message=Hello'),
				headers: { 'content-type': 'application/x-www-form-urlencoded' },
			}),
	},
	{
		input: 'XML with nested entities, unproven',
		status: 422,
		bytes: (target) =>
			unproven(target, { body: BILLION_LAUGHS, headers: { 'content-type': 'application/xml' } }),
	},
	{
		input: 'No content type, unproven',
		status: 401,
		bytes: (target) => unproven(target, { headers: { 'content-type': null } }),
	},
	{
		input: 'gzip that is none, without a content type, signed',
		status: 422,
		bytes: (target) =>
			delivery(target, {
				body: EVENT,
				headers: { 'content-type': null, 'content-encoding': 'gzip' },
			}),
	},
	{
		input: 'A body of 17 MB without a content type, signed',
		status: 422,
		bytes: (target) => delivery(target, { body: TOO_LARGE, headers: { 'content-type': null } }),
	},
	{
		input: 'A content type that is none, unproven',
		status: 401,
		bytes: (target) => unproven(target, { headers: { 'content-type': ';;;' } }),
	},
];

const started = (
	input: string,
	bytes: HostileCase['bytes'],
	status: HostileCase['status'] = 200,
): HostileCase => ({ input, status, bytes });

/**
 * Strange requests with the right proof. They start the workflow, because it gets whatever the
 * service signed, and do no harm.
 */
export const STRANGE_BUT_PROVEN: HostileCase[] = [
	started('Keys that would change object prototypes', typed('application/json', POLLUTION)),
	started('An empty object', typed('application/json', text('{}'))),
	started('An empty body', typed('application/json', Buffer.alloc(0))),
	started('`null`', typed('application/json', text('null'))),
	started('A number', typed('application/json', text('1e400'))),
	started('Arrays 98 deep', typed('application/json', nested(98))),
	started(
		'An array of 1,000 events',
		typed('application/json', text(`[${Array<string>(1000).fill('{}').join()}]`)),
	),
	started(
		'A NUL and half a surrogate pair in a text',
		typed('application/json', text('{"text":"\\u0000 \\ud800"}')),
	),
	started(
		'A text with invalid UTF-8',
		typed(
			'application/json',
			Buffer.concat([text('{"text":"'), Buffer.from([0xc3, 0x28]), text('"}')]),
		),
	),
	started('Text that is not JSON', typed('text/plain', text('Hello'))),
	started('Malformed XML', typed('application/xml', text('<a><b></a>'))),
	started('The event as a form', typed('application/x-www-form-urlencoded', EVENT)),
	started('The event without a content type', typed(null, EVENT)),
	started('The event as a stream of bytes, compressed', (target) =>
		withSignature(target, signed(target, { body: EVENT }), {
			body: gzipSync(EVENT),
			headers: { 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' },
		}),
	),
	started('The event with two content types', typed(['application/json', 'text/plain'], EVENT)),
	started('The event compressed', (target) => encoded(target, 'gzip', gzipSync(EVENT))),
];
