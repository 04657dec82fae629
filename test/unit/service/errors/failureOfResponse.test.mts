import {
	ANIMATED_STICKER_MAX,
	MEDIA_INPUT_MAX,
	MEDIA_MAX,
} from '../../../../nodes/BusinessMessaging/service/contract/media.ts';
import {
	type Failure,
	ServiceError,
} from '../../../../nodes/BusinessMessaging/service/errors/index.ts';
import type { ErrorResponse } from '../../../../nodes/BusinessMessaging/service/errors/failureOfResponse.ts';
import { failureOfResponse } from '../../../../nodes/BusinessMessaging/service/errors/failureOfResponse.ts';

const response = (changes: Partial<ErrorResponse>): ErrorResponse => ({
	method: 'POST',
	path: ['v1', 'channels', 'C', 'webhooks'],
	status: 500,
	serviceMessage: undefined,
	subCode: undefined,
	isSendForm: false,
	excerpt: '',
	retryAfter: undefined,
	...changes,
});
const said = (status: number, serviceMessage: string, more: Partial<ErrorResponse> = {}) =>
	response({ status, serviceMessage, ...more });

test.each<[string, ErrorResponse, Failure['reason'], RegExp, RegExp]>([
	[
		'a wrong key',
		response({ status: 401 }),
		'unauthorized',
		/^the service refused the secret key$/,
		/^Check the Secret Key in the credential.*not the public key\.$/,
	],
	[
		'a missing role',
		said(422, 'Needs the enterprise role'),
		'role_required',
		/lacks the ENTERPRISE role$/,
		/Ask the service to upgrade/,
	],
	[
		'a missing role, in no shape',
		response({ status: 422, excerpt: 'ENTERPRISE role required' }),
		'role_required',
		/ENTERPRISE role$/,
		/upgrade/,
	],
	[
		'words about the role with another status',
		said(400, 'ENTERPRISE role'),
		'invalid_request',
		/^the service did not accept the request \(ENTERPRISE role\)$/,
		/^Check the values/,
	],
	[
		'a closed window',
		said(422, 'Conversation window is closed'),
		'window_closed',
		/^the 24-hour conversation window is closed$/,
		/approved template/,
	],
	[
		'a closed window, in no shape',
		response({ status: 422, excerpt: 'Conversation window is closed' }),
		'rejected',
		/status 422 with "Conv/,
		/^Check the values/,
	],
	[
		'words about a window with another status',
		said(409, 'Conversation window is closed'),
		'rejected',
		/^Conversation window is closed$/,
		/^Check the values/,
	],
	[
		'what is not there',
		said(404, 'Webhook not found'),
		'not_found',
		/^Webhook not found: C$/,
		/^Check the ID of the channel: it must exist/,
	],
	[
		'no such address',
		response({ status: 404 }),
		'unexpected_response',
		/^nothing answers at this address \(status 404 with an empty body\)$/,
		/^Check the Base URL.*without \/v1\.$/,
	],
	[
		'405',
		said(405, 'No'),
		'method_not_allowed',
		/^the service does not offer this operation \(No\)$/,
		/^The service may not support it yet/,
	],
	[
		'501',
		response({ status: 501 }),
		'method_not_allowed',
		/does not offer this operation/,
		/may not support it yet\.$/,
	],
	[
		'429',
		said(429, 'Slow'),
		'rate_limited',
		/^the service asks to slow down$/,
		/^Try again later\..*"Max per Second"\.$/,
	],
	[
		'429 with a time',
		said(429, 'Slow', { retryAfter: 2500 }),
		'rate_limited',
		/slow down$/,
		/"Max per Second"\. It asks to wait for 3 s\.$/,
	],
	[
		'503',
		said(503, 'Maintenance'),
		'service_unavailable',
		/not available at the moment \(Maintenance\)$/,
		/"Retry On Fail" in the node's settings\.$/,
	],
	[
		'503 with a time',
		response({ status: 503, retryAfter: 1000 }),
		'service_unavailable',
		/not available/,
		/It asks to wait for 1 s\.$/,
	],
	[
		'502',
		said(502, 'Broken'),
		'service_error',
		/^the service failed \(Broken\)$/,
		/^The change was not made\. Try again later/,
	],
	[
		'502 to a list',
		said(502, 'Broken', { method: 'GET' }),
		'service_error',
		/^the service failed \(Broken\)$/,
		/^Try again later/,
	],
	[
		'502 to a message',
		said(502, 'Broken', { path: ['v1', 'channels', 'C', 'messages'] }),
		'service_error',
		/^the service failed \(Broken\)$/,
		/^The message may have been sent\. Check/,
	],
	[
		'502 in no shape',
		response({ status: 502, excerpt: 'Bad Gateway' }),
		'service_error',
		/^a server on the way answered with status 502 with "Bad Gateway"$/,
		/^The request may have reached the service\. Check/,
	],
	[
		'504',
		said(504, 'Slow'),
		'service_error',
		/^the service failed \(Slow\)$/,
		/^It may have been done anyway\. Check/,
	],
	[
		'500',
		said(500, 'Oops'),
		'service_error',
		/^the service failed \(Oops\)$/,
		/^Try again later, or turn on "Retry On Fail"/,
	],
	[
		'599 in no shape',
		response({ status: 599 }),
		'service_error',
		/^a server on the way answered with status 599 with an empty body$/,
		/may have reached/,
	],
	[
		'400',
		said(400, 'url is required'),
		'invalid_request',
		/^the service did not accept the request \(url is required\)$/,
		/^Check the values of the node's fields\.$/,
	],
	[
		'403',
		said(403, 'No'),
		'forbidden',
		/^the service forbids it \(No\)$/,
		/^Check what the secret key is allowed to do\. Check the Base URL/,
	],
	[
		'300',
		response({ status: 300 }),
		'redirected',
		/redirect, which is not followed/,
		/^Check the Base URL in the credential\.$/,
	],
	['399', response({ status: 399 }), 'redirected', /redirect/, /Base URL/],
	[
		'another status',
		said(409, 'Exists already'),
		'rejected',
		/^Exists already$/,
		/^Check the values/,
	],
	[
		'another status, in no shape',
		response({ status: 418, excerpt: 'teapot' }),
		'rejected',
		/^the service answered with status 418 with "teapot"$/,
		/^Check the values/,
	],
	['a status that no response has', response({ status: 199 }), 'rejected', /status 199/, /^Check/],
])('says what happened and what to do: %s', (_name, given, reason, cause, hint) => {
	const failure = failureOfResponse(given);
	expect(failure).toMatchObject({
		reason,
		cause: expect.stringMatching(cause),
		hint: expect.stringMatching(hint),
		status: given.status,
	});
});

