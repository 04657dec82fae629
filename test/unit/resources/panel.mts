/** What the editor shows of the nodes, by n8n's own rules of what is shown when. */
import type { INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node.ts';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node.ts';

export const action: INodeType = new BusinessMessaging();
export const trigger: INodeType = new BusinessMessagingTrigger();
const node = { typeVersion: 2 };

/**
 * The values as n8n sees them when it loads a workflow.
 * @param filledIn whether with those that are left at their defaults
 */
export const valuesOf = (
	{ description }: INodeType,
	entered: INodeParameters,
	filledIn: boolean,
): INodeParameters =>
	NodeHelpers.getNodeParameters(
		description.properties,
		entered,
		filledIn,
		false,
		node,
		description,
	) ?? {};

/** The fields that the editor shows with these values, in their order. */
export function shown(type: INodeType, entered: INodeParameters): INodeProperties[] {
	const { description } = type;
	const values = { ...valuesOf(type, entered, true), ...entered };
	return description.properties.filter(
		(field) =>
			field.type !== 'hidden' && NodeHelpers.displayParameter(values, field, node, description),
	);
}

/** The names of the options that can be added, or are, with these values. */
export function offered(type: INodeType, entered: INodeParameters): string[] {
	const collection = shown(type, entered).find(({ name }) => name === 'options');
	const values = { ...valuesOf(type, entered, true), ...entered };
	const added = (entered.options ?? {}) as INodeParameters;
	return namesOf(
		((collection?.options ?? []) as INodeProperties[]).filter((option) =>
			NodeHelpers.displayParameter(added, option, node, type.description, values),
		),
	);
}

export const namesOf = (fields: readonly INodeProperties[]) => fields.map(({ name }) => name);

export const SENDING = [
	'sendText',
	'sendMedia',
	'sendButtons',
	'sendTemplate',
	'sendContact',
	'sendOther',
];

/** Send and Wait with these choices. */
export const asks = (askIn: 'link' | 'chat', responseType: string) => ({
	resource: 'message',
	operation: 'sendAndWait',
	askIn,
	responseType,
});
