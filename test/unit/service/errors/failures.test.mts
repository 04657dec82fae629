import { failureOfConnection } from '#nodes/service/errors/failureOfConnection.ts';
import type { Failure } from '#nodes/service/errors/index.ts';
import { asError, ServiceError, toNodeError } from '#nodes/service/errors/index.ts';
import { NODE } from '../../../support/context.mts';
import { thrownBy } from './response.mts';

const connecting = { syscall: 'connect' };
const blocked = (why: string) => new Error(`The request was blocked because ${why}`);
const coded = (code: string, message: string) => Object.assign(new Error(message), { code });
const LOST = /^connection_lost: the connection was lost.* Check n8n's network and the service/;
const BLOCKED =
	/^blocked: n8n does not allow requests to this host\. (?=.*SSRF protection).*allowed domains/;

/** Of each error: reason, cause and hint, as one text. */
test.each<[unknown, RegExp]>([
	[
		thrownBy('ENOTFOUND'),
		/^unreachable: the host name of the service is unknown\. Check the host in the Base URL/,
	],
	[
		thrownBy('EAI_AGAIN'),
		/^unreachable: .*could not be looked up\. .*DNS server, then try again\.$/,
	],
	[thrownBy('ECONNREFUSED'), /^unreachable: nothing listens.* Check host and port/],
	[
		thrownBy('EHOSTUNREACH', connecting),
		/^unreachable: the host of the service cannot be reached\. .*proxy settings/,
	],
	[
		thrownBy('ENETUNREACH', connecting),
		/^unreachable: the network of the service cannot be reached\. .*proxy settings/,
	],
	[thrownBy('ENETUNREACH', { syscall: 'read' }), LOST],
	[
		thrownBy('CERT_HAS_EXPIRED'),
		/^tls: no secure connection to the service \(CERT_HAS_EXPIRED\)\. .*NODE_EXTRA_CA_CERTS/,
	],
	[thrownBy('UNABLE_TO_GET_ISSUER_CERT'), /^tls: .*UNABLE_TO.*not one that n8n trusts/],
	[thrownBy('HOSTNAME_MISMATCH'), /^tls: no secure connection.*certificate/],
	[thrownBy('HOSTNAME_MISMATCHED'), LOST],
	[thrownBy('NO_CERT_HERE'), LOST],
	[
		coded('EPROTO', 'write EPROTO: wrong version number'),
		/^tls: no secure connection to the service \(EPROTO\)\. Nothing speaks https at this address.*http or https/,
	],
	[coded('EPIPE', 'wrong version number'), LOST],
	[
		thrownBy('ERR_TLS_HANDSHAKE_TIMEOUT'),
		/^tls: the secure connection to the service broke \(ERR_TLS_HANDSHAKE_TIMEOUT\)\. Check what is between/,
	],
	[thrownBy('EPROTO'), /^tls: .*broke \(EPROTO\)\. .*proxy/],
	[
		thrownBy('ERR_CANCELED'),
		/^cancelled: the execution was cancelled.* Check what reached the service/,
	],
	[new Error('Domain not allowed: x'), BLOCKED],
	[new Error('The request was blocked address'), BLOCKED],
	// n8n's words for an address and for a name, with SSRF protection.
	[blocked('it resolves to a restricted IP address'), BLOCKED],
	[blocked('the destination hostname is restricted'), BLOCKED],
	[
		thrownBy('ECONNABORTED'),
		/^timeout: no response within 1\.5 s\. Try again later\. A change may have been made/,
	],
	[thrownBy('ETIMEDOUT'), /^timeout: no response within.*check before you repeat/],
	[new Error('timeout of 300ms exceeded'), /^timeout: no response.* Try again/],
	[new Error('timeout of 12 ms exceeded'), /^timeout: no response.* Try again/],
	[new Error('timeout of patience exceeded'), LOST],
	[null, LOST],
	[{ code: ['ENOTFOUND'], message: ['SSRF'] }, LOST],
])('says what happened and what to do: %#', (error, words) => {
	const { reason, cause, hint } = failureOfConnection(error, 1500);
	expect(`${reason}: ${cause}. ${hint}`).toMatch(words);
});

