import { Refusal } from '../core/errors.mts';
import { RESERVED_DELIVERY_HEADERS, type WebhookAuth } from '../contract.mts';

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
const HEADER_VALUE = /^[\x20-\x7e\x80-\xff]*$/;

/**
 * The body with its credentials in `auth`. Requests for template webhooks can have them flat:
 * `authType` beside `token` or `key`. Source: published.
 */
export function withAuth(body: unknown): unknown {
	if (typeof body !== 'object' || body === null || !('authType' in body)) return body;
	const { authType, token, key, ...others } = body as Record<string, unknown>;
	return { ...others, auth: { type: authType, token, key } };
}

/**
 * Credentials become headers of the delivery. An impossible header is refused here, not at the
 * first event.
 */
export function checkAuth(auth: WebhookAuth): void {
	for (const [field, value] of Object.entries(auth)) {
		if (!HEADER_VALUE.test(value))
			throw new Refusal(400, `auth.${field} has characters that no header can carry`);
	}
	if (auth.type !== 'CUSTOM_HEADER') return;
	const isReserved = (RESERVED_DELIVERY_HEADERS as readonly string[]).includes(
		auth.headerName.toLowerCase(),
	);
	if (!HEADER_NAME.test(auth.headerName) || isReserved)
		throw new Refusal(400, 'auth.headerName is not a header that can be chosen');
}
