import { hash, timingSafeEqual } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { Refusal } from '../core/errors.mts';

/** The header for the token. `Authorization` is for the service's own keys. */
export const TOKEN_HEADER = 'x-sandbox-token';

/** Cookies are shared by all ports of a host, so each sandbox has its own. */
const cookieOf = ({ headers }: FastifyRequest): string =>
	`sandbox_token_${/:(\d+)$/.exec(headers.host ?? '')?.[1] ?? ''}`;

function cookieIn(request: FastifyRequest): string | undefined {
	const beginning = `${cookieOf(request)}=`;
	return request.headers.cookie
		?.split(';')
		.map((cookie) => cookie.trim())
		.find((cookie) => cookie.startsWith(beginning))
		?.slice(beginning.length);
}

/** Compares hashes, so that its duration reveals neither the token nor its length. */
const isSame = (given: string, token: string): boolean =>
	timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'));

/**
 * Checks the token: in its header, or in the cookie that opening `/?token=…` once sets.
 *
 * @returns whether the response is already sent: a redirect to the address without the token
 * @throws Refusal 401 without the token
 */
export function requireToken(token: string, request: FastifyRequest, reply: FastifyReply): boolean {
	const { token: inAddress } = request.query as { token?: unknown };
	const isSignIn = request.method === 'GET' && request.routeOptions.url === '/';
	if (isSignIn && typeof inAddress === 'string' && isSame(inAddress, token)) {
		reply.headers({
			'set-cookie': `${cookieOf(request)}=${token}; Path=/; HttpOnly; SameSite=Strict`,
			'cache-control': 'no-store',
			'referrer-policy': 'no-referrer',
		});
		reply.redirect('/', 303);
		return true;
	}
	const given = request.headers[TOKEN_HEADER] ?? cookieIn(request);
	if (typeof given === 'string' && isSame(given, token)) return false;
	throw new Refusal(
		401,
		`This sandbox needs the token that it was started with. In a browser, open /?token=<the token>. Programs send it as ${TOKEN_HEADER}`,
	);
}
