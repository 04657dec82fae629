/** A node's credential is kept for two seconds, and no other credential in its place. */
import type { IWebhookFunctions } from 'n8n-workflow';

import { recentCredential } from '../../../nodes/BusinessMessaging/shared/recentCredential.ts';

const contextWith = (id: string): IWebhookFunctions =>
	({
		getWorkflow: () => ({ id: 'w' }),
		getNode: () => ({ credentials: { businessMessagingApi: { id, name: 'Shop' } } }),
		getCredentials: jest.fn(async () => await Promise.resolve({ secretKey: id })),
	}) as unknown as IWebhookFunctions;

test('executions of two versions of a workflow have each the credential of its node', async () => {
	const keys = ['old', 'new', 'old'].map(contextWith);
	const read = keys.map(async (context) => await recentCredential(context, 'node'));
	expect(await Promise.all(read)).toEqual(
		['old', 'new', 'old'].map((secretKey) => ({ secretKey })),
	);
	expect(keys[2]?.getCredentials).not.toHaveBeenCalled();
});
