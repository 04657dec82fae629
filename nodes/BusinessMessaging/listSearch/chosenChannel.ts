import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { ID_PATTERN } from '../service/contract';

/** The channel that is chosen in the editor. Undefined if there is none, or it is an expression. */
export function chosenChannel(context: ILoadOptionsFunctions): string | undefined {
	const channelId = context.getCurrentNodeParameter('channelId', { extractValue: true });
	return typeof channelId === 'string' && ID_PATTERN.test(channelId.trim())
		? channelId.trim()
		: undefined;
}
