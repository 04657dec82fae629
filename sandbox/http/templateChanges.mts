import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Context } from '../context.mts';
import {
	type ListedComponent,
	TEMPLATE_LIMITS,
	TEMPLATE_PAGE_SIZE,
	typeOfBytes,
} from '../contract.mts';
import { Refusal } from '../core/errors.mts';
import { isTypeOf, type MediaFile, mediaTypeOf } from '../media/file.mts';
import type { Business } from '../store/businesses.mts';
import { mimeTypeSchema, type SubmittedTemplate, templateSchema } from '../store/templateForm.mts';
import { componentsFromLibrary, TEMPLATE_LIBRARY } from '../store/templateLibrary.mts';
import { brokenRule } from '../store/templateRules.mts';
import { listedView, type Template } from '../store/templates.mts';
import { tenantIn } from './access.mts';
import { parseForm } from './form.mts';
import { describeIssue } from './json.mts';
import { serve } from './route.mts';
import { businessIn, INVALID, invalidParameter } from './templates.mts';

/** The definition of a template. One that is not of the form: B, published. */
function definitionIn({ body }: FastifyRequest): SubmittedTemplate {
	const parsed = templateSchema.safeParse(body);
	if (parsed.success) return parsed.data;
	const description = describeIssue(parsed.error);
	throw new Refusal(400, INVALID.message, { shape: 'B', name: INVALID.name, description });
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
		return submissions.addFile(businessId, { name, path }, typeOfBytes(bytes) ?? type);
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

	const refused = (description: string, subCode?: string) =>
		invalidParameter({ description, ...(subCode && { subCode }) });

	/** The contents that a definition says. */
	function componentsIn(given: SubmittedTemplate): ListedComponent[] {
		const { library_template_name: wanted, library_template_button_inputs: inputs } = given;
		if (wanted !== undefined) {
			const library = TEMPLATE_LIBRARY.find(({ name }) => name === wanted);
			if (!library?.languages.includes(given.language))
				throw refused(`the library has no template ${wanted} in ${given.language}`);
			return componentsFromLibrary(library, inputs);
		}
		const broken = brokenRule(given, submissions.typeOf);
		if (broken) throw invalidParameter(broken);
		return given.components ?? [];
	}

	const one = (request: FastifyRequest, businessId: string): Template => {
		const { templateId } = request.params as { templateId: string };
		const template = templates.get(templateId);
		if (template?.businessId === businessId) return template;
		throw refused(`there is no template ${templateId} in this business account`);
	};

	serve(app, 'createTemplate', (request) => {
		const businessId = businessIn(context, request);
		const given = definitionIn(request);
		const { name, language, category, library_template_name: library } = given;
		const components = componentsIn(given);
		const isWritten = library !== undefined;
		const created = db.transaction(() => {
			if (submissions.isFull(businessId))
				throw refused('at most 100 templates an hour can be created', TOO_OFTEN);
			if (submissions.isTaken({ businessId, name, language }))
				throw refused(
					`name: a template ${name} in ${language} was deleted in the last 30 days, and its name is still taken`,
					NAME_TAKEN,
				);
			if (templates.named(businessId, name, language))
				throw refused(`name: there is a template ${name} in ${language} already`, KNOWN_ALREADY);
			const { id: tenantId } = tenantIn(request);
			const status = isWritten ? ('APPROVED' as const) : ('PENDING' as const);
			const template = templates.create({
				...{ tenantId, businessId, name, language, category, components, status },
				...{ reason: null, ttl: given.message_send_ttl_seconds ?? null },
			});
			if (isWritten) submissions.submitted(template, null);
			else reviews.submit(template);
			return template;
		});
		bus.emit('notice', 'template', { id: created.id });
		const { id, status } = created;
		return { id, status, category };
	});

	/** Refuses what cannot be changed. Source: published. */
	function checkChange(known: Template, { name, language, category }: SubmittedTemplate): void {
		const { id, status } = known;
		if (status === 'PENDING') throw refused(`the template ${id} is in review`);
		if (name !== known.name || language !== known.language)
			throw refused('name and language of a template stay as they are');
		if (status !== 'APPROVED') return;
		if (category !== known.category)
			throw refused('the category of an approved template stays as it is');
		if (submissions.isTooSoon(known))
			throw refused(
				'an approved template can be changed once in 24 hours and ten times in 30 days',
				TOO_OFTEN,
			);
	}

	serve(app, 'updateTemplate', (request) => {
		const known = one(request, businessIn(context, request));
		const given = definitionIn(request);
		checkChange(known, given);
		const { category, message_send_ttl_seconds: ttl = null } = given;
		const components = componentsIn(given);
		db.transaction(() => {
			if (known.status === 'APPROVED') submissions.changed(known);
			reviews.submit(templates.replace(known, { components, category, ttl }));
		});
		bus.emit('notice', 'template', { id: known.id });
		return { success: true };
	});

	// That only the name removes its translations: assumed.
	serve(app, 'deleteTemplate', (request) => {
		const known = one(request, businessIn(context, request));
		const { name } = request.query as { name?: string };
		if (name !== undefined && name !== known.name)
			throw refused(`name: the template ${known.id} has another name`);
		const gone = name === undefined ? [known] : templates.ofName(known.businessId, name);
		db.transaction(() => {
			for (const template of gone) {
				if (template.status === 'APPROVED') submissions.takeName(template);
				templates.delete(template.id);
			}
		});
		for (const { id } of gone) bus.emit('notice', 'template', { id, deleted: true });
		return { success: true };
	});

	serve(app, 'syncTemplates', (request) => {
		const businessId = businessIn(context, request);
		const first = templates.page({ businessId, limit: TEMPLATE_PAGE_SIZE.max });
		const data = first.map(({ template }) => listedView(template));
		return { data, syncedCount: data.length, synced: true };
	});

	serve(app, 'uploadTemplateFile', async (request) => {
		const businessId = businessIn(context, request);
		const file = request.body instanceof FormData ? request.body.get('file') : null;
		const given = request.body instanceof FormData ? request.body.get('type') : null;
		const { data: type } = mimeTypeSchema.safeParse(given);
		if (!(file instanceof File) || file.size === 0 || type === undefined)
			throw new Refusal(400, 'a form with a file and its type is required');
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
