import { ServiceError } from '#nodes/service/errors/index.ts';
import type { ErrorResponse } from '#nodes/service/errors/response.ts';
import { failureOfResponse } from '#nodes/service/errors/failureOfResponse.ts';
import { CHANNEL } from '../../../support/constants.mts';
import { responseOf } from './response.mts';
import { ANIMATED_STICKER_MAX, MEDIA_INPUT_MAX, MEDIA_MAX } from '#sandbox/contract.mts';

const response = (changes: Partial<ErrorResponse>) =>
	responseOf({ path: ['v1', 'channels', 'C', 'webhooks'], ...changes });
const said = (status: number, serviceMessage: string, more: Partial<ErrorResponse> = {}) =>
	response({ status, serviceMessage, ...more });

const inNoShape = (status: number, excerpt: string) => response({ status, excerpt });
const toMessage = { path: ['v1', 'channels', 'C', 'messages'] };

/** Of each response: reason, cause and hint, as one text. */
test.each<[ErrorResponse, RegExp]>([
	[
		response({ status: 401 }),
		/^unauthorized: the service refused the secret key\. Check the Secret Key in the credential.*not the public key\.$/,
	],
	[
		said(422, 'Needs the enterprise role'),
		/^role_required: .*lacks the ENTERPRISE role\. .*Ask the service to upgrade/,
	],
	[
		said(400, 'ENTERPRISE role'),
		/^invalid_request: the service did not accept the request \(ENTERPRISE role\)\. Check the values/,
	],
	[
		said(422, 'Conversation window is closed', toMessage),
		/^window_closed: the 24-hour conversation window is closed\. Only an approved template [^.]*Closed"\.$/,
	],
	[said(422, 'Conversation window is closed'), /^rejected: Conversation window is closed\. Check/],
	[
		response({ status: 422, excerpt: 'Conversation window is closed', ...toMessage }),
		/^rejected: .*status 422 with "Conv.*\. Check the values/,
	],
	[
		said(404, 'Webhook not found'),
		/^not_found: Webhook not found: C\. Check the ID of the channel: it must exist/,
	],
	[
		response({ status: 404 }),
		/^unexpected_response: nothing answers at this address \(status 404 with an empty body\)\. Check the Base URL.*without \/v1\.$/,
	],
	[
		said(405, 'No'),
		/^method_not_allowed: the service does not offer this operation \(No\)\. The service may not support it yet/,
	],
	[said(429, 'Slow'), /^rate_limited: the service asks to slow down\. Try again later\.$/],
	[
		said(429, 'Slow', { retryAfter: 2500 }),
		/^rate_limited: .*slow down\. Try again later\. It asks to wait for 3 s\.$/,
	],
	[said(429, 'Slow', { kind: 'message' }), /^rate_limited: .* Try again later\.$/],
	[
		inNoShape(407, 'Who are you?'),
		/^rejected: a proxy on the way asks for a login .*\. Check user and password in n8n's HTTP_PROXY or HTTPS_PROXY\.$/,
	],
	[
		inNoShape(413, 'Too large'),
		/^rejected: the request is too large for the service, or for a proxy .*Send less in one request, a file by its URL/,
	],
	[
		said(503, 'Maintenance'),
		/^service_unavailable: .*not available at the moment \(Maintenance\)\. .*"Retry On Fail" in the node's settings\.$/,
	],
	[
		response({ status: 503, retryAfter: 1000 }),
		/^service_unavailable: .*not available.* It asks to wait for 1 s\.$/,
	],
	[
		said(502, 'Broken'),
		/^service_error: the service failed \(Broken\)\. The change was not made\. Try again later/,
	],
	[
		said(502, 'Broken', { method: 'GET' }),
		/^service_error: the service failed \(Broken\)\. Try again later/,
	],
	[
		said(502, 'Broken', toMessage),
		/^service_error: the service failed \(Broken\)\. The message may have been sent\. Check/,
	],
	[
		inNoShape(502, 'Bad Gateway'),
		/^service_error: a server on the way answered with status 502 with "Bad Gateway"\. The request may have reached the service\. Check/,
	],
	[
		said(504, 'Slow'),
		/^service_error: the service failed \(Slow\)\. It may have been done anyway\. Check/,
	],
	[
		said(500, 'Oops'),
		/^service_error: the service failed \(Oops\)\. Try again later, or turn on "Retry On Fail"/,
	],
	[
		said(400, 'url is required'),
		/^invalid_request: the service did not accept the request \(url is required\)\. Check the values of the node's fields\.$/,
	],
	[
		said(403, 'No'),
		/^forbidden: the service forbids it \(No\)\. Check what the secret key is allowed to do\. Check the Base URL/,
	],
	[
		response({ status: 300 }),
		/^redirected: .*redirect, which is not followed\. Check the Base URL in the credential\.$/,
	],
	[said(409, 'Exists already'), /^rejected: Exists already\. Check the values/],
	[
		inNoShape(418, 'teapot'),
		/^rejected: the service answered with status 418 with "teapot"\. Check the values/,
	],
])('says what happened and what to do: %j', (given, words) => {
	const { reason, cause, hint, status } = failureOfResponse(given);
	expect(`${reason}: ${cause}. ${hint}`).toMatch(words);
	expect(status).toBe(given.status);
});