test("has the service's message and wait only if there are any", () => {
	expect(failureOfResponse(said(429, 'Slow', { retryAfter: 0 }))).toMatchObject({
		serviceMessage: 'Slow',
		retryAfter: 0,
	});
	const failure = failureOfResponse(response({ status: 400 }));
	expect(Object.keys(failure).sort()).toEqual(['cause', 'effect', 'hint', 'reason', 'status']);
});

test('treats a redirect of 301 to 303 after a change as an unknown effect', () => {
	const effectOf = (method: string, status: number) =>
		failureOfResponse(response({ method, status })).effect;
	expect([301, 302, 303].map((status) => effectOf('POST', status))).toEqual([
		'unknown',
		'unknown',
		'unknown',
	]);
	expect([307, 308].map((status) => effectOf('POST', status))).toEqual(['none', 'none']);
	expect([301, 308].map((status) => effectOf('GET', status))).toEqual(['none', 'none']);
});

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';
const WEBHOOK = '019e4c54-b1b3-75a2-8970-b605ca9b0aaa';
const channelPath = ['v1', 'channels', CHANNEL];
const webhookPath = [...channelPath, 'webhooks', WEBHOOK];
const inAccount = 'must exist in the account that the secret key belongs to.';

test.each<[string, string[], string, string]>([
	[
		'Channel not found',
		[...channelPath, 'messages'],
		`Channel not found: ${CHANNEL}`,
		'Check the ID of the channel: it',
	],
	[
		'Instance not found',
		channelPath,
		`Instance not found: ${CHANNEL}`,
		'Check the ID of the channel: it',
	],
	[
		'Channel not found',
		webhookPath,
		`Channel not found: ${CHANNEL}`,
		'Check the ID of the channel: it',
	],
	[
		'Webhook not found',
		webhookPath,
		`Webhook not found: ${WEBHOOK}`,
		'Check the ID of the webhook: it',
	],
	[
		'Webhook not found',
		['v1', 'webhooks', WEBHOOK],
		`Webhook not found: ${WEBHOOK}`,
		'Check the ID of the webhook: it',
	],
	[
		'Not there',
		webhookPath,
		`Not there: channel ${CHANNEL}, webhook ${WEBHOOK}`,
		'Check the IDs of the channel and the webhook: they',
	],
	['Not there', ['v1', 'webhooks'], 'Not there', 'Check the ID: it'],
	[
		'Not there',
		['v1', 'webhooks', WEBHOOK],
		`Not there: ${WEBHOOK}`,
		'Check the ID of the webhook: it',
	],
	[
		'Not there',
		[...channelPath, 'messages', WEBHOOK],
		`Not there: ${CHANNEL}`,
		'Check the ID of the channel: it',
	],
	[
		`Channel ${CHANNEL} not found`,
		channelPath,
		`Channel ${CHANNEL} not found`,
		'Check the ID of the channel: it',
	],
])('names the ID that was not found: %s', (words, path, cause, check) => {
	expect(failureOfResponse(said(404, words, { path }))).toMatchObject({
		reason: 'not_found',
		cause,
		hint: `${check} ${inAccount}`,
		serviceMessage: words,
	});
});

