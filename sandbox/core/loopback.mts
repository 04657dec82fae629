import { BlockList, isIP } from 'node:net';

/** What a Host header can be: a name or an address, with or without a port. No other part of a URL. */
const HOST = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Knows an IPv4 address in its IPv6 form, too. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

const withoutBrackets = (host: string): string =>
	host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;

/** Whether a host name or address, without port, names this machine alone. */
export function isLoopback(host: string): boolean {
	const name = withoutBrackets(host).toLowerCase();
	const version = isIP(name);
	return version === 0
		? name === 'localhost'
		: LOOPBACK.check(name, version === 6 ? 'ipv6' : 'ipv4');
}

/** The host of a Host header without its port, as a URL writes it; undefined when the header is not one. */
export function hostOf(header: string): string | undefined {
	const url = `http://${header}`;
	return HOST.test(header) && URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** One host, given by its name or address alone, as a URL writes it. */
export function hostNamed(text: string): string | undefined {
	// With a port of its own, it would have two.
	return hostOf(`${isIP(text) === 6 ? `[${text}]` : text}:80`);
}

/** Whether deliveries may go to a host: loopback, or one that was allowed by name. */
export function isAllowedHost(host: string, allowed: readonly string[]): boolean {
	const name = withoutBrackets(host).toLowerCase();
	return isLoopback(name) || allowed.some((entry) => entry === '*' || entry.toLowerCase() === name);
}
