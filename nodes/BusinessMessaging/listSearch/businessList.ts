import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { isResourceLocatorValue, NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../service/errors';
import { isNotOffered } from './channelList';

/**
 * The business account that is chosen in the editor.
 * @throws NodeOperationError if none is
 */
export function chosenBusiness(context: ILoadOptionsFunctions): string {
	const business: unknown = context.getCurrentNodeParameter('businessId');
	const businessId = isResourceLocatorValue(business) ? String(business.value) : '';
	if (/^[\w-][\w.-]*$/.test(businessId)) return businessId;
	throw new NodeOperationError(context.getNode(), 'Choose a business account first.');
}

/**
 * The error of a list below the Templates Path. Of a list, the editor shows the message alone.
 * @param what the service would list
 * @param instead the mode that works without the list
 */
export const listFailure = (
	context: ILoadOptionsFunctions,
	error: unknown,
	what: string,
	instead: string,
): Error =>
	isNotOffered(error)
		? new NodeOperationError(
				context.getNode(),
				`The service lists no ${what} at the Templates Path of the credential. Correct it, or choose "${instead}".`,
			)
		: toNodeError(context.getNode(), error);
