/**
 * The three lifecycle methods in n8n-core's HookContext, against a service that keeps webhooks.
 * What they do in each state of the service stands in test/unit/trigger/registration.
 */
import type { IDataObject, INodeParameters, Workflow } from 'n8n-workflow';

import { hashToken } from '#nodes/delivery/open.ts';
import { byId, CHANNEL, OTHER_CHANNEL, SECRET_KEY } from '../support/constants.mts';
import { fakeServiceOfEachTest } from './harness/fakeService.mts';
import { logged } from './harness/logged.mts';
import {
	additionalData,
	callLifecycle,
	changedStaticData,
	publish,
	triggerWorkflow,
	type TriggerOptions,
	WEBHOOK_ID,
} from './harness/n8n.mts';
import { urls } from './harness/publishedReceiver.mts';

const productionUrl = `${urls.production}/${WEBHOOK_ID}/webhook`;
const testUrl = `${urls.test}/${WEBHOOK_ID}/webhook`;
const STATE_KEY = 'node:Business Messaging Trigger';
const manual = { registration: 'manual' };
const template = { source: 'template' };
const noChannel = { channelId: { __rl: true, mode: 'list', value: '' } };
const onOther = { channelId: byId(OTHER_CHANNEL) };

const service = fakeServiceOfEachTest();

const data = (more: object = {}, to = urls) =>
	additionalData({ baseUrl: service.url, secretKey: SECRET_KEY, ...more }, to);
const state = (workflow: Workflow) =>
	(changedStaticData(workflow)?.[STATE_KEY] ?? {}) as IDataObject;
const onChannel = () => service.webhooks(CHANNEL);
const ofTemplates = () => service.webhooks('template');
const tokenOf = (place = 0) => onChannel()[place]?.auth.token ?? '';
const requests = () =>
	service.requests.map(
		({ method, path }) =>
			`${method} ${path.replace(/[0-9A-F]{32}$/, ':id').replace(CHANNEL, ':channel')}`,
	);
const failing = (status: number, which = (_method: string, _path: string) => true) => {
	service.intercept = ({ method, path }) =>
		which(method, path) ? { status, body: { error: status, message: 'Out of order' } } : undefined;
};

/** What n8n stores of a workflow that was published. */
async function published(options: TriggerOptions = {}, isTest = false): Promise<IDataObject> {
	const workflow = triggerWorkflow(options);
	await publish(workflow, data(), { isTest });
	service.requests.length = 0;
	return changedStaticData(workflow) ?? {};
}
const again = (staticData: IDataObject, parameters: INodeParameters = {}) =>
	triggerWorkflow({ staticData, parameters });
const unpublish = async (workflow: Workflow) =>
	await callLifecycle('delete', workflow, data({ webhookToken: 'by-hand' }));

function addStranger(owner = CHANNEL, url = 'https://stranger.example/hook?token=s3cret') {
	const stranger = service.add(owner, { url, events: ['MESSAGE_RECEIVED'] });
	return { stranger, before: structuredClone(stranger) };
}