test('finds a cause within six errors, and ends in a circle', () => {
	const wrappedTimes = (times: number): unknown =>
		times === 0 ? coded('ENOTFOUND', 'no') : { cause: wrappedTimes(times - 1) };
	const circle: { cause?: unknown } = {};
	circle.cause = circle;
	expect(
		[wrappedTimes(5), wrappedTimes(6), circle].map((error) => failureOfConnection(error, 1).reason),
	).toEqual(['unreachable', 'connection_lost', 'connection_lost']);
});

test('has no effect if n8n did not allow the request', () => {
	expect(failureOfConnection(new Error('SSRF'), 1000).effect).toBe('none');
});

const failure = {
	...{ reason: 'rejected', effect: 'none', cause: 'it is Tuesday', hint: 'Wait.' },
} as const satisfies Failure;

test("quotes the service's message once", () => {
	expect(new ServiceError('act', failure)).toMatchObject({
		message: 'Could not act: it is Tuesday',
		description: 'Wait.',
		name: 'ServiceError',
		hint: 'Wait.',
	});
	const quoting = (serviceMessage: string) =>
		new ServiceError('act', { ...failure, serviceMessage }).description;
	expect(quoting('Closed')).toBe('Wait. The service said: "Closed".');
	expect(quoting('Tuesday')).toBe('Wait.');
});

test('puts only known details into a failed item', () => {
	const detailsWith = (more: object) => new ServiceError('act', { ...failure, ...more }).details;
	const always = { reason: 'rejected', hint: 'Wait.' };
	expect(detailsWith({})).toStrictEqual(always);
	const known = { status: 429, serviceMessage: 'Slow', subCode: 'MEDIA_TOO_LARGE', retryAfter: 0 };
	expect(detailsWith(known)).toEqual({ ...always, ...known });
	expect(detailsWith({ serviceMessage: '' })).not.toHaveProperty('serviceMessage');
});

test('shows n8n the message, the description, the status and the item', () => {
	const shown = toNodeError(NODE, new ServiceError('act', { ...failure, status: 409 }), 2);
	expect(shown).toMatchObject({
		message: 'Could not act: it is Tuesday',
		description: 'Wait.',
		httpCode: '409',
		messages: ['Could not act: it is Tuesday'],
	});
	expect(shown.context).toMatchObject({
		itemIndex: 2,
		data: { reason: 'rejected', hint: 'Wait.', status: 409 },
	});
	const plain = toNodeError(NODE, new ServiceError('act', failure));
	expect(plain).toMatchObject({ httpCode: null });
	expect(plain.context.itemIndex).toBeUndefined();
});

test("shows an error of the node's fields with its item, and leaves n8n's own errors alone", () => {
	const wrong = toNodeError(NODE, new Error('"Text" is empty.'), 3);
	expect(wrong).toMatchObject({
		name: 'NodeOperationError',
		message: '"Text" is empty.',
		context: { itemIndex: 3 },
	});
	expect(toNodeError(NODE, wrong, 7)).toBe(wrong);
	expect(wrong.context.itemIndex).toBe(3);
	const without = toNodeError(NODE, new Error('No'));
	expect(without.context.itemIndex).toBeUndefined();
	expect(toNodeError(NODE, without)).toBe(without);
	expect(without.context.itemIndex).toBeUndefined();
	expect(toNodeError(NODE, without, 0).context.itemIndex).toBe(0);
	const known = toNodeError(NODE, new ServiceError('act', failure));
	expect(toNodeError(NODE, known, 1)).toBe(known);
});

test('makes an error of any thrown value', () => {
	const error = new TypeError('no');
	expect(asError(error)).toBe(error);
	expect(asError('no')).toMatchObject({ message: 'no' });
});
