import { failureOfConnection } from '../../../../nodes/BusinessMessaging/service/errors/failureOfConnection.ts';
import type { Failure } from '../../../../nodes/BusinessMessaging/service/errors/index.ts';
import {
	asError,
	ServiceError,
	toNodeError,
} from '../../../../nodes/BusinessMessaging/service/errors/index.ts';

const thrown = (code: string, changes: object = {}) =>
	Object.assign(new Error('wrapped'), {
		cause: Object.assign(new Error(code), { code, ...changes }),
	});
const connecting = { syscall: 'connect' };

test.each<[string, unknown, Failure['reason'], RegExp, RegExp]>([
	[
		'an unknown host',
		thrown('ENOTFOUND'),
		'unreachable',
		/^the host name of the service is unknown$/,
		/^Check the host in the Base URL/,
	],
	[
		'no DNS',
		thrown('EAI_AGAIN'),
		'unreachable',
		/could not be looked up$/,
		/DNS server, then try again\.$/,
	],
	[
		'a closed port',
		thrown('ECONNREFUSED'),
		'unreachable',
		/^nothing listens/,
		/^Check host and port/,
	],
	[
		'no route',
		thrown('EHOSTUNREACH', connecting),
		'unreachable',
		/^the host of the service cannot be reached$/,
		/proxy settings/,
	],
	[
		'no network',
		thrown('ENETUNREACH', connecting),
		'unreachable',
		/^the network of the service cannot be reached$/,
		/proxy settings/,
	],
	[
		'no network any more',
		thrown('ENETUNREACH', { syscall: 'read' }),
		'connection_lost',
		/^the connection was lost/,
		/^Check n8n's network and the service/,
	],
	[
		'an old certificate',
		thrown('CERT_HAS_EXPIRED'),
		'tls',
		/^no secure connection to the service \(CERT_HAS_EXPIRED\)$/,
		/NODE_EXTRA_CA_CERTS/,
	],
	[
		'an unknown authority',
		thrown('UNABLE_TO_GET_ISSUER_CERT'),
		'tls',
		/UNABLE_TO/,
		/not one that n8n trusts/,
	],
	['a wrong host name', thrown('HOSTNAME_MISMATCH'), 'tls', /^no secure connection/, /certificate/],
	[
		'a code that only begins like one',
		thrown('HOSTNAME_MISMATCHED'),
		'connection_lost',
		/^the connection was lost/,
		/network/,
	],
	['a code that only ends like one', thrown('NO_CERT_HERE'), 'connection_lost', /lost/, /network/],
	[
		'plain http',
		Object.assign(new Error('write EPROTO: wrong version number'), { code: 'EPROTO' }),
		'tls',
		/^no secure connection to the service \(EPROTO\)$/,
		/^Nothing speaks https at this address.*http or https/,
	],
	[
		'another fault with those words',
		Object.assign(new Error('wrong version number'), { code: 'EPIPE' }),
		'connection_lost',
		/lost/,
		/network/,
	],
	[
		'TLS that breaks',
		thrown('ERR_TLS_HANDSHAKE_TIMEOUT'),
		'tls',
		/^the secure connection to the service broke \(ERR_TLS_HANDSHAKE_TIMEOUT\)$/,
		/^Check what is between/,
	],
	['a protocol error', thrown('EPROTO'), 'tls', /broke \(EPROTO\)$/, /proxy/],
	[
		'a cancelled execution',
		thrown('ERR_CANCELED'),
		'cancelled',
		/^the execution was cancelled/,
		/^Check what reached the service/,
	],
	[
		'a host that n8n blocks',
		new Error('Domain not allowed: x'),
		'blocked',
		/^n8n does not allow requests to this host$/,
		/SSRF protection/,
	],
	[
		'an address that n8n blocks',
		new Error('The request was blocked address'),
		'blocked',
		/does not allow/,
		/allowed domains/,
	],
	// n8n's words for an address and for a name, with SSRF protection.
	[
		'an address in a network that n8n protects',
		new Error('The request was blocked because it resolves to a restricted IP address'),
		'blocked',
		/^n8n does not allow requests to this host$/,
		/SSRF protection/,
	],
	[
		'a name of a host that n8n protects',
		new Error('The request was blocked because the destination hostname is restricted'),
		'blocked',
		/^n8n does not allow requests to this host$/,
		/SSRF protection/,
	],
	[
		'no response',
		thrown('ECONNABORTED'),
		'timeout',
		/^no response within 1\.5 s$/,
		/^Try again later\. A change may have been made/,
	],
	[
		'no response of the network',
		thrown('ETIMEDOUT'),
		'timeout',
		/^no response within/,
		/check before you repeat/,
	],
	[
		'no response, by its words',
		new Error('timeout of 300ms exceeded'),
		'timeout',
		/^no response/,
		/^Try again/,
	],
	[
		'no response, with a blank',
		new Error('timeout of 12 ms exceeded'),
		'timeout',
		/^no response/,
		/^Try again/,
	],
	[
		'other words about time',
		new Error('timeout of patience exceeded'),
		'connection_lost',
		/lost/,
		/network/,
	],
	['nothing that is known', null, 'connection_lost', /lost/, /network/],
	[
		'a code and words that are no texts',
		{ code: ['ENOTFOUND'], message: ['SSRF'] },
		'connection_lost',
		/lost/,
		/network/,
	],
])('says what happened and what to do: %s', (_name, error, reason, cause, hint) => {
	expect(failureOfConnection(error, 1500)).toMatchObject({
		reason,
		cause: expect.stringMatching(cause),
		hint: expect.stringMatching(hint),
	});
});

