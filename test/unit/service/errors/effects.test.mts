import { failureOfConnection } from '#nodes/service/errors/failureOfConnection.ts';
import type { Effect } from '#nodes/service/errors/index.ts';
import type { ErrorResponse } from '#nodes/service/errors/response.ts';
import { failureOfResponse } from '#nodes/service/errors/failureOfResponse.ts';
import { responseOf, thrownBy } from './response.mts';

const WEBHOOKS = ['v1', 'channels', 'C', 'webhooks'];
const inShape = { serviceMessage: 'The service says so' };
/** As the service says it of a message: `{error: <status>, message}`. */
const ofSend = { ...inShape, isSendForm: true };
const ofChange = { ...inShape, path: WEBHOOKS };

// Only what was certainly not done may be repeated, and what is unlikely only without a key.
test.each<[string, Effect, Partial<ErrorResponse>]>([
	['400 in shape', 'none', { status: 400, ...inShape }],
	['400 in no shape', 'unlikely', { status: 400 }],
	['400 in no shape, of a change', 'none', { status: 400, path: WEBHOOKS }],
	['400 about media', 'none', { status: 400, subCode: 'MEDIA_TOO_LARGE' }],
	['401 in no shape', 'unlikely', { status: 401 }],
	['404 in no shape', 'unlikely', { status: 404 }],
	['408 in shape', 'unknown', { status: 408, ...ofSend }],
	['408 in shape, of a change', 'unknown', { status: 408, ...ofChange }],
	['499 in no shape', 'unknown', { status: 499 }],
	['a closed window', 'none', { status: 422, serviceMessage: 'Conversation window is closed' }],
	['429', 'none', { status: 429 }],
	['503 in shape', 'unknown', { status: 503, ...ofSend }],
	['503 in shape, of a change', 'none', { status: 503, ...ofChange }],
	['503 that asks to wait', 'none', { status: 503, retryAfter: 1000 }],
	['503 of a proxy', 'unknown', { status: 503, excerpt: 'upstream connect error or reset' }],
	['500 in the shape of a send', 'unlikely', { status: 500, ...ofSend }],
	['500 in another shape', 'unknown', { status: 500, ...inShape }],
	['500 in shape, of a change', 'none', { status: 500, ...ofChange }],
	['500 in no shape', 'unknown', { status: 500 }],
	['501 in shape', 'unknown', { status: 501, ...ofSend }],
	['501 in shape, of a change', 'none', { status: 501, ...ofChange }],
	['502 in shape, of a message', 'unknown', { status: 502, ...ofSend }],
	['502 in shape, of a change', 'none', { status: 502, ...inShape, path: WEBHOOKS }],
	['502 in shape, of a list', 'none', { status: 502, ...inShape, path: WEBHOOKS, method: 'GET' }],
	['502 in no shape, of a change', 'unknown', { status: 502, path: WEBHOOKS }],
	['504 in shape, of a change', 'unknown', { status: 504, ...inShape, path: WEBHOOKS }],
	['502 about media', 'none', { status: 502, subCode: 'MEDIA_DOWNLOAD_FAILED' }],
	['500 about media', 'unknown', { status: 500, subCode: 'MEDIA_DOWNLOAD_FAILED' }],
	['504 about media', 'unknown', { status: 504, subCode: 'MEDIA_UPLOAD_FAILED', ...inShape }],
	['504', 'unknown', { status: 504 }],
	...[301, 302, 303].map((status): [string, Effect, Partial<ErrorResponse>] => [
		`${status} to a POST`,
		'unknown',
		{ status },
	]),
	['303 to a GET', 'none', { status: 303, method: 'GET' }],
	['301 to a change', 'unknown', { status: 301, path: WEBHOOKS }],
	['307', 'unlikely', { status: 307 }],
])('%s has the effect %s', (_name, effect, changes) =>
	expect(failureOfResponse(responseOf(changes)).effect).toBe(effect),
);

// Only the words distinguish a closed window from other refusals.
test.each([
	['Conversation window is closed', true],
	['Refused:\nthe window has expired', true],
	['The window, that window, is not open', true],
	['More than 24 hours have passed since the customer last replied to this number', true],
	['The contact last wrote 24h ago', true],
	// Hours alone are of other limits.
	['More than 24 hours ago', false],
	['The window of your rate limit is closed', false],
	['The customer last wrote: 24 hours. Message limit reached', false],
	['A rolling 24-hour period since the user last replied', false],
	['Closed: the window.\nThe template was changed in 24 hours by the last user', false],
	['The template can be changed once in 24 hours', false],
	['Closed. Open the window', false],
	['The window\nis closed', false],
	['windows are closed', false],
])('recognises a closed window in %j: %s', (serviceMessage, isClosed) => {
	expect(failureOfResponse(responseOf({ status: 422, serviceMessage })).reason).toBe(
		isClosed ? 'window_closed' : 'rejected',
	);
});

test.each<[string, 'none' | 'unknown', unknown]>([
	['an unknown host', 'none', thrownBy('ENOTFOUND', { syscall: 'getaddrinfo' })],
	['a closed port', 'none', thrownBy('ECONNREFUSED', { syscall: 'connect' })],
	['no route while connecting', 'none', thrownBy('EHOSTUNREACH', { syscall: 'connect' })],
	['no route any more', 'unknown', thrownBy('EHOSTUNREACH', { syscall: 'read' })],
	['a certificate that is not trusted', 'none', thrownBy('DEPTH_ZERO_SELF_SIGNED_CERT')],
	['a certificate for another host', 'none', thrownBy('ERR_TLS_CERT_ALTNAME_INVALID')],
	['no TLS at the other end', 'none', thrownBy('ERR_SSL_WRONG_VERSION_NUMBER')],
	['TLS that breaks later', 'unknown', thrownBy('ERR_SSL_BAD_RECORD_TYPE')],
	['a protocol error', 'unknown', thrownBy('EPROTO')],
	['a reset', 'unknown', thrownBy('ECONNRESET', { syscall: 'read' })],
	['a timeout', 'unknown', thrownBy('ECONNABORTED')],
	['a cancelled request', 'unknown', thrownBy('ERR_CANCELED')],
	['anything else', 'unknown', 'a text'],
])('%s has the effect %s', (_name, effect, thrown) =>
	expect(failureOfConnection(thrown, 1000).effect).toBe(effect),
);
