import { isIP } from 'node:net';

/** Whether a host name or address, without port, names this machine alone. */
export function isLoopback(host: string): boolean {
	const name = host
		.replace(/^\[|\]$/g, '')
		.toLowerCase()
		.replace(/^::ffff:/, '');
	if (name === 'localhost' || name === '::1') return true;
	return isIP(name) === 4 && name.startsWith('127.');
}

/** The host of a Host header or an origin, without its port; undefined when it is neither. */
export function hostOf(hostOrOrigin: string): string | undefined {
	const url = hostOrOrigin.includes('://') ? hostOrOrigin : `http://${hostOrOrigin}`;
	return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** Whether a host may be called, or may call: loopback, or one that was allowed by name. */
export function isAllowedHost(host: string, allowed: readonly string[]): boolean {
	const name = host.replace(/^\[|\]$/g, '').toLowerCase();
	return isLoopback(name) || allowed.some((entry) => entry === '*' || entry.toLowerCase() === name);
}
