import { isIP } from 'node:net';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { DEFAULT_TEMPLATES_PATH, IDEMPOTENCY_HEADER } from '../contract.mts';
import { Refusal } from '../core/errors.mts';
import { hostNamed, hostOf, isLoopback } from '../core/loopback.mts';
import { MEDIA_PATH } from '../store/media.mts';
import { requireToken } from './token.mts';

export interface Access {
	/** The address that the sandbox listens on. */
	address: string;
	/** Further host names under which the whole sandbox may be called. */
	allowedHosts: readonly string[];
	/**
	 * The token for the page and the control API; undefined: none, only for a sandbox of this
	 * machine.
	 */
	token?: string | undefined;
}

const refused = (why: string) => new Refusal(403, why);

/**
 * Whether the routes are the service's own: those that need a key, and files, whose addresses
 * cannot be guessed.
 */
const isService = ({ routeOptions: { url = '' } }: FastifyRequest): boolean =>
	url.startsWith('/v1/') || url.startsWith(DEFAULT_TEMPLATES_PATH) || url.startsWith(MEDIA_PATH);

/** The address of this machine that the caller reached, as a Host header names it. */
function addressReached({ raw }: FastifyRequest): string | undefined {
	const [address = ''] = (raw.socket.localAddress ?? '').split('%');
	return hostNamed(address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address);
}

/**
 * Whether a page of another site made the browser call. Following a link to here is allowed.
 *
 * @param isProxied a proxy may serve the page by https
 */
function comesFromElsewhere({ headers, method }: FastifyRequest, isProxied: boolean): boolean {
	const {
		origin,
		host,
		'sec-fetch-site': site,
		'sec-fetch-mode': mode,
		'sec-fetch-dest': destination,
	} = headers;
	if (origin !== undefined)
		return origin !== `http://${host}` && !(isProxied && origin === `https://${host}`);
	if (site === undefined || site === 'same-origin' || site === 'none') return false;
	return method !== 'GET' || mode !== 'navigate' || destination !== 'document';
}

/** Headers that proxies and tunnels add. Not all of them do. */
const PROXY_HEADERS = [
	...['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'x-cluster-client-ip', 'true-client-ip'],
	...['cf-connecting-ip', 'fastly-client-ip', 'x-original-host', 'x-original-url', 'x-rewrite-url'],
];

const comesThroughProxy = ({ headers }: FastifyRequest): boolean =>
	Object.keys(headers).some(
		(name) =>
			PROXY_HEADERS.includes(name) || name.startsWith('x-forwarded') || name.startsWith('x-envoy-'),
	);

/**
 * Refuses calls that a page of another site makes in somebody's browser: by the origin that the
 * browser states, and by the Host that DNS rebinding leaves. The control API has no key, so this,
 * the loopback address and the token guard it. A caller on another machine must use the address it
 * reached or an allowed name. Behind a proxy, every caller comes from this machine and uses its
 * name: every caller needs the token, and without a token a proxy's headers are refused.
 */
export function guard({ address, allowedHosts, token }: Access) {
	const allowed = new Set(allowedHosts);
	// 0.0.0.0 is not an address to call, so the address that was called counts.
	const listening = isIP(address) === 0 ? hostNamed(address) : undefined;
	return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
		// A request target with its own host would make the header meaningless.
		const name = request.raw.url?.startsWith('/') ? hostOf(request.headers.host ?? '') : undefined;
		// Otherwise a registered webhook could make the sandbox call its own control API.
		if (IDEMPOTENCY_HEADER in request.headers)
			throw refused('Deliveries do not reach the sandbox itself');
		const isKnown =
			name !== undefined &&
			((isLoopback(name) && isLoopback(request.ip)) ||
				allowed.has(name) ||
				name === listening ||
				name === addressReached(request));
		if (!isKnown)
			throw refused(
				'The sandbox can be called only under the name of this machine. Start it with --allow-host to add another name',
			);
		if (comesFromElsewhere(request, token !== undefined))
			throw refused("Calls from another site's pages are refused");
		if (isService(request)) return undefined;
		if (token !== undefined) return requireToken(token, request, reply) ? reply : undefined;
		if (comesThroughProxy(request))
			throw refused(
				'This call came through a proxy, and the sandbox has no token. To use a proxy, start the sandbox with --host, --allow-host or --token',
			);
		return undefined;
	};
}
