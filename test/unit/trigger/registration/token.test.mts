import type { IWebhookFunctions } from 'n8n-workflow';

import {
	deriveToken,
	receiverOf,
} from '../../../../nodes/BusinessMessaging/trigger/registration/token.ts';

const contextOf = (node: object, workflow = 'w') =>
	({
		getNode: () => ({ id: 'n', name: 'Trigger', ...node }),
		getWorkflow: () => ({ id: workflow }),
	}) as unknown as IWebhookFunctions;
const PRODUCTION = 'https://n8n.example.com/webhook/abc/webhook';
const TEST = 'https://n8n.example.com/webhook-test/abc/webhook';

test('a token is a secret of the key and the receiver, so another key or receiver has another token', () => {
	const token = deriveToken('key', 'receiver');
	expect(token).toMatch(/^[0-9a-f]{64}$/);
	expect(deriveToken('key', 'receiver')).toBe(token);
	expect(deriveToken('other', 'receiver')).not.toBe(token);
	expect(deriveToken('key', 'other')).not.toBe(token);
});

test('the production and the test URL of a node are one receiver, because n8n tells them no further apart', () => {
	const context = contextOf({ webhookId: 'abc' });
	expect(receiverOf(context, PRODUCTION)).toBe(receiverOf(context, TEST));
});

test('another node, and another n8n, is another receiver', () => {
	const receivers = [
		receiverOf(contextOf({ webhookId: 'abc' }), PRODUCTION),
		receiverOf(contextOf({ webhookId: 'abd' }), PRODUCTION),
		receiverOf(contextOf({ webhookId: 'abc' }), PRODUCTION.replace('n8n.', 'm8n.')),
		receiverOf(contextOf({}), PRODUCTION),
		receiverOf(contextOf({}, 'w2'), PRODUCTION),
		receiverOf(contextOf({ id: 'n2' }), PRODUCTION),
		receiverOf(contextOf({ name: 'Other' }), PRODUCTION),
	];
	expect(new Set(receivers).size).toBe(receivers.length);
});

test('a node with a webhook ID is the same receiver under another name', () => {
	expect(receiverOf(contextOf({ webhookId: 'abc', name: 'Renamed' }), PRODUCTION)).toBe(
		receiverOf(contextOf({ webhookId: 'abc' }), PRODUCTION),
	);
});
