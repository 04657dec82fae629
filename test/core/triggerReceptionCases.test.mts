/**
 * Deliveries without state, key or token, and headers that come twice. In n8n-core's WebhookContext
 * behind a real HTTP server.
 */
import { createHmac } from 'node:crypto';

import { BusinessMessagingTrigger } from '../../nodes/BusinessMessaging/BusinessMessagingTrigger.node.ts';
import { deriveToken } from '../../nodes/BusinessMessaging/trigger/registration/token.ts';
import { deliver, messageBody, signed } from './harness/deliveries.mts';
import { type FakeService, SECRET_KEY, startFakeService } from './harness/fakeService.mts';
import { logged } from './harness/logged.mts';
import { WEBHOOK_ID } from './harness/n8n.mts';
import { startPublished, urls } from './harness/publishedReceiver.mts';
import { type Receiver, startReceiver } from './harness/receiver.mts';

let service: FakeService;
let receiver: Receiver | undefined;

beforeEach(async () => {
	service = await startFakeService();
});
afterEach(async () => {
	jest.restoreAllMocks();
	await receiver?.stop();
	receiver = undefined;
	await service.close();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const tokenOf = (secretKey: string, origin = 'http://127.0.0.1:5678') =>
	deriveToken(secretKey, JSON.stringify([origin, WEBHOOK_ID]));
const published = async (
	...given: Parameters<typeof startPublished> extends [unknown, ...infer Rest] ? Rest : never
) => {
	const started = await startPublished(service, ...given);
	receiver = started.receiver;
	return started;
};

describe('while nothing is stored', () => {
	/** A trigger that has only the credential. */
	const receiving = async (secretKey: unknown, nodeType?: BusinessMessagingTrigger) => {
		receiver = await startReceiver(
			{ baseUrl: service.url, secretKey: secretKey as string },
			urls,
			nodeType ? { nodeType } : {},
		);
		return async (token: string) =>
			await deliver(receiver?.url ?? '', signed(messageBody(), { headers: bearer(token) }));
	};

	it('takes the token of its key, and logs so', async () => {
		const said = logged('warn');
		const send = await receiving(SECRET_KEY);
		expect(await send(tokenOf(SECRET_KEY))).toMatchObject({ status: 200 });
		expect(said).toEqual([
			[
				expect.stringMatching(
					/accepted by its token alone.*unpublish and publish the workflow again/,
				),
				expect.anything(),
			],
		]);
	});

	it.each([
		['an empty key', '', tokenOf('')],
		['a key that is no text', 7, tokenOf('7')],
	])('refuses every delivery to a credential with %s', async (_what, secretKey, token) => {
		const send = await receiving(secretKey);
		expect(await send(token)).toMatchObject({ status: 401 });
		expect(await send('')).toMatchObject({ status: 401 });
	});

	it('refuses every delivery to a node without a URL', async () => {
		const trigger = new BusinessMessagingTrigger();
		trigger.description.webhooks = [];
		const send = await receiving(SECRET_KEY, trigger);
		expect(await send(tokenOf(SECRET_KEY))).toMatchObject({ status: 401 });
	});
});

it('takes several deliveries without a key as separate events', async () => {
	const secret = 'by-hand';
	const { receiver: running } = await published(
		{ registration: 'manual', options: { signatureScheme: 'bodyOnly' } },
		{ credential: { webhookSecret: secret } },
	);
	for (const id of ['A'.repeat(32), 'B'.repeat(32)]) {
		const body = JSON.stringify(messageBody({ id }));
		const signature = createHmac('sha256', secret).update(body).digest('hex');
		const headers = {
			'content-type': 'application/json',
			'x-webhook-signature': `sha256=${signature}`,
		};
		expect(await deliver(running.url, { body, headers })).toMatchObject({ status: 200 });
	}
	expect(running.executions).toHaveLength(2);
});

it('shows a repeated header as one', async () => {
	const {
		receiver: running,
		secret,
		token,
	} = await published({ options: { includeHeaders: true } });
	await deliver(
		running.url,
		signed(messageBody(), { secret, headers: { ...bearer(token), 'x-trace': ['a', 'b'] } }),
	);
	expect(running.executions[0]?.[0]?.json.headers).toMatchObject({ 'x-trace': 'a, b' });
});
