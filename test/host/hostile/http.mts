import { SIGNATURE_HEADER } from '../../../nodes/BusinessMessaging/service/signature.ts';
import { chunked } from './rawHttp.mts';
import { delivery, EVENT, type HostileCase, signed, type Target, unproven } from './request.mts';

const at =
	(change: (path: string) => string) =>
	(target: Target): Buffer =>
		delivery(target, { target: change(target.url.pathname) });
const by =
	(method: string) =>
	(target: Target): Buffer =>
		delivery(target, { method });
const proofOf = (target: Target): string => signed(target);
/** Another node's part of the URL. */
const ANOTHER = '00000000-0000-4000-8000-000000000000';

/** Requests with strange HTTP. Signed with the right secret, unless the case has no proof. */
export const HTTP: HostileCase[] = [
	...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'].map((method): HostileCase => ({
		input: `The method ${method}`,
		status: 404,
		bytes: by(method),
	})),
	{ input: 'The method OPTIONS', status: 204, bytes: by('OPTIONS') },
	{ input: 'The method TRACE', status: 500, bytes: by('TRACE') },
	{ input: 'A method that does not exist', status: 400, bytes: by('EXECUTE') },
	{
		input: 'The method GET that says it means POST',
		status: 404,
		bytes: (target) =>
			delivery(target, { method: 'GET', headers: { 'x-http-method-override': 'POST' } }),
	},
	{
		input: 'The URL of another node',
		status: 404,
		bytes: at((path) => path.replace(/[0-9a-f-]{36}/, ANOTHER)),
	},
	{
		input: 'The URL of a test that nobody started',
		status: 404,
		bytes: at((path) => path.replace('/webhook/', '/webhook-test/')),
	},
	{
		input: 'The URL of a waiting execution',
		status: 500,
		bytes: at((path) => path.replace('/webhook/', '/webhook-waiting/')),
	},
	{ input: 'The URL in upper case', status: 404, bytes: at((path) => path.toUpperCase()) },
	{ input: 'The URL with more behind it', status: 404, bytes: at((path) => `${path}/more`) },
	{
		input: 'The URL with less of it',
		status: 404,
		bytes: at((path) => path.replace(/\/webhook$/, '')),
	},
	{ input: 'The URL with a NUL', status: 404, bytes: at((path) => `${path}%00`) },
	{
		input: 'A URL that leaves the webhooks (`/..%2f`)',
		status: 404,
		bytes: at((path) => path.replace(/[^/]+\/webhook$/, '..%2f..%2frest%2fworkflows')),
	},
	{
		input: 'A URL that is not encoded rightly (`%zz`)',
		status: 400,
		bytes: at((path) => `${path}%zz`),
	},
	{
		input: 'A URL of 10,000 characters',
		status: 404,
		bytes: at((path) => `${path}/${'x'.repeat(10_000)}`),
	},
	{
		input: 'The URL with a slash at its end, unproven',
		status: 401,
		bytes: (target) => unproven(target, { target: `${target.url.pathname}/` }),
	},
	{
		input: 'A query string with the names of proofs, unproven',
		status: 401,
		bytes: (target) =>
			unproven(target, { target: `${target.url.pathname}?authorization=Bearer+${target.token}` }),
	},
	{
		input: 'The host of somebody else, unproven',
		status: 401,
		bytes: (target) =>
			unproven(target, { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } }),
	},
	{
		input: 'An absolute URL of somebody else as the target, unproven',
		status: 401,
		bytes: (target) => unproven(target, { target: `http://evil.example${target.url.pathname}` }),
	},
	{
		input: 'No host',
		status: 400,
		bytes: (target) => delivery(target, { headers: { host: null } }),
	},
	{
		input: 'HTTP/1.0 without a host, unproven',
		status: 401,
		bytes: (target) => unproven(target, { version: 'HTTP/1.0', headers: { host: null } }),
	},
	{
		input: 'A version that does not exist',
		status: 400,
		bytes: (target) => delivery(target, { version: 'HTTP/9.9' }),
	},
	{
		input: 'Something that is not HTTP',
		status: 400,
		bytes: () => Buffer.from('EHLO evil.example\r\n\r\n'),
	},
	{
		input: 'A header of 20 KB',
		status: 431,
		bytes: (target) => delivery(target, { headers: { 'x-padding': 'x'.repeat(20 * 1024) } }),
	},
	{
		input: 'A signature header of 3 KB',
		status: 401,
		bytes: (target) =>
			delivery(target, {
				headers: { [SIGNATURE_HEADER]: `${proofOf(target)}${',a=b'.repeat(750)}` },
			}),
	},
	{
		input: '3,000 headers before the signature',
		status: 431,
		bytes: (target) =>
			delivery(target, {
				headers: {
					'x-padding': Array<string>(3000).fill('x'),
					[SIGNATURE_HEADER]: proofOf(target),
				},
			}),
	},
	{
		input: 'A NUL in a header',
		status: 400,
		bytes: (target) => delivery(target, { headers: { 'x-padding': 'a\0b' } }),
	},
	{
		input: 'A header that begins another line',
		status: 400,
		bytes: (target) => delivery(target, { headers: { 'x-padding': 'a\nb' } }),
	},
	{
		input: 'Two content lengths',
		status: 400,
		bytes: (target) =>
			delivery(target, { headers: { 'content-length': [String(EVENT.length), '0'] } }),
	},
	{
		input: 'A negative content length',
		status: 400,
		bytes: (target) => delivery(target, { headers: { 'content-length': '-1' } }),
	},
	{
		input: 'A content length that is too short',
		status: 400,
		bytes: (target) => delivery(target, { headers: { 'content-length': '20' } }),
	},
	{
		input: 'Both a content length and chunks',
		status: 400,
		bytes: (target) => delivery(target, { headers: { 'transfer-encoding': 'chunked' } }),
	},
	{
		input: 'Chunks of a wrong size',
		status: 400,
		bytes: (target) => inChunks(target, Buffer.from('zz\r\nevent\r\n0\r\n\r\n')),
	},
	{
		input: 'A transfer encoding that does not exist',
		status: 400,
		bytes: (target) => inChunks(target, chunked(EVENT), 'evil'),
	},
	{
		input: 'Chunks, unproven',
		status: 401,
		bytes: (target) =>
			unproven(target, {
				body: chunked(EVENT),
				headers: { 'content-length': null, 'transfer-encoding': 'chunked' },
			}),
	},
	{
		input: 'A body that is cut off',
		status: 400,
		pace: 'cut',
		bytes: (target) => delivery(target).subarray(0, -20),
	},
	{
		input: 'Chunks that are cut off',
		status: 400,
		pace: 'cut',
		bytes: (target) => inChunks(target, chunked(EVENT).subarray(0, -20)),
	},
	{
		input: 'Headers that are cut off',
		status: 400,
		pace: 'cut',
		bytes: (target) => delivery(target).subarray(0, 60),
	},
	{
		input: 'A connection that is reset within the body',
		status: 'none',
		pace: 'reset',
		bytes: (target) => delivery(target).subarray(0, -20),
	},
	{
		input: 'A body that comes byte by byte, unproven',
		status: 401,
		pace: 'slow',
		bytes: (target) => unproven(target),
	},
];

/** The event, signed, with other framing of its body. */
function inChunks(target: Target, body: Buffer, encoding = 'chunked'): Buffer {
	return delivery(target, {
		body,
		headers: {
			'content-length': null,
			'transfer-encoding': encoding,
			[SIGNATURE_HEADER]: signed(target),
		},
	});
}

/** Strange HTTP with a proof. */
export const STRANGE_HTTP_BUT_PROVEN: HostileCase[] = [
	{
		input: 'The event in chunks of 7 bytes',
		status: 200,
		bytes: (target) => inChunks(target, chunked(EVENT)),
	},
	{
		input: 'The event byte by byte',
		status: 200,
		pace: 'slow',
		bytes: (target) => delivery(target),
	},
	{
		input: 'The host of somebody else',
		status: 200,
		bytes: (target) =>
			delivery(target, { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } }),
	},
	{
		input: 'A query string',
		status: 200,
		bytes: at((path) => `${path}?__proto__[polluted]=1&a=b`),
	},
	{
		input: 'A second signature that is wrong, as while secrets are exchanged',
		status: 200,
		bytes: (target) =>
			delivery(target, {
				headers: { [SIGNATURE_HEADER]: `${proofOf(target)},v1=${'0'.repeat(64)}` },
			}),
	},
];
