/** The three lifecycle methods in n8n-core's HookContext, against a service that keeps webhooks. */
import type { IDataObject, Workflow } from 'n8n-workflow';

import { logged } from './harness/logged.mts';
import { type FakeService, SECRET_KEY, startFakeService } from './harness/fakeService.mts';
import {
	additionalData,
	callLifecycle,
	changedStaticData,
	CHANNEL_ID,
	publish,
	triggerWorkflow,
	WEBHOOK_ID,
	type TriggerOptions,
} from './harness/n8n.mts';
import { urls } from './harness/publishedReceiver.mts';

const productionUrl = `${urls.production}/${WEBHOOK_ID}/webhook`;
const testUrl = `${urls.test}/${WEBHOOK_ID}/webhook`;
const STATE_KEY = 'node:Business Messaging Trigger';
const manual = { registration: 'manual' };
const webhookSecret = 'f'.repeat(64);

let service: FakeService;
beforeEach(async () => {
	service = await startFakeService();
});
afterEach(async () => await service.close());

const data = (more: object = {}, to = urls) =>
	additionalData({ baseUrl: service.url, secretKey: SECRET_KEY, ...more }, to);
const state = (workflow: Workflow) => changedStaticData(workflow)?.[STATE_KEY] as IDataObject;
const onChannel = () => service.webhooks(CHANNEL_ID);
const calls = () =>
	service.requests.map(
		({ method, path }) =>
			`${method} ${path.replace(/[0-9A-F]{32}$/, ':id').replace(CHANNEL_ID, ':channel')}`,
	);

/** A webhook of this node as the service would hold it, registered by another run. */
async function published(
	options?: TriggerOptions,
): Promise<{ workflow: Workflow; stored: IDataObject }> {
	const workflow = triggerWorkflow(options);
	await publish(workflow, data());
	service.requests.length = 0;
	return { workflow, stored: changedStaticData(workflow) ?? {} };
}

function addStranger(owner = CHANNEL_ID, url = 'https://stranger.example/hook?token=s3cret') {
	const stranger = service.add(owner, { url, events: ['MESSAGE_RECEIVED'] });
	return { stranger, before: structuredClone(stranger) };
}