test('finds a cause within six errors, and ends in a circle', () => {
	const wrappedTimes = (times: number): unknown =>
		times === 0
			? Object.assign(new Error('no'), { code: 'ENOTFOUND' })
			: { cause: wrappedTimes(times - 1) };
	expect(failureOfConnection(wrappedTimes(5), 1000).reason).toBe('unreachable');
	expect(failureOfConnection(wrappedTimes(6), 1000).reason).toBe('connection_lost');
	const circle: { cause?: unknown } = {};
	circle.cause = circle;
	expect(failureOfConnection(circle, 1000).reason).toBe('connection_lost');
});

test('has no effect if the request was not sent, and an unknown effect if it was cancelled', () => {
	expect(failureOfConnection(new Error('SSRF'), 1000).effect).toBe('none');
	expect(failureOfConnection(thrown('CERT_HAS_EXPIRED'), 1000).effect).toBe('none');
	expect(failureOfConnection(thrown('ERR_CANCELED'), 1000).effect).toBe('unknown');
});

const failure: Failure = {
	reason: 'rejected',
	effect: 'none',
	cause: 'it is Tuesday',
	hint: 'Wait.',
};

test("quotes the service's message once", () => {
	expect(new ServiceError('act', failure)).toMatchObject({
		message: 'Could not act: it is Tuesday',
		description: 'Wait.',
		name: 'ServiceError',
		hint: 'Wait.',
	});
	expect(new ServiceError('act', { ...failure, serviceMessage: 'Closed' }).description).toBe(
		'Wait. The service said: "Closed".',
	);
	expect(new ServiceError('act', { ...failure, serviceMessage: 'Tuesday' }).description).toBe(
		'Wait.',
	);
});

test('puts only known details into a failed item', () => {
	expect(new ServiceError('act', failure).details).toStrictEqual({
		reason: 'rejected',
		hint: 'Wait.',
	});
	const known = { status: 429, serviceMessage: 'Slow', subCode: 'MEDIA_TOO_LARGE', retryAfter: 0 };
	expect(new ServiceError('act', { ...failure, ...known }).details).toEqual({
		reason: 'rejected',
		hint: 'Wait.',
		...known,
	});
	expect(new ServiceError('act', { ...failure, serviceMessage: '' }).details).not.toHaveProperty(
		'serviceMessage',
	);
});

const node = {
	id: '1',
	name: 'Node',
	type: 'test',
	typeVersion: 2,
	position: [0, 0] as [number, number],
	parameters: {},
};

test('shows n8n the message, the description, the status and the item', () => {
	const shown = toNodeError(node, new ServiceError('act', { ...failure, status: 409 }), 2);
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
	const plain = toNodeError(node, new ServiceError('act', failure));
	expect(plain).toMatchObject({ httpCode: null });
	expect(plain.context.itemIndex).toBeUndefined();
});

test("shows an error of the node's fields with its item, and leaves n8n's own errors alone", () => {
	const wrong = toNodeError(node, new Error('"Text" is empty.'), 3);
	expect(wrong).toMatchObject({
		name: 'NodeOperationError',
		message: '"Text" is empty.',
		context: { itemIndex: 3 },
	});
	expect(toNodeError(node, wrong, 7)).toBe(wrong);
	expect(wrong.context.itemIndex).toBe(3);
	const without = toNodeError(node, new Error('No'));
	expect(without.context.itemIndex).toBeUndefined();
	expect(toNodeError(node, without)).toBe(without);
	expect(without.context.itemIndex).toBeUndefined();
	expect(toNodeError(node, without, 0).context.itemIndex).toBe(0);
	const known = toNodeError(node, new ServiceError('act', failure));
	expect(toNodeError(node, known, 1)).toBe(known);
});

test('makes an error of any thrown value', () => {
	const error = new TypeError('no');
	expect(asError(error)).toBe(error);
	expect(asError('no')).toMatchObject({ message: 'no' });
});
