import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';

import { type SendRequest, sendRequestSchema } from '../contract.mts';
import { BODY_LIMIT } from '../openapi/operations.mts';
import { isDataUrl, MEDIA_KINDS, mediaRefusal } from '../media/file.mts';
import { describeIssue, invalid, tooLarge } from './json.mts';

/**
 * The values where media can be in a body: `content.attachments[].url` and
 * `content.body.thumbnail`.
 */
function mediaUrlsIn(body: unknown): unknown[] {
	const { content } = (body ?? {}) as { content?: { attachments?: unknown; body?: unknown } };
	const attachments: unknown[] = Array.isArray(content?.attachments) ? content.attachments : [];
	const urls = attachments.map((attachment) => (attachment as { url?: unknown } | null)?.url);
	return [...urls, (content?.body as { thumbnail?: unknown } | undefined)?.thumbnail];
}

/** Bytes of a body that are files in data URLs. */
const bytesOfFiles = (body: unknown): number =>
	mediaUrlsIn(body).reduce<number>(
		(sum, url) => sum + (typeof url === 'string' && isDataUrl(url) ? url.length : 0),
		0,
	);

/**
 * The problem with a media attachment, in the service's words; undefined if the problem is
 * elsewhere.
 */
function mediaIssue(body: unknown, { path, code, message }: z.ZodIssue) {
	const type = (body as { content?: { type?: unknown } } | undefined)?.content?.type;
	const [content, attachments, , field] = path;
	const isMedia = MEDIA_KINDS.some((kind) => kind === type);
	if (!isMedia || content !== 'content' || attachments !== 'attachments') return undefined;
	const where = path.join('.');
	if (field === 'url') return mediaRefusal('MEDIA_URL_REQUIRED', `${where} is required`);
	if (field === 'caption' && code === 'too_big')
		return mediaRefusal('MEDIA_CAPTION_TOO_LONG', `${where}: ${message}`);
	return undefined;
}

/** The body of a send. Throws a refusal if it is not valid. */
export function readSend({ body, bodySize }: FastifyRequest): SendRequest {
	if (bodySize - bytesOfFiles(body) > BODY_LIMIT) throw tooLarge(BODY_LIMIT);
	const parsed = sendRequestSchema.safeParse(body);
	if (parsed.success) return parsed.data;
	throw mediaIssue(body, parsed.error.issues[0]!) ?? invalid(describeIssue(parsed.error));
}