describe('publishing', () => {
	it('registers a signed webhook with a token, named after workflow and node, and stores id and secret', async () => {
		const { workflow } = await published();
		const [webhook] = onChannel();
		expect(onChannel()).toHaveLength(1);
		expect(webhook).toMatchObject({
			url: productionUrl,
			events: ['MESSAGE_RECEIVED'],
			signing: true,
			auth: { type: 'BEARER', token: expect.stringMatching(/^[0-9a-f]{64}$/) },
			payloadFormat: 'DEFAULT',
			description: 'n8n workflow "Answer customers", node "Business Messaging Trigger"',
			customAttributes: {
				n8n: { instanceId: expect.any(String), workflowId: 'workflow-1', nodeId: 'node-1' },
			},
		});
		expect(state(workflow)).toMatchObject({
			webhookId: webhook?.id,
			secret: service.secretOf(webhook?.id ?? ''),
		});
	});

	it('lists, creates once, and lists again to see what another main process did', async () => {
		const workflow = triggerWorkflow();
		await publish(workflow, data());
		expect(calls()).toEqual([
			'GET /v1/channels/:channel/webhooks',
			'GET /v1/channels/:id',
			'GET /v1/channels/:channel/webhooks',
			'POST /v1/channels/:channel/webhooks',
			'GET /v1/channels/:channel/webhooks',
		]);
	});

	it('changes nothing if everything is right', async () => {
		const { stored } = await published();
		const again = triggerWorkflow({ staticData: stored });
		await publish(again, data());
		expect(calls()).toEqual(['GET /v1/channels/:channel/webhooks']);
		expect(changedStaticData(again)).toBeUndefined();
	});

	it('changes the events and keeps the secret', async () => {
		const { stored } = await published();
		const [webhook] = onChannel();
		const secret = service.secretOf(webhook?.id ?? '');
		await publish(
			triggerWorkflow({
				staticData: stored,
				parameters: { channelEvents: ['CONNECTED', 'MESSAGE_RECEIVED'] },
			}),
			data(),
		);
		expect(onChannel()).toHaveLength(1);
		expect(webhook?.events).toEqual(['CONNECTED', 'MESSAGE_RECEIVED']);
		expect(service.secretOf(webhook?.id ?? '')).toBe(secret);
		expect(service.requests.find(({ method }) => method === 'PATCH')?.body).toEqual({
			events: ['CONNECTED', 'MESSAGE_RECEIVED'],
		});
	});

	it('enables its disabled webhook again', async () => {
		const { stored } = await published();
		const [webhook] = onChannel();
		if (webhook) webhook.status = 'DISABLED';
		await publish(triggerWorkflow({ staticData: stored }), data());
		expect(onChannel()).toMatchObject([{ status: 'ENABLED', id: webhook?.id }]);
	});

	it('takes over its webhook with a new secret if the stored state is lost', async () => {
		await published();
		const [webhook] = onChannel();
		const lost = triggerWorkflow();
		await publish(lost, data());
		expect(onChannel()).toMatchObject([{ id: webhook?.id }]);
		expect(state(lost)).toMatchObject({
			webhookId: webhook?.id,
			secret: service.secretOf(webhook?.id ?? ''),
		});
	});

	it('registers again if its webhook was deleted at the service', async () => {
		const { stored } = await published();
		onChannel().length = 0;
		const workflow = triggerWorkflow({ staticData: stored });
		await publish(workflow, data());
		expect(onChannel()).toHaveLength(1);
		expect(state(workflow).webhookId).toBe(onChannel()[0]?.id);
	});

	it('deletes its webhook on the former channel if the channel changed', async () => {
		const other = 'B'.repeat(32);
		const { stored } = await published();
		await publish(
			triggerWorkflow({
				staticData: stored,
				parameters: { channelId: { __rl: true, mode: 'id', value: other } },
			}),
			data(),
		);
		expect(onChannel()).toEqual([]);
		expect(service.webhooks(other)).toHaveLength(1);
	});

	it('creates its webhook again if the service cannot update it', async () => {
		await published();
		service.intercept = ({ method }) =>
			method === 'PATCH'
				? { status: 405, body: { error: 405, message: 'Method Not Allowed' } }
				: undefined;
		const workflow = triggerWorkflow();
		await publish(workflow, data());
		expect(onChannel()).toHaveLength(1);
		expect(state(workflow)).toMatchObject({
			webhookId: onChannel()[0]?.id,
			secret: service.secretOf(onChannel()[0]?.id ?? ''),
		});
	});

	it("does not take over another node's webhook whose id is in its state", async () => {
		const { stored } = await published({
			node: { id: 'node-2', webhookId: '3f1d2c4b-0000-4000-8000-000000000002' },
		});
		const before = structuredClone(onChannel());
		await publish(triggerWorkflow({ staticData: stored }), data());
		expect(onChannel()).toHaveLength(2);
		expect(onChannel()[0]).toEqual(before[0]);
	});

	it('registers template webhooks for the account', async () => {
		await published({ parameters: { source: 'template' } });
		expect(service.webhooks('template')).toMatchObject([
			{ url: productionUrl, events: ['UPDATE_TEMPLATE_CATEGORY', 'UPDATE_TEMPLATE_STATUS'] },
		]);
	});

	it('finds its disabled template webhook, which the list does not show', async () => {
		const { stored } = await published({ parameters: { source: 'template' } });
		const [webhook] = service.webhooks('template');
		if (webhook) webhook.status = 'DISABLED';
		await publish(
			triggerWorkflow({ staticData: stored, parameters: { source: 'template' } }),
			data(),
		);
		expect(service.webhooks('template')).toMatchObject([{ id: webhook?.id, status: 'ENABLED' }]);
	});
});

