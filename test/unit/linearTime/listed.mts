/** What an account of others lists: webhooks and templates, as the nodes read them. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { getAll as getTemplates } from '#nodes/resources/template/getAllTemplates.operation.ts';
import { getAll as getWebhooks } from '#nodes/resources/webhook/getAllWebhooks.operation.ts';
import { createServiceClient } from '#nodes/service/client.ts';
import { CHANNEL } from '../../support/constants.mts';
import { nodeContext } from '../../support/context.mts';

/** A node that gets this body as the response. */
function contextOf(body: unknown): IExecuteFunctions {
	const given: Record<string, unknown> = {
		...{ channelId: CHANNEL, businessId: 'b1', returnAll: true },
	};
	return nodeContext(() => ({ body }), {
		getNodeParameter: (name: string, _item: number, otherwise: unknown) => given[name] ?? otherwise,
	});
}

export async function webhooksListed(body: unknown): Promise<unknown> {
	const context = contextOf(body);
	return await getWebhooks('channel').executeItem?.(context, await createServiceClient(context), 0);
}

export async function templatesListed(data: unknown): Promise<unknown> {
	const context = contextOf({ data });
	return await getTemplates.executeItem?.(context, await createServiceClient(context), 0);
}

/** A text in which each `#` is another number: `{{#}}{{#}}` is two variables. */
const numbered = (text: string): string => {
	let count = 0;
	return text.replace(/#/g, () => String(++count));
};

/** A template with this text in one of its parts, and with a sample for each variable. */
export function templateWith(
	text: string,
	type: 'HEADER' | 'BODY' | 'FOOTER' | 'BUTTONS' = 'BODY',
) {
	const words = numbered(text);
	const names = [...words.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
	const example = {
		body_text: [names],
		body_text_named_params: names.map((param_name) => ({ param_name, example: 'x' })),
		header_text: names,
	};
	const buttons =
		type === 'BUTTONS' ? [{ type: 'URL', text: words, url: words, example: [words] }] : [];
	return {
		...{ id: '1', name: 'order_update', language: 'en', category: 'UTILITY' },
		components: [{ type, text: words, example, buttons }],
	};
}