describe('publishing', () => {
	it('registers a signed webhook with a token, once, and stores its secret and the hash', async () => {
		const workflow = triggerWorkflow();
		expect(await callLifecycle('checkExists', workflow, data())).toBe(false);
		expect(await callLifecycle('create', workflow, data())).toBe(true);
		expect(requests()).toEqual([
			'GET /v1/channels/:channel/webhooks',
			'GET /v1/channels/:id',
			'GET /v1/channels/:channel/webhooks',
			'POST /v1/channels/:channel/webhooks',
			'GET /v1/channels/:channel/webhooks',
		]);
		expect(onChannel()).toMatchObject([
			{
				url: productionUrl,
				events: ['MESSAGE_RECEIVED'],
				signing: true,
				auth: { type: 'BEARER', token: expect.stringMatching(/^[0-9a-f]{64}$/) },
				payloadFormat: 'DEFAULT',
				description: 'n8n workflow "Answer customers", node "Business Messaging Trigger"',
				customAttributes: {
					n8n: { instanceId: expect.any(String), workflowId: 'workflow-1', nodeId: 'node-1' },
				},
			},
		]);
		const id = onChannel()[0]?.id;
		const tokenHash = hashToken(tokenOf());
		const secret = service.secretOf(id ?? '');
		expect(state(workflow)).toMatchObject({ webhookId: id, secret, tokenHash });
		expect(Object.values(state(workflow))).not.toContain(tokenOf());
		expect(await callLifecycle('checkExists', workflow, data())).toBe(true);
	});

	it('leaves alone what cannot be read among the webhooks, and names it in the log once', async () => {
		const said = logged('warn');
		const { stranger } = addStranger();
		// Even with our own mark, nobody knows where it leads.
		Object.assign(stranger, { url: undefined });
		const workflow = triggerWorkflow();
		await publish(workflow, data());
		stranger.customAttributes = structuredClone(onChannel()[1]?.customAttributes ?? {});
		const before = structuredClone(stranger);
		await publish(again(changedStaticData(workflow) ?? {}, { channelEvents: ['BLOCK'] }), data());
		expect(onChannel()).toMatchObject([before, { url: productionUrl, events: ['BLOCK'] }]);
		await unpublish(again(changedStaticData(workflow) ?? {}));
		expect(onChannel()).toEqual([before]);
		const named = said.filter(([words]) => String(words).includes('left out'));
		expect(named).toMatchObject([
			[expect.stringContaining(`: "url" of "${stranger.id}" is missing`), {}],
		]);
	});

	it('changes nothing if everything is right, in a test, too', async () => {
		for (const isTest of [false, true]) {
			const workflow = again(await published({}, isTest));
			await publish(workflow, data(), { isTest });
			expect(requests()).toEqual(['GET /v1/channels/:channel/webhooks']);
			expect(changedStaticData(workflow)).toBeUndefined();
		}
	});

	it('gives its webhook a new secret and the current token if its state was replaced', async () => {
		await published();
		const [{ id } = { id: '' }] = onChannel();
		const old = [service.secretOf(id), tokenOf()];
		const workflow = again({ global: { count: 1 } });
		await publish(workflow, data());
		expect(onChannel()).toHaveLength(1);
		expect([service.secretOf(id), tokenOf()]).toEqual([
			expect.not.stringContaining(String(old[0])),
			old[1],
		]);
		const known = { secret: service.secretOf(id), tokenHash: hashToken(tokenOf()) };
		expect(state(workflow)).toMatchObject({ webhookId: id, ...known });
		expect(changedStaticData(workflow)).toMatchObject({ global: { count: 1 } });
	});

	it("does not take over another node's webhook whose ID is in its state", async () => {
		const node = { id: 'node-2', webhookId: '3f1d2c4b-0000-4000-8000-000000000002' };
		const stored = await published({ node });
		const before = structuredClone(onChannel());
		await publish(again(stored), data());
		expect(onChannel()).toHaveLength(2);
		expect(onChannel()[0]).toEqual(before[0]);
	});
});

describe('the hash of the token', () => {
	const OLD = 'derived from an older key';
	const withHash = (stored: IDataObject, tokenHash?: string) => {
		const { tokenHash: _none, ...rest } = stored[STATE_KEY] as IDataObject;
		return again({ [STATE_KEY]: { ...rest, ...(tokenHash === undefined ? {} : { tokenHash }) } });
	};
	/** The service sends another token than that of the secret key. */
	async function withOldToken() {
		const stored = await published();
		onChannel()[0]!.auth.token = OLD;
		return stored;
	}

	it.each([
		['token', true, ['channelId', 'secret', 'secretVersion', 'webhookId', 'webhookUrl']],
		['secret', false, ['channelId', 'webhookId', 'webhookUrl']],
	])('is not stored while it is unknown which %s is in force', async (_what, signing, names) => {
		const stored = await withOldToken();
		onChannel()[0]!.signing = signing;
		service.intercept = ({ method, body }) => {
			if (method !== 'PATCH') return undefined;
			Object.assign(onChannel()[0] ?? {}, body);
			return { status: 502, body: 'Bad Gateway' };
		};
		const lost = withHash(stored, hashToken(OLD));
		await expect(publish(lost, data())).rejects.toThrow('a server on the way answered with');
		expect(Object.keys(state(lost)).sort()).toEqual(names);
		service.intercept = () => undefined;
		await publish(lost, data());
		expect(state(lost).tokenHash).toBe(hashToken(tokenOf()));
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
		restored = await published();
		before = structuredClone(production());
		said = logged('warn');
	});
	const at = async (stored: IDataObject, where: typeof urls, method?: 'delete') => {
		said.length = 0;
		const workflow = again(structuredClone(stored));
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
		expect(requests()).toEqual(['GET /v1/channels/:channel/webhooks']);
		await at(restored, urls, 'delete');
		expect(onChannel().map(({ url }) => url)).toEqual([copyUrl]);
		expect((await at(stored, copy))[STATE_KEY]).not.toHaveProperty('formerWebhooks');
		expect(JSON.stringify(said)).not.toContain('another address');
	});
});