describe('a restored copy of the database, at another address,', () => {
	const copy = { ...urls, production: 'http://127.0.0.1:9999/webhook' };
	const copyUrl = `${copy.production}/${WEBHOOK_ID}/webhook`;
	const named = (id: string | undefined): unknown[] => [
		`The webhook ${id}, which this node registered, goes to another address: ${productionUrl}. It belongs to another copy of this n8n, or to a former address, so the node leaves it as it is. If no n8n uses that address any more, delete it with the operation Webhook → Delete`,
		expect.anything() as unknown,
	];
	let said: unknown[];
	let restored: IDataObject;
	let before: unknown;
	const production = () => onChannel()[0];
	beforeEach(async () => {
		restored = (await published()).stored;
		before = structuredClone(production());
		said = logged('warn');
	});
	afterEach(() => jest.restoreAllMocks());
	const at = async (stored: IDataObject, where: typeof urls, method?: 'delete') => {
		said.length = 0;
		const workflow = triggerWorkflow({ staticData: structuredClone(stored) });
		if (method) await callLifecycle(method, workflow, data({}, where));
		else await publish(workflow, data({}, where));
		return changedStaticData(workflow) ?? stored;
	};

	it("leaves production's webhook as it is, registers its own, and names production's each time", async () => {
		const unpublished = await at(restored, copy, 'delete');
		expect(onChannel()).toEqual([before]);
		expect(said).toContainEqual(named(production()?.id));
		const stored = await at(unpublished, copy);
		expect(onChannel().map(({ url }) => url)).toEqual([productionUrl, copyUrl]);
		expect(production()).toEqual(before);
		expect(said).toContainEqual(named(production()?.id));
		// Everything is right, so n8n asks only that.
		await at(stored, copy);
		expect(said).toContainEqual(named(production()?.id));
		// Production does not notice.
		service.requests.length = 0;
		await at(restored, urls);
		expect(calls()).toEqual(['GET /v1/channels/:channel/webhooks']);
		await at(restored, urls, 'delete');
		expect(onChannel().map(({ url }) => url)).toEqual([copyUrl]);
		expect((await at(stored, copy))[STATE_KEY]).not.toHaveProperty('formerWebhooks');
		expect(JSON.stringify(said)).not.toContain('another address');
	});

	it('publishes at once, and takes over its own again when it is back', async () => {
		const moved = await at(restored, copy);
		expect((moved[STATE_KEY] as IDataObject).formerWebhooks).toEqual([
			{ id: production()?.id, url: productionUrl, channelId: CHANNEL_ID },
		]);
		const back = await at(moved, urls);
		expect(back[STATE_KEY]).toMatchObject({
			webhookId: production()?.id,
			secret: service.secretOf(production()?.id ?? ''),
			formerWebhooks: [{ url: copyUrl }],
		});
	});

	it('leaves it if the list fails, and deletes its own, which it reads by its ID', async () => {
		const fail = () => {
			service.intercept = ({ method, path }) =>
				method === 'GET' && path.endsWith('/webhooks')
					? { status: 500, body: { error: 500, message: 'Internal error' } }
					: undefined;
		};
		fail();
		await expect(at(restored, copy, 'delete')).rejects.toThrow('Could not unpublish');
		expect(onChannel()).toEqual([before]);
		await expect(at(restored, urls, 'delete')).rejects.toThrow('Could not unpublish');
		expect(onChannel()).toEqual([]);
	});
});

describe('testing beside production', () => {
	it('registers a second webhook, and removes only that', async () => {
		await published();
		const [production] = onChannel();
		const before = structuredClone(production);
		const test = triggerWorkflow();
		await publish(test, data(), { isTest: true });
		expect(onChannel().map(({ url }) => url)).toEqual([productionUrl, testUrl]);
		await callLifecycle('delete', test, data(), { isTest: true });
		expect(onChannel()).toEqual([before]);
	});

	it("leaves production alone even if the test is given production's state", async () => {
		const { stored } = await published();
		const before = structuredClone(onChannel());
		const test = triggerWorkflow({ staticData: stored });
		await publish(test, data(), { isTest: true });
		await callLifecycle('delete', test, data(), { isTest: true });
		expect(onChannel()).toEqual(before);
	});

	it('names the URL in the way if the service allows no second webhook, and changes nothing', async () => {
		await published();
		const { before } = addStranger();
		const [production] = structuredClone(onChannel());
		service.intercept = ({ method }) =>
			method === 'POST'
				? { status: 422, body: { error: 422, message: 'Webhook limit reached' } }
				: undefined;
		await expect(publish(triggerWorkflow(), data(), { isTest: true })).rejects.toThrow(
			`Could not listen for a test event: Webhook limit reached. The place may be held by ${productionUrl}, https://stranger.example/hook. If the service allows no further webhook beside it, unpublish the workflow or delete the webhook that holds the place, and try again. Nothing was changed.`,
		);
		expect(onChannel()).toEqual([production, before]);
	});
});

