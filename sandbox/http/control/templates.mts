import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Context } from '../../context.mts';
import { Refusal } from '../../core/errors.mts';
import {
	idSchema,
	placeholdersIn,
	requiredText,
	TEMPLATE_LIMITS,
	TEMPLATE_STATUSES,
} from '../../contract.mts';
import { templatePreview } from '../../events/templateContent.mts';
import {
	templateChangeSchema,
	templateLanguage,
	templateName,
} from '../../events/templateBodies.mts';
import {
	buttonsOf,
	parameterFormatOf,
	partOf,
	replyIdOf,
	simpleComponents,
} from '../../store/components.mts';
import type { Submissions } from '../../store/submissions.mts';
import { templateSchema } from '../../store/templateForm.mts';
import { brokenRule, componentsSchema } from '../../store/templateRules.mts';
import type { Template } from '../../store/templates.mts';
import { invalid, parseWith } from '../json.mts';
import { tenantNamed } from './find.mts';

const category = requiredText.max(64);

/** A template: its components, or for short the text of its body and quick replies. */
const newTemplateSchema = z
	.strictObject({
		tenant: idSchema.optional(),
		/** Name of its business account, made if there is none. Left out: the tenant's first one. */
		business: requiredText.max(256).optional(),
		name: templateName,
		language: templateLanguage.default('en_US'),
		category: category.default('UTILITY'),
		components: componentsSchema.optional(),
		body: requiredText.max(TEMPLATE_LIMITS.body).optional(),
		/** Quick replies. */
		buttons: z
			.array(z.strictObject({ id: requiredText.max(256), title: requiredText }))
			.max(TEMPLATE_LIMITS.buttons)
			.optional(),
		status: z.enum(TEMPLATE_STATUSES).default('PENDING'),
	})
	.transform(({ components, body, buttons, ...template }, { addIssue }) => {
		const problem = (path: string, message: string) => {
			addIssue({ code: 'custom', path: [path], message });
			return z.NEVER;
		};
		if (components === undefined) {
			if (body === undefined) {
				const missing = { expected: 'string', received: 'undefined' } as const;
				addIssue({ code: 'invalid_type', path: ['body'], ...missing });
				return z.NEVER;
			}
			const simple = componentsSchema.safeParse(simpleComponents(body, buttons ?? []));
			return simple.success
				? { ...template, components: simple.data }
				: problem('body', simple.error.issues[0]!.message);
		}
		if (body !== undefined) return problem('body', 'give body or components, not both');
		if (buttons !== undefined) return problem('buttons', 'are among the components');
		const hasText = components.some(({ type, text }) => type === 'BODY' && text);
		return hasText || template.category === 'AUTHENTICATION'
			? { ...template, components }
			: problem('components', 'the BODY needs a text, except in the category AUTHENTICATION');
	});

const templatePatchSchema = z
	.object({
		status: z.enum(TEMPLATE_STATUSES),
		reason: z.string().max(512).nullable(),
		category,
	})
	.partial()
	.strict();

function templateView(template: Template, business: string, submissions: Submissions) {
	const body = partOf(template, 'BODY')?.text ?? '';
	return {
		...template,
		/** Name of its business account. */
		business,
		parameterFormat: parameterFormatOf(template),
		/** The text of the body, and the quick replies. */
		body,
		buttons: buttonsOf(template)
			.filter(({ type }) => type === 'QUICK_REPLY')
			.map((button) => ({ id: replyIdOf(button), title: button.text ?? '' })),
		/** Number of parameters of its body. */
		parameters: placeholdersIn(body).length,
		/** As the customer will see it, with its examples. */
		shown: templatePreview(template, (handle) => submissions.file(handle)),
		createdAt: new Date(template.createdAt).toISOString(),
	};
}

/** A template as the page reads it. */
export type TemplateView = ReturnType<typeof templateView>;

export function templateRoutes(app: FastifyInstance, context: Context): void {
	const { db, bus, emitter, businesses, reviews, submissions, templates } = context;

	const view = (template: Template) => {
		const ofTenant = businesses.ofTenant(template.tenantId);
		const { name } = ofTenant.find(({ id }) => id === template.businessId)!;
		return templateView(template, name, submissions);
	};

	const find = (params: unknown): Template => {
		const template = templates.get((params as { id: string }).id);
		if (!template) throw new Refusal(404, 'Template not found');
		return template;
	};

	/** Tells webhooks of a change, whether the store has the template or not. */
	app.post('/_sandbox/templates', async (request) => {
		const { tenant, ...rest } = parseWith(
			z.object({ tenant: idSchema.optional() }).passthrough(),
			request.body,
		);
		const { id } = tenantNamed(context, tenant);
		const change = parseWith(templateChangeSchema, rest);
		return {
			webhooks: db.transaction(() => emitter.template(id, change, businesses.first(id).id)),
		};
	});

	app.get('/_sandbox/message-templates', async (request) => {
		const { tenant } = parseWith(z.object({ tenant: idSchema.optional() }), request.query);
		return { templates: templates.ofTenant(tenantNamed(context, tenant).id).map(view) };
	});

	app.post('/_sandbox/message-templates', async (request, reply) => {
		const { tenant, business, ...wanted } = parseWith(newTemplateSchema, request.body);
		const tenantId = tenantNamed(context, tenant).id;
		const isSubmitted = wanted.status === 'PENDING';
		const broken = isSubmitted && brokenRule(parseWith(templateSchema, wanted), submissions.typeOf);
		if (broken) throw invalid(broken.description);
		const template = db.transaction(() => {
			const businessId = businesses.named(tenantId, business).id;
			const made = templates.create({ ...wanted, tenantId, businessId, reason: null });
			if (isSubmitted) reviews.submit(made);
			return made;
		});
		bus.emit('notice', 'template', view(template));
		return reply.code(201).send(view(template));
	});

	/** Changes the given fields and tells webhooks about them. */
	app.patch('/_sandbox/message-templates/:id', async (request) => {
		const known = find(request.params);
		const wanted = parseWith(templatePatchSchema, request.body);
		return view(reviews.decide(known, wanted));
	});

	app.delete('/_sandbox/message-templates/:id', async (request, reply) => {
		const { id } = find(request.params);
		db.transaction(() => templates.delete(id));
		bus.emit('notice', 'template', { id, deleted: true });
		return reply.code(204).send();
	});
}
