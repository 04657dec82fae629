import type { Failure } from './errors';

/** Codes of Node.js, OpenSSL and the host's HTTP client after which the request certainly did not reach the service. */
const NEVER_CONNECTED: Record<string, Pick<Failure, 'cause' | 'hint'>> = {
	ENOTFOUND: { cause: 'the host name of the service is unknown', hint: 'Check the host in the Base URL of the credential, and that n8n can look it up.' },
	EAI_AGAIN: { cause: 'the host name of the service could not be looked up', hint: 'Check that n8n\'s network can reach its DNS server, then try again.' },
	ECONNREFUSED: { cause: 'nothing listens at the address of the service', hint: 'Check host and port in the Base URL of the credential, and that the service is running.' },
	EHOSTUNREACH: { cause: 'the host of the service cannot be reached', hint: 'Check n8n\'s network, its proxy settings and the Base URL of the credential.' },
	ENETUNREACH: { cause: 'the network of the service cannot be reached', hint: 'Check n8n\'s network, its proxy settings and the Base URL of the credential.' },
};

const TLS_CODE = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/;

/** Reads `code` and `message` off an error and whatever it wraps: n8n wraps what its HTTP client throws. */
function chainOf(error: unknown): Array<{ code: string; message: string }> {
	const chain: Array<{ code: string; message: string }> = [];
	let current: unknown = error;
	while (typeof current === 'object' && current !== null && chain.length < 6) {
		const { code, message, cause } = current as { code?: unknown; message?: unknown; cause?: unknown };
		chain.push({ code: typeof code === 'string' ? code : '', message: typeof message === 'string' ? message : '' });
		current = cause;
	}
	return chain;
}

/** What it means that no answer came. Everything that is not known to have failed before sending counts as `unknown`. */
export function failureOfConnection(error: unknown, timeout: number): Failure {
	const chain = chainOf(error);
	const codes = chain.map(({ code }) => code);
	const says = (pattern: RegExp) => chain.some(({ message }) => pattern.test(message));

	for (const code of codes) {
		const known = NEVER_CONNECTED[code];
		if (known) return { reason: 'unreachable', effect: 'none', ...known };
	}
	const tlsCode = codes.find((code) => TLS_CODE.test(code));
	if (tlsCode) {
		return {
			reason: 'tls',
			effect: 'none',
			cause: `no secure connection to the service (${tlsCode})`,
			hint: 'The certificate at the Base URL is not one that n8n trusts. Check the host, and that http or https is right; for a private certificate authority set NODE_EXTRA_CA_CERTS where n8n runs.',
		};
	}
	if (codes.includes('ERR_CANCELED')) {
		return { reason: 'cancelled', effect: 'unknown', cause: 'the execution was cancelled while the request was under way', hint: 'Check what reached the service before you run it again.' };
	}
	if (says(/domain not allowed|not allowed to be used with|SSRF|blocked (?:address|ip|host)|restricted ip/i)) {
		return { reason: 'blocked', effect: 'none', cause: 'n8n does not allow requests to this host', hint: 'Check the credential\'s allowed domains, and the SSRF protection of this n8n.' };
	}
	if (codes.some((code) => code === 'ECONNABORTED' || code === 'ETIMEDOUT') || says(/timeout of \d+ ?ms exceeded/i)) {
		return { reason: 'timeout', effect: 'unknown', cause: `no answer within ${timeout / 1000} s`, hint: 'Try again, or raise the timeout.' };
	}
	return { reason: 'connection_lost', effect: 'unknown', cause: 'the connection was lost before the service answered', hint: 'Check n8n\'s network and the service, then try again.' };
}
