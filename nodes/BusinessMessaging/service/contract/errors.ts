import { z } from 'zod';

/** Error body of connect, send and the channel webhook routes. Source: description, shape A. */
export const errorASchema = z.object({ error: z.number().int(), message: z.string() });

/** Error body of template webhooks and of the channel list. Source: description, shape B. */
export const errorBSchema = z.object({ error: z.string() });

/** Error body of send on older pages. Only media have a `subCode`. Source: published, shape C. */
export const errorCSchema = z
	.object({
		timestamp: z.unknown(),
		code: z.union([z.string(), z.number()]),
		message: z.string(),
		subCode: z.string().nullish(),
	})
	// Other servers also have a code and a message.
	.refine(({ timestamp, subCode }) => timestamp !== undefined || typeof subCode === 'string');

/** Error body about templates: the chat application's errors. Source: published, shape D. */
export const errorDSchema = z.object({ error: z.object({ errors: z.array(z.unknown()) }) });

/** The same list at the top level. Source: published. */
export const errorListSchema = z.object({ errors: z.array(z.unknown()) });

/** The same list, beside shape B. Source: published. */
export const innerErrorsSchema = z.object({ value: z.object({ errors: z.array(z.unknown()) }) });

const anyText = z.string().catch('');
const innerCode = z.union([z.string(), z.number()]).nullish().catch(null);

/** `description` often has the reason, and support asks for `traceId`. Source: published. */
export const innerErrorSchema = z.object({
	message: anyText,
	description: anyText,
	code: innerCode,
	subCode: innerCode,
	traceId: anyText,
});

/** A 400 for a wrong key on the routes of channels: `Authorization invalid`. Source: published. */
export const KEY_REFUSED_PATTERN = /^authorization (?:is )?invalid\b|^invalid authorization\b/i;

/** A 400 for an address: `203.0.113.10 not allowed`, or `ip not allowed`. Source: published. */
export const ADDRESS_REFUSED_PATTERN =
	/^(?:ip(?: address)?|(?:ip )?((?=\S*[.:])[\da-f:.]{2,45})) not allowed\b/i;

/** A `subCode` about media. There may be more than we know. Source: an older page. */
export const MEDIA_SUB_CODE_PATTERN = /^MEDIA_[A-Z_]{1,58}$/;
