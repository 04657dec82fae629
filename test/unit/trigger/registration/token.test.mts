import type { IWebhookFunctions } from 'n8n-workflow';

import { deriveToken, receiverOf } from '#nodes/trigger/registration/token.ts';

const PRODUCTION = 'https://n8n.example.com/webhook/abc/webhook';
const receiver = (node: object, url = PRODUCTION, workflow = 'w') =>
	receiverOf(
		{
			getNode: () => ({ id: 'n', name: 'Trigger', ...node }),
			getWorkflow: () => ({ id: workflow }),
		} as unknown as IWebhookFunctions,
		url,
	);

test('a token is a secret of the key and the receiver, so another key or receiver has another token', () => {
	const token = deriveToken('key', 'receiver');
	expect(token).toMatch(/^[0-9a-f]{64}$/);
	expect(deriveToken('key', 'receiver')).toBe(token);
	expect(deriveToken('other', 'receiver')).not.toBe(token);
	expect(deriveToken('key', 'other')).not.toBe(token);
});

test('a node is one receiver in a test and under another name, because n8n tells them no further apart', () => {
	const same = receiver({ webhookId: 'abc' });
	expect(receiver({ webhookId: 'abc' }, PRODUCTION.replace('webhook', 'webhook-test'))).toBe(same);
	expect(receiver({ webhookId: 'abc', name: 'Renamed' })).toBe(same);
	const others = [
		receiver({ webhookId: 'abd' }),
		receiver({ webhookId: 'abc' }, PRODUCTION.replace('n8n.', 'm8n.')),
		...[
			receiver({}),
			receiver({}, PRODUCTION, 'w2'),
			receiver({ id: 'n2' }),
			receiver({ name: 'O' }),
		],
	];
	expect(new Set([same, ...others]).size).toBe(7);
});
