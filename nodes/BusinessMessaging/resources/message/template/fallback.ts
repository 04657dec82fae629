import type { INodeProperties } from 'n8n-workflow';

import { FALLBACK, type Show, templateFields } from './templateFields';
import { choiceField } from '../../../shared/node/fields';
import { readTemplate, type ReadyTemplate, type TemplateSource } from './read';

/** What to do if the window is closed. @param show for all of them. @param more to describe it */
export const fallbackFields = (show: Show = {}, more = ''): INodeProperties[] => [
	choiceField('When the Window Is Closed', 'whenWindowClosed', {
		// The fields below are shown by its value.
		noDataExpression: true,
		default: 'fail',
		options: {
			fail: ['Fail', 'The item fails, and nothing is sent'],
			sendTemplate: [
				'Send a Template Instead',
				'If the service refuses the message at once. If it accepts it and reports FAILED later, only a trigger sees that.',
			],
		},
		displayOptions: { show },
		description: `What to do if the customer has not written for 24 hours${more}`,
	}),
	...templateFields(FALLBACK, { ...show, whenWindowClosed: ['sendTemplate'] }),
];

/**
 * Reads the template that leaves if the window is closed, whatever the window: only the service
 * knows it.
 * @param notBefore as of `readTemplate`
 * @returns undefined if the message fails then
 * @throws Error that names the field, or what the template needs and does not get
 */
export const readFallback = async (
	source: TemplateSource,
	notBefore?: number,
): Promise<ReadyTemplate | undefined> =>
	source.context.getNodeParameter('whenWindowClosed', source.index, 'fail') === 'sendTemplate'
		? await readTemplate(source, FALLBACK, notBefore)
		: undefined;
