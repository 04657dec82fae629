import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { getAll } from '../../../nodes/BusinessMessaging/resources/template/getAll.ts';
import { createServiceClient } from '../../../nodes/BusinessMessaging/service/client.ts';
import { ServiceError } from '../../../nodes/BusinessMessaging/service/errors/index.ts';
import { type EntryPoint, must } from '../entryPoint.mts';
import { jsonOf, oddText } from '../texts.mts';
import { contextOf } from './listedWebhooks.mts';

const VARIABLES_MAX = 100;

const name = fc.constantFrom('1', '2', '10', 'name', 'order_id', 'a'.repeat(65), '', ' ');
const piece = fc.oneof(
	name.map((text) => `{{${text}}}`),
	fc.constantFrom('Hello ', ', ', '\n', '{{', '}}', '{'),
	oddText,
);
const text = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
	},
	{
		weight: 1,
		arbitrary: fc
			.integer({ min: 95, max: 130 })
			.map((count) => Array.from({ length: count }, (_, at) => `{{${at + 1}}}`).join(' ')),
	},
);
const example = fc.oneof(
	fc.constantFrom<unknown>(
		undefined,
		{ body_text: [['Ana', '1042']], header_text: ['1042'] },
		{ body_text_named_params: [{ param_name: 'name', example: 'Ana' }] },
		['https://shop.example/1042'],
	),
	jsonOf('body_text', 'header_text', 'body_text_named_params', 'param_name', 'example'),
);
const button = fc.record({
	type: fc.constantFrom('URL', 'QUICK_REPLY', 'COPY_CODE', 'FLOW'),
	text,
	url: text,
	example,
});
const component = fc.record(
	{
		type: fc.constantFrom('HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CAROUSEL'),
		format: fc.constantFrom('TEXT', 'IMAGE', 'LOCATION'),
		text,
		example,
		buttons: fc.array(button, { maxLength: 3 }),
	},
	{ requiredKeys: ['type'] },
);
const input = fc.record({
	listed: fc.array(
		fc.record({
			id: fc.constant('1'),
			name: fc.constant('order_update'),
			language: fc.constant('en'),
			category: fc.constantFrom('UTILITY', 'AUTHENTICATION'),
			components: fc.array(component, { maxLength: 4 }),
		}),
		{ maxLength: 3 },
	),
});
export type ListedTemplatesInput = typeof input extends fc.Arbitrary<infer Value> ? Value : never;

/** The operation under test. @returns the items */
export type GetTemplates = (listed: unknown) => Promise<IDataObject | IDataObject[] | undefined>;

const getTemplates: GetTemplates = async (listed) => {
	const context = contextOf({ data: listed }, { businessId: 'b1' });
	return await getAll.executeItem?.(context, await createServiceClient(context), 0);
};

/** A text in which each `#` is another number: `{{#}}{{#}}` is two variables. */
const numbered = (text: string): string => {
	let count = 0;
	return text.replace(/#/g, () => String(++count));
};

/** A template with this text in one of its parts, and with a sample for each variable. */
export function templateWith(
	text: string,
	type: 'HEADER' | 'BODY' | 'FOOTER' | 'BUTTONS' = 'BODY',
): ListedTemplatesInput['listed'][number] {
	const words = numbered(text);
	const names = [...words.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
	const example = {
		body_text: [names],
		body_text_named_params: names.map((param_name) => ({ param_name, example: 'x' })),
		header_text: names,
	};
	const buttons =
		type === 'BUTTONS' ? [{ type: 'URL' as const, text: words, url: words, example: [words] }] : [];
	return {
		...{ id: '1', name: 'order_update', language: 'en', category: 'UTILITY' },
		components: [{ type, text: words, example, buttons }],
	};
}

/** Template → Get Many: the words of a template are those of whoever wrote it at the service. */
export function listedTemplatesOf(run: GetTemplates): EntryPoint<ListedTemplatesInput> {
	return {
		name: 'listed-templates',
		input,
		check: async ({ listed }) => {
			const items = await run(listed).catch((error: unknown) => {
				must(error instanceof ServiceError, `it failed with ${String(error)}`);
				return [];
			});
			for (const { variables, variablesLeftOff } of [items ?? []].flat()) {
				must(Array.isArray(variables), 'an item without variables');
				must(variables.length <= VARIABLES_MAX, `${variables.length} variables`);
				must(
					variablesLeftOff === undefined || variables.length === VARIABLES_MAX,
					'variables are left off before there are too many',
				);
				for (const { id, label } of variables as IDataObject[])
					must(
						typeof id === 'string' && typeof label === 'string' && !label.includes('undefined'),
						`a variable is ${JSON.stringify({ id, label })}`,
					);
			}
		},
		withText: (text) =>
			(['HEADER', 'BODY', 'FOOTER', 'BUTTONS'] as const).map((type) => ({
				listed: [templateWith(text, type)],
			})),
	};
}

export const listedTemplates = listedTemplatesOf(getTemplates);
