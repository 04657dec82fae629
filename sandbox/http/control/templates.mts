import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Context } from '../../context.mts';
import { Refusal } from '../../core/errors.mts';
import { idSchema, requiredText, TEMPLATE_STATUSES } from '../../contract.mts';
import {
	templateChangeSchema,
	templateLanguage,
	templateName,
} from '../../events/templateBodies.mts';
import { phonesOf } from '../../store/channels.mts';
import { placeholdersIn, type Template } from '../../store/templates.mts';
import { parseWith } from '../json.mts';
import { tenantNamed } from './find.mts';

const MAX_BODY = 1024;
const MAX_BUTTONS = 10;
const category = requiredText.max(64);

const newTemplateSchema = z
	.object({
		tenant: idSchema.optional(),
		name: templateName,
		language: templateLanguage.default('en_US'),
		category: category.default('UTILITY'),
		body: requiredText.max(MAX_BODY),
		/** Quick replies. */
		buttons: z
			.array(z.object({ id: requiredText.max(256), title: requiredText.max(256) }).strict())
			.max(MAX_BUTTONS)
			.default([]),
		status: z.enum(TEMPLATE_STATUSES).default('PENDING'),
	})
	.strict();

const templatePatchSchema = z
	.object({
		status: z.enum(TEMPLATE_STATUSES),
		reason: z.string().max(512).nullable(),
		category,
	})
	.partial()
	.strict();

const templateView = ({ createdAt, ...template }: Template) => ({
	...template,
	/** How many parameters its body takes. */
	parameters: placeholdersIn(template.body),
	createdAt: new Date(createdAt).toISOString(),
});

/** As the page reads it. */
export type TemplateView = ReturnType<typeof templateView>;

export function templateRoutes(app: FastifyInstance, context: Context): void {
	const { db, bus, emitter, templates } = context;

	/** The business account whose templates they are. */
	const wabaIdOf = (tenantId: string): string =>
		context.channels.ofTenant(tenantId).find(({ wabaId }) => wabaId)?.wabaId ??
		phonesOf(tenantId)[0]!.wabaId;

	const find = (params: unknown): Template => {
		const template = templates.get((params as { id: string }).id);
		if (!template) throw new Refusal(404, 'Template not found');
		return template;
	};

	/** Tells webhooks of a change, whatever the store holds. */
	app.post('/_sandbox/templates', async (request) => {
		const { tenant, ...rest } = parseWith(
			z.object({ tenant: idSchema.optional() }).passthrough(),
			request.body,
		);
		const { id } = tenantNamed(context, tenant);
		const change = parseWith(templateChangeSchema, rest);
		return { webhooks: db.transaction(() => emitter.template(id, change, wabaIdOf(id))) };
	});

	app.get('/_sandbox/message-templates', async (request) => {
		const { tenant } = parseWith(z.object({ tenant: idSchema.optional() }), request.query);
		return { templates: templates.ofTenant(tenantNamed(context, tenant).id).map(templateView) };
	});

	app.post('/_sandbox/message-templates', async (request, reply) => {
		const { tenant, ...wanted } = parseWith(newTemplateSchema, request.body);
		const tenantId = tenantNamed(context, tenant).id;
		const template = db.transaction(() => templates.create({ ...wanted, tenantId, reason: null }));
		bus.emit('notice', 'template', templateView(template));
		return reply.code(201).send(templateView(template));
	});

	/** Changes what is given, and tells the webhooks of what changed. */
	app.patch('/_sandbox/message-templates/:id', async (request) => {
		const known = find(request.params);
		const wanted = parseWith(templatePatchSchema, request.body);
		const { tenantId, id: templateId, name, language } = known;
		const next = { status: known.status, reason: null, category: known.category, ...wanted };
		const changed = db.transaction(() => {
			const about = { templateId, name, language };
			const tell = (change: Parameters<typeof emitter.template>[1]) =>
				emitter.template(tenantId, change, wabaIdOf(tenantId));
			const { status, reason } = next;
			if (wanted.status !== undefined)
				tell({
					...about,
					field: 'status',
					status,
					category: next.category,
					reason: reason ?? 'NONE',
				});
			if (next.category !== known.category)
				tell({
					...{ ...about, field: 'category' },
					newCategory: next.category,
					previousCategory: known.category,
				});
			return templates.change(known, next);
		});
		bus.emit('notice', 'template', templateView(changed));
		return templateView(changed);
	});

	app.delete('/_sandbox/message-templates/:id', async (request, reply) => {
		const { id } = find(request.params);
		db.transaction(() => templates.delete(id));
		bus.emit('notice', 'template', { id, deleted: true });
		return reply.code(204).send();
	});
}
