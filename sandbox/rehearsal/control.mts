/**
 * The calls of the control API that a script may make: of its own channel and account alone, and
 * none that lets the sandbox call another program. Scripts come from others.
 */
import { z } from 'zod';

import { settingsPatchSchema } from '../core/settings.mts';
import { templateChangeSchema } from '../events/templateBodies.mts';

/** A play replaces the names by the ids. */
const ACCOUNT = { tenant: z.literal('{account}') };
const [status, category] = templateChangeSchema.options;
const change = z.discriminatedUnion('field', [
	status.extend(ACCOUNT).strict(),
	category.extend(ACCOUNT).strict(),
]);

const call = <M extends string, P extends string>(method: M, path: P) =>
	z.strictObject({ method: z.literal(method), path: z.literal(path) });
const post = <P extends string>(path: P) =>
	call('POST', path).extend({ method: z.literal('POST').default('POST') });

const CALLS = [
	post('/channels/{channel}/connect'),
	post('/channels/{channel}/disconnect'),
	post('/templates').extend({ body: change }),
	call('PATCH', '/settings').extend({
		body: settingsPatchSchema
			.pick({ templateReview: true, closedWindow: true })
			.refine((body) => Object.keys(body).length > 0, 'is empty'),
	}),
] as const;

const paths = CALLS.map(({ shape }) => shape.path.value).join(', ');

export const controlSchema = z
	.discriminatedUnion('path', [...CALLS], {
		errorMap: ({ code }, { defaultError }) => ({
			message:
				code === 'invalid_union_discriminator'
					? `is not for scripts. They can call ${paths}`
					: defaultError,
		}),
	})
	.describe("A call of the sandbox's control API. {channel} and {account} are replaced by ids");
