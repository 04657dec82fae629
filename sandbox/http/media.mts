import type { FastifyInstance } from 'fastify';

import type { Context } from '../context.mts';
import { Refusal } from '../core/errors.mts';
import { MEDIA_PATH } from '../store/media.mts';

/**
 * No content of a file can run: its type is one of the accepted types, and the browser must believe
 * it.
 */
const HEADERS = {
	'cache-control': 'private, max-age=31536000, immutable',
	'content-security-policy':
		"default-src 'none'; media-src 'self'; sandbox; frame-ancestors 'none'",
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
};

/**
 * Files, open to anybody with the address: receivers of events load them without a key, as from the
 * service.
 */
export async function mediaRoutes(app: FastifyInstance, { media }: Context): Promise<void> {
	app.get(`${MEDIA_PATH}:file`, async (request, reply) => {
		const { file } = request.params as { file: string };
		const stored = media.at(MEDIA_PATH + file);
		if (!stored) throw new Refusal(404, 'File not found');
		return reply.headers(HEADERS).type(stored.type).send(Buffer.from(stored.bytes));
	});
}
