import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';

import type { Context } from '../context.mts';
import {
	type ListedComponent,
	newTemplateSchema,
	TEMPLATE_LIMITS,
	type TemplateDefinition,
	templateDefinitionSchema,
} from '../contract.mts';
import { Refusal } from '../core/errors.mts';
import { isTypeOf, type MediaFile, mediaTypeOf } from '../media/file.mts';
import type { Business } from '../store/businesses.mts';
import { submissionProblem } from '../store/components.mts';
import { componentsFromLibrary, TEMPLATE_LIBRARY } from '../store/templateLibrary.mts';
import { listedView, type Template } from '../store/templates.mts';
import { tenantIn } from './access.mts';
import { parseForm } from './form.mts';
import { describeIssue } from './json.mts';
import { serve } from './route.mts';
import { businessIn, invalidParameter } from './templates.mts';

/** A body that is not of the form. Source of the shape: published. */
function bodyWith<T extends z.ZodTypeAny>(schema: T, { body }: FastifyRequest): z.output<T> {
	const parsed = schema.safeParse(body);
	if (parsed.success) return parsed.data as z.output<T>;
	throw new Refusal(400, 'Invalid parameter', {
		shape: 'B',
		description: describeIssue(parsed.error),
	});
}

/**
 * Keeps a file for the example of a header. Of one that the page does not show, the name.
 *
 * @returns its handle
 */
export function keepTemplateFile(
	{ db, channels, media, submissions }: Context,
	{ id: businessId, tenantId }: Pick<Business, 'id' | 'tenantId'>,
	{ name, type: given, bytes }: MediaFile & { name: string },
): string {
	const ofTenant = channels.ofTenant(tenantId);
	const channel = ofTenant.find(({ wabaId }) => wabaId === businessId) ?? ofTenant[0];
	const type = mediaTypeOf(given);
	const isShown = isTypeOf('IMAGE', type) || isTypeOf('VIDEO', type);
	return db.transaction(() => {
		const path = channel && isShown ? media.add(channel.id, { type, bytes }) : null;
		return submissions.addFile(businessId, { name, path });
	});
}

/** Numbers of the chat application. Source: assumed. */
const NAME_TAKEN = '2388023';
const KNOWN_ALREADY = '2388024';
const TOO_OFTEN = '2388049';

/** The service's routes that create, change and delete templates. Source: published. */
export async function templateChangeRoutes(app: FastifyInstance, context: Context): Promise<void> {
	const { db, bus, reviews, submissions, templates } = context;

	app.addContentTypeParser(
		/^multipart\/form-data/,
		{ parseAs: 'buffer', bodyLimit: TEMPLATE_LIMITS.file },
		async (request: FastifyRequest, body: Buffer) =>
			await parseForm(body, request.headers['content-type']!),
	);

	/** The contents that a definition says. */
	function componentsIn(given: TemplateDefinition, category: string): ListedComponent[] {
		const { library_template_name: wanted, library_template_button_inputs: inputs } = given;
		if (wanted !== undefined) {
			const library = TEMPLATE_LIBRARY.find(({ name }) => name === wanted);
			if (!library) throw invalidParameter(`the library has no template ${wanted}`);
			return componentsFromLibrary(library, Array.isArray(inputs) ? inputs : []);
		}
		const problem = submissionProblem(
			given.components ?? [],
			category,
			(handle) => submissions.file(handle) !== undefined,
		);
		if (problem !== undefined) throw invalidParameter(problem);
		return given.components ?? [];
	}

	const one = (request: FastifyRequest, businessId: string): Template => {
		const { templateId } = request.params as { templateId: string };
		const template = templates.get(templateId);
		if (template?.businessId === businessId) return template;
		throw invalidParameter(`there is no template ${templateId} in this business account`);
	};

	serve(app, 'createTemplate', (request) => {
		const businessId = businessIn(context, request);
		const given = bodyWith(newTemplateSchema, request);
		const { name, language, category, library_template_name: library } = given;
		const components = componentsIn(given, category);
		const isWritten = library !== undefined;
		const created = db.transaction(() => {
			if (submissions.isFull(businessId))
				throw invalidParameter('at most 100 templates an hour can be created', TOO_OFTEN);
			if (submissions.isTaken(businessId, name))
				throw invalidParameter(
					`name: a template ${name} was deleted in the last 30 days, and its name is still taken`,
					NAME_TAKEN,
				);
			if (templates.named(businessId, name, language))
				throw invalidParameter(
					`name: there is a template ${name} in ${language} already`,
					KNOWN_ALREADY,
				);
			const { id: tenantId } = tenantIn(request);
			const status = isWritten ? ('APPROVED' as const) : ('PENDING' as const);
			const template = templates.create({
				...{ tenantId, businessId, name, language, category, components, status },
				reason: null,
			});
			if (isWritten) submissions.submitted(template, null);
			else reviews.submit(template);
			return template;
		});
		bus.emit('notice', 'template', { id: created.id });
		const { id, status } = created;
		return { id, status, category };
	});

	serve(app, 'updateTemplate', (request) => {
		const known = one(request, businessIn(context, request));
		const given = bodyWith(templateDefinitionSchema, request);
		const category = given.category ?? known.category;
		const components =
			given.components || 'library_template_name' in given
				? componentsIn(given, category)
				: known.components;
		db.transaction(() => {
			if (known.status === 'APPROVED') {
				if (submissions.isTooSoon(known))
					throw invalidParameter(
						'an approved template can be changed once in 24 hours and ten times in 30 days',
						TOO_OFTEN,
					);
				submissions.changed(known);
			}
			reviews.submit(templates.replace(known, components, category));
		});
		bus.emit('notice', 'template', { id: known.id });
		return { success: true };
	});

	serve(app, 'deleteTemplate', (request) => {
		const known = one(request, businessIn(context, request));
		const { name } = request.query as { name?: string };
		if (name !== known.name)
			throw invalidParameter(`name: the template ${known.id} has another name`);
		db.transaction(() => {
			submissions.takeName(known.businessId, known.name);
			templates.delete(known.id);
		});
		bus.emit('notice', 'template', { id: known.id, deleted: true });
		return { success: true };
	});

	serve(app, 'syncTemplates', (request) => {
		const businessId = businessIn(context, request);
		const data = templates.page({ businessId, limit: 100 }).map(({ template }) => template);
		return { data: data.map(listedView), syncedCount: data.length, synced: true };
	});

	serve(app, 'uploadTemplateFile', async (request) => {
		const businessId = businessIn(context, request);
		const file = request.body instanceof FormData ? request.body.get('file') : null;
		const type = request.body instanceof FormData ? request.body.get('type') : null;
		if (!(file instanceof File) || file.size === 0 || typeof type !== 'string')
			throw new Refusal(400, 'Invalid parameter', {
				shape: 'B',
				description: 'a form with a file and its type is required',
			});
		const bytes = Buffer.from(await file.arrayBuffer());
		const business = { id: businessId, tenantId: tenantIn(request).id };
		return { h: keepTemplateFile(context, business, { name: file.name, type, bytes }) };
	});

	serve(app, 'listTemplateLibrary', (request) => {
		businessIn(context, request);
		const data = TEMPLATE_LIBRARY.map(({ name, category, languages, components }) => ({
			...{ name, category, languages },
			body: components.find(({ type }) => type === 'BODY')?.text ?? '',
		}));
		return { data };
	});
}