it.each([false, true])(
	"a test registers a second webhook and removes only that, given production's state: %s",
	async (isGiven) => {
		const stored = await published();
		const before = structuredClone(onChannel());
		const test = again(isGiven ? stored : {});
		await publish(test, data(), { isTest: true });
		expect(onChannel().map(({ url }) => url)).toEqual([productionUrl, testUrl]);
		expect(state(test).tokenHash).toBe(hashToken(tokenOf(1)));
		expect(state(test)).not.toHaveProperty('formerWebhooks');
		await callLifecycle('delete', test, data(), { isTest: true });
		expect(onChannel()).toEqual(before);
	},
);

describe('unpublishing', () => {
	it('deletes its webhook, also if the state is lost or the webhook missing, and forgets it', async () => {
		const { before } = addStranger();
		const workflow = again(await published());
		await unpublish(workflow);
		expect(onChannel()).toEqual([before]);
		expect(changedStaticData(workflow)).toEqual({ [STATE_KEY]: {} });
		await published();
		await unpublish(triggerWorkflow());
		expect(onChannel()).toEqual([before]);
		const missing = again(await published());
		failing(404, (method) => method === 'DELETE');
		expect(await unpublish(missing)).toBe(true);
		expect(state(missing)).toEqual({});
	});

	it.each([{}, manual])('fails if the service does, and works later, to %j', async (fields) => {
		const stored = await published();
		const workflow = again(stored, fields);
		failing(500);
		await expect(unpublish(workflow)).rejects.toThrow('Could not unpublish: the service failed');
		const webhookId = onChannel()[0]?.id;
		expect((changedStaticData(workflow) ?? stored)[STATE_KEY]).toMatchObject({ webhookId });
		service.intercept = () => undefined;
		await unpublish(workflow);
		expect(onChannel()).toEqual([]);
	});

	it.each([
		['registered by hand', manual],
		['without a channel', noChannel],
	])('sends nothing for a trigger %s that never registered', async (_what, fields) => {
		const { before } = addStranger(CHANNEL, productionUrl);
		expect(await unpublish(again({}, fields))).toBe(true);
		expect([requests(), onChannel()]).toEqual([[], [before]]);
	});
});

describe('after a change of the fields, its former webhook is deleted', () => {
	it.each<[string, INodeParameters, INodeParameters, number[]]>([
		['to another channel', {}, onOther, [0, 0, 1]],
		['to templates', {}, template, [0, 1, 0]],
		['from templates', template, {}, [1, 0, 0]],
	])('%s, with publishing', async (_what, before, after, counts) => {
		const stored = await published({ parameters: before });
		expect(await callLifecycle('checkExists', again(stored, after), data())).toBe(false);
		await publish(again(stored, after), data());
		const places = [onChannel(), ofTemplates(), service.webhooks(OTHER_CHANNEL)];
		expect(places.map(({ length }) => length)).toEqual(counts);
	});
});

describe('manual registration', () => {
	it.each([{ webhookSecret: 'f'.repeat(64) }, { webhookToken: 'by-hand' }])(
		'publishes if the webhook is listed and the trigger can check deliveries: %j',
		async (proof) => {
			const workflow = triggerWorkflow({ parameters: manual });
			for (const method of ['checkExists', 'create'] as const)
				await expect(callLifecycle(method, workflow, data(proof))).rejects.toThrow(
					`Could not publish: no webhook with the URL ${productionUrl} is registered`,
				);
			addStranger(CHANNEL, productionUrl);
			await expect(publish(workflow, data())).rejects.toThrow('neither a signing secret nor');
			service.requests.length = 0;
			for (const method of ['checkExists', 'create'] as const)
				expect(await callLifecycle(method, workflow, data(proof))).toBe(true);
			const each = ['GET /v1/channels/:channel/webhooks', 'GET /v1/channels/:id'];
			expect(requests()).toEqual([...each, ...each]);
		},
	);
});