describe('unpublishing', () => {
	it('deletes its webhook and forgets it', async () => {
		const { stored } = await published();
		const { before } = addStranger();
		const workflow = triggerWorkflow({ staticData: stored });
		await callLifecycle('delete', workflow, data());
		expect(onChannel()).toEqual([before]);
		expect(changedStaticData(workflow)).toEqual({ [STATE_KEY]: {} });
	});

	it('finds its webhook by URL if the state is lost', async () => {
		await published();
		await callLifecycle('delete', triggerWorkflow(), data());
		expect(onChannel()).toEqual([]);
	});

	it('takes a missing webhook as deleted', async () => {
		const { stored } = await published();
		service.intercept = ({ method }) =>
			method === 'DELETE'
				? { status: 404, body: { error: 404, message: 'Webhook not found' } }
				: undefined;
		const workflow = triggerWorkflow({ staticData: stored });
		await expect(callLifecycle('delete', workflow, data())).resolves.toBe(true);
		expect(state(workflow)).toEqual({});
	});

	it.each([
		[
			401,
			'Unauthorized',
			'Could not unpublish: the service refused the secret key. Check the Secret',
		],
		[
			422,
			'This action requires ENTERPRISE role',
			'Could not unpublish: the account lacks the ENTERPRISE role. ',
		],
		[500, 'Internal error', 'Could not unpublish: the service failed'],
	])(
		'fails with the error on status %i, and keeps what it knows',
		async (status, message, sentence) => {
			const { stored } = await published();
			service.intercept = () => ({ status, body: { error: status, message } });
			const workflow = triggerWorkflow({ staticData: stored });
			await expect(callLifecycle('delete', workflow, data())).rejects.toThrow(sentence);
			expect((changedStaticData(workflow) ?? stored)[STATE_KEY]).toMatchObject({
				webhookId: onChannel()[0]?.id,
			});
		},
	);

	it('deletes its disabled template webhook, which the list does not show', async () => {
		const parameters = { source: 'template' };
		const { stored } = await published({ parameters });
		const [webhook] = service.webhooks('template');
		if (webhook) webhook.status = 'DISABLED';
		await callLifecycle('delete', triggerWorkflow({ staticData: stored, parameters }), data());
		expect(service.webhooks('template')).toEqual([]);
	});

	it('never deletes a webhook registered by hand', async () => {
		const { before } = addStranger(CHANNEL_ID, productionUrl);
		await callLifecycle('delete', triggerWorkflow({ parameters: manual }), data());
		expect(onChannel()).toEqual([before]);
	});
});

