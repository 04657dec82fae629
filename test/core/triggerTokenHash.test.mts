/** How the lifecycle methods store the hash of the token, in n8n-core's HookContext. */
import type { IDataObject, Workflow } from 'n8n-workflow';

import { hashToken } from '../../nodes/BusinessMessaging/delivery/verify.ts';
import { type FakeService, SECRET_KEY, startFakeService } from './harness/fakeService.mts';
import {
	additionalData,
	callLifecycle,
	changedStaticData,
	CHANNEL_ID,
	publish,
	triggerWorkflow,
} from './harness/n8n.mts';
import { urls } from './harness/publishedReceiver.mts';

const STATE_KEY = 'node:Business Messaging Trigger';
/** What is stored while the service's token is uncertain. */
const withoutHash = ({ tokenHash: _none, ...state }: IDataObject): IDataObject => ({
	[STATE_KEY]: state,
});

let service: FakeService;
beforeEach(async () => {
	service = await startFakeService();
});
afterEach(async () => await service.close());

const data = () => additionalData({ baseUrl: service.url, secretKey: SECRET_KEY }, urls);
const webhook = () => service.webhooks(CHANNEL_ID)[0];
const state = (workflow: Workflow) =>
	(changedStaticData(workflow)?.[STATE_KEY] ?? {}) as IDataObject;
const changes = () =>
	service.requests
		.filter(({ method }) => method !== 'GET')
		.map(({ method, body }) => ({ method, body }));

async function published(): Promise<IDataObject> {
	const workflow = triggerWorkflow();
	await publish(workflow, data());
	service.requests.length = 0;
	return state(workflow);
}

/** The service sends another token, as if derived from an older secret key. */
function registeredWithAnOlderKey(): void {
	webhook()!.auth.token = 'derived from an older key';
}

it('stores the hash with the secret, and a hash of its own for a test', async () => {
	const stored = await published();
	expect(stored.tokenHash).toBe(hashToken(webhook()?.auth.token ?? ''));
	const test = triggerWorkflow();
	await publish(test, data(), { isTest: true });
	expect(state(test).tokenHash).toBe(hashToken(service.webhooks(CHANNEL_ID)[1]?.auth.token ?? ''));
});

it('renews the token of a webhook without a stored hash, and keeps the secret', async () => {
	const stored = await published();
	registeredWithAnOlderKey();
	const workflow = triggerWorkflow({ staticData: withoutHash(stored) });
	expect(await callLifecycle('checkExists', workflow, data())).toBe(false);
	expect(changedStaticData(workflow)).toBeUndefined();
	await callLifecycle('create', workflow, data());
	expect(changes()).toEqual([
		{
			method: 'PATCH',
			body: { auth: { type: 'BEARER', token: expect.stringMatching(/^[0-9a-f]{64}$/) } },
		},
	]);
	expect(state(workflow)).toEqual({ ...stored, tokenHash: hashToken(webhook()?.auth.token ?? '') });
	expect(await callLifecycle('checkExists', workflow, data())).toBe(true);
});

it('renews token and hash after the secret key was rotated', async () => {
	const stored = await published();
	registeredWithAnOlderKey();
	const rotated = triggerWorkflow({
		staticData: { [STATE_KEY]: { ...stored, tokenHash: hashToken('derived from an older key') } },
	});
	await publish(rotated, data());
	expect(state(rotated)).toEqual(stored);
	expect(hashToken(webhook()?.auth.token ?? '')).toBe(stored.tokenHash);
});

it("stores no hash while the service's response to the new token is unknown, and uses the secret", async () => {
	const stored = await published();
	registeredWithAnOlderKey();
	service.intercept = ({ method, body }) => {
		if (method !== 'PATCH') return undefined;
		Object.assign(webhook() ?? {}, body);
		return { status: 502, body: 'Bad Gateway' };
	};
	const lost = triggerWorkflow({
		staticData: { [STATE_KEY]: { ...stored, tokenHash: hashToken('derived from an older key') } },
	});
	await expect(publish(lost, data())).rejects.toThrow(
		'Could not publish: a server on the way answered with',
	);
	expect({ [STATE_KEY]: state(lost) }).toEqual(withoutHash(stored));
	service.intercept = () => undefined;
	await publish(lost, data());
	expect(state(lost)).toEqual(stored);
});

it("stores neither secret nor hash while the service's new secret is unknown", async () => {
	const { webhookId, webhookUrl, channelId, ...proofs } = await published();
	webhook()!.signing = false;
	service.intercept = ({ method }) =>
		method === 'PATCH' ? { status: 502, body: 'Bad Gateway' } : undefined;
	const lost = triggerWorkflow({
		staticData: { [STATE_KEY]: { webhookId, webhookUrl, channelId, ...proofs } },
	});
	await expect(publish(lost, data())).rejects.toThrow(
		'Could not publish: a server on the way answered with',
	);
	expect(state(lost)).toEqual({ webhookId, webhookUrl, channelId });
});

it('gives several main processes that start at once the same hash, without a stored one', async () => {
	const stored = await published();
	registeredWithAnOlderKey();
	const mains = Array.from({ length: 3 }, () =>
		triggerWorkflow({ staticData: withoutHash(stored) }),
	);
	await Promise.all(mains.map(async (main) => await publish(main, data())));
	for (const main of mains)
		expect(state(main)).toEqual({ ...stored, tokenHash: hashToken(webhook()?.auth.token ?? '') });
});

it('does not register if the service takes no token, because no delivery could prove itself', async () => {
	service.intercept = ({ method }) =>
		method === 'GET'
			? {
					status: 200,
					body: service.webhooks(CHANNEL_ID).map(({ auth: _auth, ...listed }) => ({
						...listed,
						auth: { type: 'NONE', configured: false },
					})),
				}
			: undefined;
	await expect(publish(triggerWorkflow(), data())).rejects.toThrow(
		'Could not publish: the webhook did not settle',
	);
});
