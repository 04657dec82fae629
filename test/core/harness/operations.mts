import type { ServerResponse } from 'node:http';

import { runInEngine } from './engine.mts';
import type { ReceivedRequest } from './scriptedService.mts';
import { startScriptedService } from './scriptedService.mts';

/**
 * Runs an operation of the action node against a service that responds as a test tells it to.
 * @returns the items, and each request as method, path and body, '' where there is none
 * @throws Error with the message of the node's
 */
export async function run(
	parameters: object,
	respond: (request: ReceivedRequest, response: ServerResponse) => void,
) {
	const service = await startScriptedService(respond);
	const result = await runInEngine({ baseUrl: service.url, parameters: { ...parameters } });
	await service.close();
	if (result.error) throw new Error(result.error.message);
	return {
		items: result.items.map(({ json }) => json),
		sent: service.requests.map(({ method, url, body }) => [
			method,
			url,
			body ? (JSON.parse(body) as unknown) : '',
		]),
	};
}
