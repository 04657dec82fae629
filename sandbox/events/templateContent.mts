import { z } from 'zod';

import { TEMPLATE_REFUSALS } from '../contract.mts';
import { Refusal } from '../core/errors.mts';
import type { Content, SentTemplate } from '../store/content.mts';
import { fillIn, placeholdersIn, type Template } from '../store/templates.mts';

/** A parameter of a body; types besides text exist, and are shown by their name. */
const parameterSchema = z
	.object({ type: z.string().min(1), text: z.string().optional() })
	.passthrough()
	.refine(
		(parameter) => parameter.type !== 'text' || Boolean(parameter.text),
		'a parameter of type text needs a text',
	);
const bodySchema = z
	.object({ type: z.literal('body'), parameters: z.array(parameterSchema).default([]) })
	.passthrough();
const buttonSchema = z
	.object({
		type: z.literal('button'),
		sub_type: z.literal('quick_reply'),
		index: z.coerce.number().int().min(0),
		parameters: z.array(z.object({ payload: z.string().min(1) }).passthrough()).min(1),
	})
	.passthrough();

/** A template that cannot be sent, in the chat application's shape. */
export const templateRefusal = (
	{ status, code, message }: (typeof TEMPLATE_REFUSALS)[keyof typeof TEMPLATE_REFUSALS],
	detail: string,
) => new Refusal(status, `(#${code}) ${message}: ${detail}`, { shape: 'D', code });

const FIELD = 'content.attachments.0.template.components';

/** The texts that go into the body. */
function parametersOf({ components }: SentTemplate): string[] {
	const index = components.findIndex(({ type }) => type === 'body');
	if (index < 0) throw new Refusal(400, `${FIELD} must hold the body, even without parameters`);
	const body = bodySchema.safeParse(components[index]);
	if (!body.success) {
		const [issue] = body.error.issues;
		throw new Refusal(400, [FIELD, index, ...issue!.path].join('.') + `: ${issue!.message}`);
	}
	return body.data.parameters.map(({ type, text }) => text ?? `[${type}]`);
}

/** A template as the customer sees it. A quick reply's payload, where one is sent, is the id of its button. */
export function templateContent(sent: SentTemplate, known: Template): Content {
	const parameters = parametersOf(sent);
	const wanted = placeholdersIn(known.body);
	if (parameters.length !== wanted)
		throw templateRefusal(
			TEMPLATE_REFUSALS.parameters,
			`the body of ${sent.name} takes ${wanted}, not ${parameters.length}`,
		);
	const payloads = new Map(
		sent.components.flatMap((component) => {
			const { data } = buttonSchema.safeParse(component);
			return data ? [[data.index, data.parameters[0]!.payload] as const] : [];
		}),
	);
	const buttons = known.buttons.map((button, index) => ({
		...button,
		id: payloads.get(index) ?? button.id,
	}));
	return { type: 'TEMPLATE', text: fillIn(known.body, parameters), template: sent, buttons };
}