test.each<[string, string | undefined]>([
	['203.0.113.10 not allowed', '203.0.113.10'],
	['ip 203.0.113.10 not allowed', '203.0.113.10'],
	['2001:db8::1 not allowed', '2001:db8::1'],
	['ip not allowed', undefined],
	['IP address not allowed', undefined],
])('quotes the address and says where to add it: %s', (words, address) => {
	const failure = failureOfResponse(said(400, words));
	expect(failure).toMatchObject({ reason: 'address_not_allowed', effect: 'none' });
	expect(failure.cause).toContain(
		`does not allow requests from the address ${address ?? 'of this n8n'}`,
	);
	expect(failure.hint).toMatch(/list of allowed addresses/);
	expect(failure.hint).toMatch(/up to ten minutes/);
	expect(failure.hint).toContain(address ?? 'of this n8n on the internet');
});

test.each(['added not allowed', 'url is not allowed', 'not allowed', 'Type X not allowed', 'ip'])(
	'does not read %s as a refused address',
	(words) => expect(failureOfResponse(said(400, words)).reason).toBe('invalid_request'),
);

test("recognises a refused address or key only in the service's own message", () => {
	for (const excerpt of ['203.0.113.10 not allowed', 'Authorization invalid'])
		expect(failureOfResponse(response({ status: 400, excerpt })).reason).toBe('invalid_request');
	expect(failureOfResponse(said(422, 'ip not allowed')).reason).toBe('rejected');
});

test.each<[string, string]>([
	['Authorization invalid', 'unauthorized'],
	['authorization is invalid', 'unauthorized'],
	['Invalid authorization', 'unauthorized'],
	['Authorization header is required', 'invalid_request'],
])('reads a 400 with %j as %s', (words, reason) =>
	expect(failureOfResponse(said(400, words)).reason).toBe(reason),
);

