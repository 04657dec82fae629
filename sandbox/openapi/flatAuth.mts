import { z } from 'zod';

import { webhookAuthSchema } from '../contract.mts';

/** Flat credentials: `authType` in place of `auth.type`, and its fields beside it. */
const flatAuth = z.union(
	webhookAuthSchema.options.map(({ shape: { type, ...fields } }) =>
		z.object({ authType: type, ...fields }),
	) as unknown as [z.ZodTypeAny, z.ZodTypeAny],
);

/** A body with credentials in `auth`, or flat. If `authType` is there, `auth` is ignored. */
export const withEitherAuth = (body: z.ZodObject<z.ZodRawShape & { auth: z.ZodTypeAny }>) =>
	z.union([
		body.extend({ authType: z.literal('NONE').optional() }),
		body.omit({ auth: true }).and(flatAuth),
	]);
