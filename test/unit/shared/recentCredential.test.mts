/** A node's credential is kept for two seconds, and no other credential in its place. */
import type { IWebhookFunctions } from 'n8n-workflow';

import { recentCredential } from '#nodes/shared/node/recentCredential.ts';

const read = jest.fn(async (secretKey: string) => await Promise.resolve({ secretKey }));
const contextWith = (id: string): IWebhookFunctions =>
	({
		getWorkflow: () => ({ id: 'w' }),
		getNode: () => ({ credentials: { businessMessagingApi: { id, name: 'Shop' } } }),
		getCredentials: async () => await read(id),
	}) as unknown as IWebhookFunctions;

test('executions of two versions of a workflow have each the credential of its node', async () => {
	const ids = ['old', 'new', 'old'];
	const credentials = ids.map(async (id) => await recentCredential(contextWith(id), 'node'));
	expect(await Promise.all(credentials)).toEqual(ids.map((secretKey) => ({ secretKey })));
	expect(read).toHaveBeenCalledTimes(2);
});
