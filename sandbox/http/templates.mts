import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';

import type { Context } from '../context.mts';
import { LISTED_STATUSES, TEMPLATE_PAGE_SIZE } from '../contract.mts';
import { Refusal } from '../core/errors.mts';
import { wholeNumber } from '../openapi/operations.mts';
import type { RuleBroken } from '../store/templateRules.mts';
import { listedView } from '../store/templates.mts';
import { tenantIn } from './access.mts';
import { describeIssue } from './json.mts';
import { serve } from './route.mts';

/** A cursor is the place of a template in the list, so that nobody counts on its form. */
const cursorAt = (place: number): string => Buffer.from(`place:${place}`).toString('base64url');
const cursor = z.string().transform((given, { addIssue }) => {
	const place = /^place:(\d{1,15})$/.exec(Buffer.from(given, 'base64url').toString())?.[1];
	if (place !== undefined) return Number(place);
	addIssue({ code: 'custom', message: 'must be a cursor of an earlier page' });
	return z.NEVER;
});

/** Query of a business's templates. Source: published. */
const templateListQuerySchema = z
	.object({
		limit: wholeNumber
			.pipe(z.number().min(1).max(TEMPLATE_PAGE_SIZE.max))
			.default(String(TEMPLATE_PAGE_SIZE.default)),
		status: z.enum(LISTED_STATUSES).optional(),
		after: cursor.optional(),
		before: cursor.optional(),
	})
	.refine(
		({ after, before }) => after === undefined || before === undefined,
		'give after or before, not both',
	);

/** What the chat application names a refused request for templates. */
export const INVALID = { name: 'InvalidParameter', message: 'Invalid parameter' };

/** The chat application's refusal: only the description helps. Source of the form: published. */
export const invalidParameter = ({ description, subCode }: RuleBroken) =>
	new Refusal(422, INVALID.message, {
		...{ shape: 'D', code: '100', name: INVALID.name, description },
		...(subCode === undefined ? {} : { subCode }),
	});

/** The business account of a request's path. */
export function businessIn(context: Context, request: FastifyRequest): string {
	const { businessId } = request.params as { businessId: string };
	const ofTenant = context.businesses.ofTenant(tenantIn(request).id);
	if (ofTenant.some(({ id }) => id === businessId)) return businessId;
	const description = `businessId: there is no business account ${businessId}`;
	throw invalidParameter({ description });
}

/** The service's routes for business accounts and their templates. Source: published. */
export function templateRoutes(app: FastifyInstance, context: Context): void {
	const { businesses, channels, templates } = context;

	serve(app, 'listBusinesses', (request) => {
		const { id: tenantId } = tenantIn(request);
		const ofTenant = channels.ofTenant(tenantId);
		return businesses.ofTenant(tenantId).map(({ id: businessId, name }) => {
			const own = ofTenant.filter(({ wabaId }) => wabaId === businessId);
			const connectedCount = own.filter(({ connected }) => connected).length;
			return {
				...{ businessId, name, channelsCount: own.length, connectedCount },
				disconnectedCount: own.length - connectedCount,
			};
		});
	});

	serve(app, 'listTemplates', (request) => {
		const businessId = businessIn(context, request);
		const query = templateListQuerySchema.safeParse(request.query);
		if (!query.success) throw invalidParameter({ description: describeIssue(query.error) });
		const found = templates.page({ businessId, ...query.data });
		const [first, last] = [found[0], found.at(-1)];
		return {
			data: found.map(({ template }) => listedView(template)),
			// Also on the last page: an empty one follows it. That a page can have none is published.
			...(first && last
				? { paging: { cursors: { before: cursorAt(first.place), after: cursorAt(last.place) } } }
				: {}),
		};
	});
}
