import type { Failure } from './serviceError';

/** Codes of Node.js that mean that the request did not reach the service. */
const NEVER_CONNECTED: Record<string, Pick<Failure, 'cause' | 'hint'>> = {
	ENOTFOUND: {
		cause: 'the host name of the service is unknown',
		hint: 'Check the host in the Base URL of the credential, and that n8n can look it up.',
	},
	EAI_AGAIN: {
		cause: 'the host name of the service could not be looked up',
		hint: "Check that n8n's network can reach its DNS server, then try again.",
	},
	ECONNREFUSED: {
		cause: 'nothing listens at the address of the service',
		hint: 'Check host and port in the Base URL of the credential, and that the service is running.',
	},
	EHOSTUNREACH: {
		cause: 'the host of the service cannot be reached',
		hint: "Check n8n's network, its proxy settings and the Base URL of the credential.",
	},
	ENETUNREACH: {
		cause: 'the network of the service cannot be reached',
		hint: "Check n8n's network, its proxy settings and the Base URL of the credential.",
	},
};

/** Linux also reports these for open connections. */
const ONLY_WHILE_CONNECTING = new Set(['EHOSTUNREACH', 'ENETUNREACH']);

/** A certificate that is not trusted, or no TLS at the other end. Nothing was sent yet. */
const NOT_TRUSTED =
	/^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_CA$|ERR_TLS_CERT_ALTNAME_INVALID$|ERR_SSL_WRONG_VERSION_NUMBER$)/;
const TLS_BROKE = /^(ERR_TLS_|ERR_SSL_|EPROTO$)/;

/** An error and its causes. n8n wraps what its HTTP client throws. */
function chainOf(error: unknown) {
	const text = (value: unknown) => (typeof value === 'string' ? value : '');
	const chain: Array<Record<'code' | 'message' | 'syscall', string>> = [];
	let current: unknown = error;
	while (typeof current === 'object' && current !== null && chain.length < 6) {
		const { code, message, syscall, cause } = current as Record<string, unknown>;
		chain.push({ code: text(code), message: text(message), syscall: text(syscall) });
		current = cause;
	}
	return chain;
}

/** The failure of a request without a response. Its effect is unknown unless nothing was sent. */
export function failureOfConnection(error: unknown, timeout: number): Failure {
	const chain = chainOf(error);
	const codes = chain.map(({ code }) => code);
	const hasMessage = (pattern: RegExp) => chain.some(({ message }) => pattern.test(message));

	const isConnecting = chain.some(({ syscall }) => syscall === 'connect');
	for (const code of codes) {
		const known = NEVER_CONNECTED[code];
		if (known && (isConnecting || !ONLY_WHILE_CONNECTING.has(code)))
			return { reason: 'unreachable', effect: 'none', ...known };
	}
	// Plain http at the other end is reported under two codes.
	const isPlain = codes.includes('EPROTO') && hasMessage(/wrong version number/i);
	const tlsCode = isPlain ? 'EPROTO' : codes.find((code) => NOT_TRUSTED.test(code));
	if (tlsCode)
		return {
			reason: 'tls',
			effect: 'none',
			cause: `no secure connection to the service (${tlsCode})`,
			hint: isPlain
				? 'Nothing speaks https at this address. Check the port in the Base URL of the credential, and whether it must begin with http or https.'
				: 'The certificate at the Base URL is not one that n8n trusts. Check the host, and whether it must be http or https. For a private certificate authority, set NODE_EXTRA_CA_CERTS where n8n runs.',
		};
	if (codes.includes('ERR_CANCELED'))
		return {
			reason: 'cancelled',
			effect: 'unknown',
			cause: 'the execution was cancelled while the request was under way',
			hint: 'Check what reached the service before you run it again.',
		};
	const isBlocked = hasMessage(
		/domain not allowed|not allowed to be used with|SSRF|blocked (?:address|ip|host)|restricted ip|hostname is restricted/i,
	);
	if (isBlocked)
		return {
			reason: 'blocked',
			effect: 'none',
			cause: 'n8n does not allow requests to this host',
			hint: "Check the credential's allowed domains, and the SSRF protection of this n8n.",
		};
	const isLate =
		codes.some((code) => code === 'ECONNABORTED' || code === 'ETIMEDOUT') ||
		hasMessage(/timeout of \d+ ?ms exceeded/i);
	if (isLate)
		return {
			reason: 'timeout',
			effect: 'unknown',
			cause: `no response within ${timeout / 1000} s`,
			hint: 'Try again later. A change may have been made anyway: check before you repeat it.',
		};
	const brokenTls = codes.find((code) => TLS_BROKE.test(code));
	if (brokenTls)
		return {
			reason: 'tls',
			effect: 'unknown',
			cause: `the secure connection to the service broke (${brokenTls})`,
			hint: 'Check what is between n8n and the service, such as a proxy, and whether the Base URL must begin with http or https.',
		};
	return {
		reason: 'connection_lost',
		effect: 'unknown',
		cause: 'the connection was lost before the service answered',
		hint: "Check n8n's network and the service, then try again.",
	};
}
