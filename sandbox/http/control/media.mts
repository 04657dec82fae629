import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';

import type { Context } from '../../context.mts';
import { Refusal } from '../../core/errors.mts';
import {
	idSchema,
	MEDIA_MAX,
	type MediaKind,
	requiredText,
	TEMPLATE_LIMITS,
} from '../../contract.mts';
import { isTypeOf, MEDIA_KINDS, mediaTypeOf } from '../../media/file.mts';
import type { Channel } from '../../store/channels.mts';
import { parseWith } from '../json.mts';
import { keepTemplateFile } from '../templateChanges.mts';
import { channelNamed, tenantNamed } from './find.mts';

const MAX_UPLOAD = Math.max(...Object.values(MEDIA_MAX));
const EXAMPLE = { bodyLimit: TEMPLATE_LIMITS.file };

/** Refuses the path of a file of another channel or kind. Web addresses pass. */
export function checkUploaded(
	{ media }: Context,
	channel: Channel,
	content: { type: string; url?: string; thumbnailUrl?: string | undefined },
): void {
	const check = (field: string, url: string | undefined, kind: MediaKind) => {
		if (url === undefined || !url.startsWith('/')) return;
		const file = media.at(url);
		if (file?.channelId !== channel.id)
			throw new Refusal(400, `${field}: this channel has no such uploaded file`);
		if (!isTypeOf(kind, file.type))
			throw new Refusal(400, `${field}: a file of type ${file.type} cannot be sent as ${kind}`);
	};
	const kind = MEDIA_KINDS.find((known) => known === content.type);
	if (kind) check('url', content.url, kind);
	check('thumbnailUrl', content.thumbnailUrl, 'IMAGE');
}

function fileIn({ body }: FastifyRequest): Buffer {
	if (Buffer.isBuffer(body) && body.length > 0) return body;
	throw new Refusal(400, 'The body must be the file');
}

/** Files of the customer, which its messages then name by path, and of templates. */
export async function uploadRoutes(app: FastifyInstance, context: Context): Promise<void> {
	app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: unknown) =>
		Promise.resolve(body),
	);

	/** Stores a file: the body is the file, Content-Type its type. */
	app.post('/_sandbox/media', { bodyLimit: MAX_UPLOAD }, async (request, reply) => {
		const { channelId } = parseWith(z.object({ channelId: idSchema }), request.query);
		const channel = channelNamed(context, channelId);
		const type = mediaTypeOf(request.headers['content-type'] ?? '');
		const kinds = MEDIA_KINDS.filter((kind) => isTypeOf(kind, type));
		if (kinds.length === 0)
			throw new Refusal(415, 'Content-Type must be an image, video or audio type that can be sent');
		const bytes = fileIn(request);
		const url = context.db.transaction(() => context.media.add(channel.id, { type, bytes }));
		return reply.code(201).send({ url, type, size: bytes.length, kinds });
	});

	/** Stores the example of a header: the body is the file, Content-Type its type. */
	app.post('/_sandbox/template-media', EXAMPLE, async (request, reply) => {
		const query = z.object({ tenant: idSchema.optional(), name: requiredText.max(256) });
		const { tenant, name } = parseWith(query, request.query);
		const business = context.businesses.first(tenantNamed(context, tenant).id);
		const file = { name, type: request.headers['content-type'] ?? '', bytes: fileIn(request) };
		return reply.code(201).send({ h: keepTemplateFile(context, business, file) });
	});
}
