import type { IHttpRequestOptions, INode } from 'n8n-workflow';

import { BASE_URL, SECRET_KEY } from './constants.mts';

export const NODE: INode = {
	...{ id: '1', name: 'Node', type: 'test', typeVersion: 2, parameters: {} },
	position: [0, 0],
};

interface Response {
	statusCode?: number;
	headers?: object;
	body: unknown;
}

/**
 * What n8n gives a node whose service responds as a test says.
 * @param more methods that n8n has besides these, or that differ
 */
export const nodeContext = <Context,>(
	respond: (options: IHttpRequestOptions) => Response | Promise<Response>,
	{ credential = {}, ...more }: { credential?: object; [method: string]: unknown } = {},
): Context =>
	({
		getNode: () => NODE,
		getWorkflow: () => ({ id: 'w' }),
		getInstanceId: () => 'this n8n',
		getCredentials: async () => ({ baseUrl: BASE_URL, secretKey: SECRET_KEY, ...credential }),
		logger: { warn: () => {} },
		helpers: {
			httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) => ({
				...{ statusCode: 200, headers: {} },
				...(await respond(options)),
			}),
		},
		...more,
	}) as unknown as Context;
