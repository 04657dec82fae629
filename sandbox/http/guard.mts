import { isIP } from 'node:net';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { IDEMPOTENCY_HEADER } from '../contract.mts';
import { Refusal } from '../core/errors.mts';
import { hostNamed, hostOf, isLoopback } from '../core/loopback.mts';
import { MEDIA_PATH } from '../store/media.mts';
import { requireToken } from './token.mts';

export interface Access {
	/** What the sandbox listens at. */
	address: string;
	/** Host names besides this machine's under which all of it may be called. */
	allowedHosts: readonly string[];
	/** What page and control API ask for, of all but this machine's loopback; undefined: they ask nobody, and other machines get no further than the service. */
	token?: string | undefined;
}

const refused = (why: string) => new Refusal(403, why);

/** Whether the routes are the service's own: those that ask for a key, and files, whose addresses nobody can guess. */
const isService = ({ routeOptions: { url = '' } }: FastifyRequest): boolean =>
	url.startsWith('/v1/') || url.startsWith(MEDIA_PATH);

/** The address of this machine that the caller reached, as a Host header names it. */
function addressReached({ raw }: FastifyRequest): string | undefined {
	const [address = ''] = (raw.socket.localAddress ?? '').split('%');
	return hostNamed(address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address);
}

/** Whether a page of another site made a browser ask. Following a link to here is a person's own doing. */
function comesFromElsewhere({ headers, method }: FastifyRequest): boolean {
	const {
		origin,
		host,
		'sec-fetch-site': site,
		'sec-fetch-mode': mode,
		'sec-fetch-dest': destination,
	} = headers;
	if (origin !== undefined) return origin !== `http://${host}`;
	if (site === undefined || site === 'same-origin' || site === 'none') return false;
	return method !== 'GET' || mode !== 'navigate' || destination !== 'document';
}

/**
 * Refuses what a page of another site makes somebody's browser call: by where the browser says it comes from, and by the Host that a rebound
 * name leaves behind. The control API has no key, and the demo tenant's is published, so this and the loopback address are what guards them.
 * A caller on another machine is let in under what was named alone: to the service by the address, to the rest by `--allow-host`, or by the
 * address with the token.
 */
export function guard({ address, allowedHosts, token }: Access) {
	const allowed = new Set(allowedHosts);
	// 0.0.0.0 names no address: the one that was called counts.
	const listening = isIP(address) === 0 ? hostNamed(address) : undefined;
	return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
		// A target with a host of its own would make the header say nothing.
		const name = request.raw.url?.startsWith('/') ? hostOf(request.headers.host ?? '') : undefined;
		// Or whoever may register a webhook could have the sandbox itself call its control API.
		if (IDEMPOTENCY_HEADER in request.headers)
			throw refused('Deliveries do not reach the sandbox itself');
		const isFromHere = name !== undefined && isLoopback(name) && isLoopback(request.ip);
		const isKnown =
			isFromHere ||
			(name !== undefined &&
				(allowed.has(name) ||
					((isService(request) || token !== undefined) &&
						(name === listening || name === addressReached(request)))));
		if (!isKnown && !isLoopback(request.ip) && !isService(request)) {
			throw refused(
				'The sandbox is controlled from this machine only. Start it with --allow-host to be called from others',
			);
		}
		if (!isKnown)
			throw refused(
				'The sandbox answers here only under the name of this machine. Start it with --allow-host to add one',
			);
		if (comesFromElsewhere(request))
			throw refused('Calls from the pages of another site are refused');
		// What a program on this machine hands on from elsewhere comes from the loopback too, but under the name that was called.
		const isAsked = token !== undefined && !isService(request) && !isFromHere;
		return isAsked && requireToken(token, request, reply) ? reply : undefined;
	};
}