test.each<[string, string, string[], RegExp]>([
	[
		'the webhooks',
		'GET',
		[...channelPath, 'webhooks'],
		/^Only accounts with the ENTERPRISE role can list, create/,
	],
	[
		'template webhooks',
		'POST',
		['v1', 'webhooks'],
		/^Only accounts with the ENTERPRISE role can list, create/,
	],
	['the channel list', 'GET', ['v1', 'channels'], /"By ID" in the field "Channel"/],
	[
		'a channel to be deleted',
		'DELETE',
		channelPath,
		/delete a channel here\. Do it in the service's dashboard/,
	],
	['a channel to be looked at', 'GET', channelPath, /get or delete a channel here/],
	['another list', 'GET', ['v1', 'others'], /^Only accounts with the ENTERPRISE role can do this/],
	[
		'another thing to be looked at',
		'GET',
		['v1', 'others', 'O'],
		/^Only accounts with the ENTERPRISE role can do this/,
	],
	[
		'a channel to be made',
		'POST',
		['v1', 'channels'],
		/^Only accounts with the ENTERPRISE role can do this/,
	],
	// The published rule is that disconnecting needs no role. A service can still refuse it.
	[
		'a channel to be disconnected',
		'PUT',
		[...channelPath, 'disconnect'],
		/^Only accounts with the ENTERPRISE role can do this/,
	],
	[
		'a message',
		'POST',
		[...channelPath, 'messages'],
		/^Only accounts with the ENTERPRISE role can do this/,
	],
])('says what to do without the role: %s', (_name, method, path, hint) => {
	const failure = failureOfResponse(
		said(422, 'Channel listing requires ENTERPRISE role', { method, path }),
	);
	expect(failure.reason).toBe('role_required');
	expect(failure.hint).toMatch(hint);
	expect(failure.hint).toMatch(/Ask the service to upgrade the account\.$/);
});

const MB = 1024 * 1024;
const tooLarge = [
	`images up to ${MEDIA_MAX.IMAGE / MB} MB`,
	`audio and video up to ${MEDIA_MAX.AUDIO / MB} MB`,
	`static stickers up to ${MEDIA_MAX.STICKER / 1024} KB`,
	`animated ones up to ${ANIMATED_STICKER_MAX / 1024} KB`,
	`${MEDIA_INPUT_MAX / MB} MB`,
];
test.each<[string, string[]]>([
	['MEDIA_URL_REQUIRED', ['address of the file']],
	['MEDIA_INVALID_URL', ['https://', 'public']],
	['MEDIA_INVALID_DATA_URL', ['data:image/png;base64,']],
	['MEDIA_MIME_NOT_ALLOWED', ['type', 'WebP']],
	['MEDIA_TOO_LARGE', tooLarge],
	['MEDIA_CAPTION_TOO_LONG', ['1024 characters']],
	['MEDIA_UNSUPPORTED_ATTACHMENT', ['images, videos, audio and stickers']],
	['MEDIA_OF_TOMORROW', ['Check the file']],
])('has a hint for media refused with %s', (subCode, hints) => {
	const failure = failureOfResponse(said(400, 'No', { subCode }));
	expect(failure).toMatchObject({
		reason: 'media_rejected',
		effect: 'none',
		subCode,
		cause: 'the service did not accept the file (No)',
	});
	for (const hint of hints) expect(failure.hint).toContain(hint);
	expect(new ServiceError('send', failure).details).toMatchObject({ subCode });
});

test.each([
	['MEDIA_DOWNLOAD_FAILED', 'could not download'],
	['MEDIA_CONVERSION_FAILED', 'could not convert'],
	['MEDIA_UPLOAD_FAILED', 'could not pass the file on'],
	['MEDIA_PROCESSING_FAILED', 'could not process'],
])('allows a retry of media that failed with %s', (subCode, hint) => {
	const failure = failureOfResponse(response({ status: 502, subCode }));
	expect(failure).toMatchObject({
		reason: 'media_failed',
		effect: 'none',
		subCode,
		cause: `the service could not send the file (${subCode})`,
	});
	expect(failure.hint).toContain(hint);
	expect(failure.hint).toContain('Nothing was sent');
});
