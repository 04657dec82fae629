import { BlockList, isIP } from 'node:net';

/** The form of a Host header: a name or an address, with or without a port, and nothing else. */
const HOST = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Also matches an IPv4 address in its IPv6 form. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

const withoutBrackets = (host: string): string =>
	host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;

/** Whether a host name or address, without a port, means only this machine. */
export function isLoopback(host: string): boolean {
	const name = withoutBrackets(host).toLowerCase();
	const version = isIP(name);
	return version === 0
		? name === 'localhost'
		: LOOPBACK.check(name, version === 6 ? 'ipv6' : 'ipv4');
}

/**
 * The host of a Host header without its port, as a URL writes it; undefined if the header is not
 * valid.
 */
export function hostOf(header: string): string | undefined {
	const url = `http://${header}`;
	return HOST.test(header) && URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** A single host, given by name or address without a port, as a URL writes it. */
export function hostNamed(text: string): string | undefined {
	// A text with a port would get a second one here and be rejected.
	return hostOf(`${isIP(text) === 6 ? `[${text}]` : text}:80`);
}

/** Whether two addresses name the same server. All names of this machine are one. */
export const isSameServer = (one: URL, other: URL): boolean =>
	one.protocol === other.protocol &&
	one.port === other.port &&
	(one.hostname === other.hostname || (isLoopback(one.hostname) && isLoopback(other.hostname)));

/** Whether deliveries may go to a host: loopback, or a host that was allowed. */
export function isAllowedHost(host: string, allowed: readonly string[]): boolean {
	const name = withoutBrackets(host).toLowerCase();
	return isLoopback(name) || allowed.some((entry) => entry === '*' || entry.toLowerCase() === name);
}