const WEBHOOK = '019e4c54-b1b3-75a2-8970-b605ca9b0aaa';
const channelPath = ['v1', 'channels', CHANNEL];
const webhookPath = [...channelPath, 'webhooks', WEBHOOK];

test.each<[string, string[], string, string]>([
	['Channel not found', [...channelPath, 'messages'], `: ${CHANNEL}`, ' of the channel: it'],
	['Instance not found', channelPath, `: ${CHANNEL}`, ' of the channel: it'],
	['Channel not found', webhookPath, `: ${CHANNEL}`, ' of the channel: it'],
	['Webhook not found', webhookPath, `: ${WEBHOOK}`, ' of the webhook: it'],
	['Webhook not found', ['v1', 'webhooks', WEBHOOK], `: ${WEBHOOK}`, ' of the webhook: it'],
	[
		'Not there',
		webhookPath,
		`: channel ${CHANNEL}, webhook ${WEBHOOK}`,
		's of the channel and the webhook: they',
	],
	['Not there', ['v1', 'webhooks'], '', ': it'],
	[`Channel ${CHANNEL} not found`, channelPath, '', ' of the channel: it'],
])('names the ID that was not found: %s, %j', (words, path, ids, check) => {
	expect(failureOfResponse(said(404, words, { path }))).toMatchObject({
		reason: 'not_found',
		cause: `${words}${ids}`,
		hint: `Check the ID${check} must exist in the account that the secret key belongs to.`,
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

const TO_LIST = /^Only accounts with the ENTERPRISE role can list, create/;
const TO_DO = /^Only accounts with the ENTERPRISE role can do this/;

test.each<[string, string[], RegExp]>([
	['GET', [...channelPath, 'webhooks'], TO_LIST],
	['POST', ['v1', 'webhooks'], TO_LIST],
	['GET', ['v1', 'channels'], /"By ID" in the field "Channel"/],
	['DELETE', channelPath, /delete a channel here\. Do it in the service's dashboard/],
	['POST', [...channelPath, 'subscribe'], /can subscribe channels and cancel subscriptions/],
	['POST', [...channelPath, 'cancel'], /can subscribe channels and cancel subscriptions/],
	['GET', ['v1', 'others'], TO_DO],
	['POST', ['v1', 'channels'], TO_DO],
	// The published rule is that disconnecting needs no role. A service can still refuse it.
	['PUT', [...channelPath, 'disconnect'], TO_DO],
])('says what to do without the role: %s %j', (method, path, hint) => {
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
	const failure = failureOfResponse(said(400, 'No', { subCode, ...toMessage }));
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
	const failure = failureOfResponse(response({ status: 502, subCode, ...toMessage }));
	expect(failure).toMatchObject({
		reason: 'media_failed',
		effect: 'none',
		subCode,
		cause: `the service could not send the file (${subCode})`,
	});
	expect(failure.hint).toContain(hint);
	expect(failure.hint).toContain('Nothing was sent');
});

test.each([400, 502])('reads codes about media of messages alone: %i', (status) => {
	const failure = failureOfResponse(said(status, 'No', { subCode: 'MEDIA_TOO_LARGE' }));
	expect(failure.reason).toBe(status === 400 ? 'invalid_request' : 'service_error');
});