describe('the errors of publishing', () => {
	it.each([
		[
			'no channel',
			{ channelId: { __rl: true, mode: 'list', value: '' } },
			'Could not publish: no channel is chosen. Choose one in the field "Channel", or enter its ID there: 32 hexadecimal characters, with or without hyphens.',
		],
		[
			'an ID that is none',
			{ channelId: { __rl: true, mode: 'id', value: ' ../webhooks ' } },
			'Could not publish: "Channel" is not an ID of the service: "../webhooks". Choose one in the field "Channel", or enter its ID there: 32 hexadecimal characters, with or without hyphens.',
		],
		[
			'no events',
			{ channelEvents: [] },
			'Could not publish: no events are chosen. Choose at least one in the field "Events".',
		],
		[
			'a tolerance of zero',
			{ options: { timestampTolerance: 0 } },
			'Could not publish: the timestamp tolerance is not a number of seconds above zero. Correct the option "Timestamp Tolerance (Seconds)", or remove it.',
		],
	])('name the field: %s', async (_name, parameters, sentence) => {
		await expect(publish(triggerWorkflow({ parameters }), data())).rejects.toThrow(sentence);
		expect(service.requests).toEqual([]);
	});

	it.each([
		['publish', {}],
		['listen for a test event', { isTest: true }],
	])('begin with "Could not %s", and say everything once in the message', async (act, mode) => {
		service.intercept = () => ({ status: 401, body: { error: 401, message: 'Unauthorized' } });
		const refused = publish(triggerWorkflow(), data(), mode);
		await expect(refused).rejects.toThrow(
			new RegExp(
				`^Could not ${act}: the service refused the secret key\\. Check the Secret Key in the credential`,
			),
		);
		await expect(refused).rejects.toMatchObject({ description: null });
	});

	it.each([
		['an empty Base URL', { baseUrl: '' }, /^Could not publish: the Base URL in the credential is/],
		['no secret key', { secretKey: '' }, /^Could not publish: the credential has no secret key\. /],
	])('begin so for a wrong credential: %s', async (_name, credential, sentence) => {
		await expect(publish(triggerWorkflow(), data(credential))).rejects.toThrow(sentence);
	});

	it('refuses an address that the service cannot reach, and names the variable', async () => {
		const remote = additionalData(
			{ baseUrl: 'https://api.messaging.example', secretKey: SECRET_KEY },
			urls,
		);
		await expect(callLifecycle('create', triggerWorkflow(), remote)).rejects.toThrow(
			/^Could not publish: the service cannot reach http:\/\/127\.0\.0\.1:5678\/.* Set the environment variable WEBHOOK_URL/,
		);
	});

	it('refuses a webhook for which the service gives no secret, and leaves it to n8n to delete', async () => {
		service.intercept = ({ method }) =>
			method === 'POST'
				? {
						status: 201,
						body: {
							id: 'C'.repeat(32),
							url: productionUrl,
							events: ['MESSAGE_RECEIVED'],
							status: 'ENABLED',
						},
					}
				: undefined;
		await expect(publish(triggerWorkflow(), data())).rejects.toThrow(
			'Could not publish: the service registered the webhook without giving a signing secret',
		);
	});

	it('keeps the secret key out of messages', async () => {
		service.intercept = () => ({
			status: 400,
			body: { error: 400, message: `bad key ${SECRET_KEY}` },
		});
		const failure = await publish(triggerWorkflow(), data()).catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(Error);
		expect(JSON.stringify(failure) + String(failure)).not.toContain(SECRET_KEY);
	});
});

describe('manual registration', () => {
	const workflow = () => triggerWorkflow({ parameters: manual });

	it.each([{ webhookSecret }, { webhookToken: 'by-hand' }])(
		'publishes if a matching webhook is listed and the trigger can check deliveries',
		async (proof) => {
			addStranger(CHANNEL_ID, productionUrl);
			await publish(workflow(), data(proof));
			expect(calls()).toEqual(['GET /v1/channels/:channel/webhooks', 'GET /v1/channels/:id']);
		},
	);

	it('refuses to publish if nothing can check the deliveries', async () => {
		addStranger(CHANNEL_ID, productionUrl);
		await expect(publish(workflow(), data())).rejects.toThrow(
			'the credential holds neither a signing secret nor a token',
		);
	});

	it('reports a missing webhook', async () => {
		addStranger();
		await expect(publish(workflow(), data({ webhookSecret }))).rejects.toThrow(
			`Could not publish: no webhook with the URL ${productionUrl} is registered on this channel`,
		);
	});

	it('reports a disabled webhook', async () => {
		addStranger(CHANNEL_ID, productionUrl).stranger.status = 'DISABLED';
		await expect(publish(workflow(), data({ webhookSecret }))).rejects.toThrow(
			`Could not publish: the webhook with the URL ${productionUrl} is disabled`,
		);
	});

	it('reports a webhook with other events', async () => {
		addStranger(CHANNEL_ID, productionUrl).stranger.events = ['CONNECTED'];
		await expect(publish(workflow(), data({ webhookSecret }))).rejects.toThrow(
			`Could not publish: the webhook with the URL ${productionUrl} does not deliver MESSAGE_RECEIVED`,
		);
	});
});
