import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { createServiceClient, type ServiceClient } from '../service/client';
import { ID_PATTERN } from '../service/contract';
import { asError, ServiceError, toNodeError } from '../service/errors';
import { hostClock, steadyClock } from '../shared/tools/clock';
import { EDITOR_WAIT, patientClient } from '../shared/tools/patientClient';

/** Makes a method that fills a list of the editor. Its error becomes the one that n8n shows. */
export const listSearch = (
	search: (context: ILoadOptionsFunctions, typed: string) => Promise<INodeListSearchItems[]>,
) =>
	async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		try {
			return { results: await search(this, filter) };
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	};

/** Each letter that is typed asks again. Only opening a list reads anew. */
export const readAnew = (typed: string): { notBefore?: number } =>
	typed === '' ? { notBefore: steadyClock.now() } : {};

/** Those of which what was typed is a part. */
export function matching(
	typed: string,
	results: readonly INodeListSearchItems[],
): INodeListSearchItems[] {
	const wanted = typed.toLowerCase();
	return results.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted));
}

/**
 * Reads what a list of the editor shows, and waits a little if the service asks to. Of an error,
 * the editor shows the message alone.
 * @param notOffered what to say if the service has no such list. Older ones have none
 * @param otherwise what to say of any other error
 */
export async function readForList<Listed>(
	context: ILoadOptionsFunctions,
	read: (client: ServiceClient) => Promise<Listed>,
	notOffered?: () => string,
	otherwise = (error: unknown): unknown => error,
): Promise<Listed> {
	try {
		const timeZone = () => context.getTimezone();
		const client = await createServiceClient(context);
		return await read(patientClient(client, { most: EDITOR_WAIT, clock: hostClock, timeZone }));
	} catch (error) {
		const hasNone = error instanceof ServiceError && [404, 405].includes(error.status ?? 0);
		const said = hasNone && notOffered ? notOffered() : otherwise(error);
		throw said instanceof ServiceError ? withRemedy(said) : asError(said);
	}
}

/** The message says what to do, too. */
const withRemedy = (error: ServiceError): ServiceError =>
	error.but({ cause: `${error.failure.cause}. ${error.hint}` });

export const notAtPath = (what: string): string =>
	`The service lists no ${what} at the Templates Path of the credential.`;

/** An entry above the others, which cannot be chosen: more templates exist than are listed. */
export const onlyFirst = (count: number, otherWay: string): INodeListSearchItems => ({
	name: `Only the first ${count} templates are listed. For another one, choose "${otherWay}".`,
	value: '',
});

/** What an empty list of business accounts means. Source: published, as a fault of the service. */
export const NO_BUSINESS =
	'The service lists no business account, a known fault of its own even if a channel is connected.';

/** The channel that is chosen in the editor. Undefined if there is none, or it is an expression. */
export function chosenChannel(context: ILoadOptionsFunctions): string | undefined {
	const channelId = context.getCurrentNodeParameter('channelId', { extractValue: true });
	return typeof channelId === 'string' && ID_PATTERN.test(channelId.trim())
		? channelId.trim()
		: undefined;
}
