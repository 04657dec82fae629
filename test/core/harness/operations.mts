import type { ServerResponse } from 'node:http';

import { runInEngine } from './engine.mts';
import { type ReceivedRequest, respondJson, startScriptedService } from './scriptedService.mts';

type Respond = (request: ReceivedRequest, response: ServerResponse) => void;

/** A service that responds to every request with this. */
export const answer =
	(body: unknown, status = 200): Respond =>
	(_request, response) =>
		respondJson(response, status, body);

/**
 * Runs an operation of the action node against a service that responds as a test says.
 * @returns the items, and each request as method, path and body, '' without one
 * @throws Error with the node's message
 */
export async function run(parameters: object, respond: Respond) {
	const service = await startScriptedService(respond);
	const result = await runInEngine({ baseUrl: service.url, parameters: { ...parameters } });
	await service.close();
	if (result.error) throw new Error(result.error.message);
	return {
		items: result.items.map(({ json }) => json),
		sent: service.requests.map(({ method, url, body }) => [
			...[method, url],
			body ? (JSON.parse(body) as unknown) : '',
		]),
	};
}
