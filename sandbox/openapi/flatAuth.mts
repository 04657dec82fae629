import { z } from 'zod';

const text = z.string().min(1);

/**
 * A body with credentials in `auth`, or flat: `authType` in place of `auth.type`, with what is
 * published beside it. If `authType` is there, `auth` is ignored.
 */
export const withEitherAuth = (body: z.ZodObject<z.ZodRawShape & { auth: z.ZodTypeAny }>) => {
	const flat = body.omit({ auth: true });
	return z.union([
		body.extend({ authType: z.literal('NONE').optional() }),
		flat.extend({ authType: z.literal('BEARER'), token: text }),
		flat.extend({ authType: z.literal('API_KEY'), key: text }),
	]);
};
