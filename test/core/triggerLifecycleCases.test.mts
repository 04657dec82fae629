/**
 * What the lifecycle methods leave alone, what they clean up after a change of the fields, and
 * their messages. In n8n-core's HookContext.
 */
import type { IDataObject, INodeParameters, Workflow } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '../../nodes/BusinessMessaging/BusinessMessagingTrigger.node.ts';
import { type FakeService, SECRET_KEY, startFakeService } from './harness/fakeService.mts';
import { logged } from './harness/logged.mts';
import {
	additionalData,
	callLifecycle,
	changedStaticData,
	CHANNEL_ID,
	publish,
	triggerWorkflow,
	type TriggerOptions,
	webhookContext,
} from './harness/n8n.mts';
import { urls } from './harness/publishedReceiver.mts';

const STATE_KEY = 'node:Business Messaging Trigger';
const manual = { registration: 'manual' };
const template = { source: 'template' };
const noChannel = { channelId: { __rl: true, mode: 'list', value: '' } };

let service: FakeService;
beforeEach(async () => {
	service = await startFakeService();
});
afterEach(async () => {
	jest.restoreAllMocks();
	await service.close();
});

const data = (credential: object = {}) =>
	additionalData({ baseUrl: service.url, secretKey: SECRET_KEY, ...credential }, urls);
const onChannel = () => service.webhooks(CHANNEL_ID);
const ofTemplates = () => service.webhooks('template');
const methods = () => service.requests.map(({ method }) => method);

/** What is stored for a workflow that was published with these fields. */
async function published(
	parameters: INodeParameters = {},
	isTest = false,
): Promise<IDataObject | undefined> {
	const workflow = triggerWorkflow({ parameters });
	await publish(workflow, data(), { isTest });
	service.requests.length = 0;
	return changedStaticData(workflow);
}

const workflowOf = (staticData: IDataObject | undefined, parameters: INodeParameters = {}) =>
	triggerWorkflow({ parameters, ...(staticData ? { staticData } : {}) });

describe('leaves alone', () => {
	it('the list if its trigger is registered by hand, whatever n8n calls', async () => {
		const workflow = triggerWorkflow({ parameters: manual });
		const credential = data({ webhookToken: 'by-hand' });
		await expect(callLifecycle('create', workflow, credential)).rejects.toThrow(
			'Could not publish: no webhook with the URL',
		);
		service.add(CHANNEL_ID, { url: webhookUrl(), events: ['MESSAGE_RECEIVED'] });
		expect(await callLifecycle('create', workflow, credential)).toBe(true);
		expect(new Set(methods())).toEqual(new Set(['GET']));
	});

	it.each([
		['registered by hand', manual],
		['without a channel', noChannel],
	])(
		'the service, when a trigger %s that never registered is unpublished',
		async (_what, fields) => {
			expect(await callLifecycle('delete', workflowOf(undefined, fields), data())).toBe(true);
			expect(methods()).toEqual([]);
		},
	);

	it("a test's webhook that is right", async () => {
		const stored = await published({}, true);
		await publish(workflowOf(stored), data(), { isTest: true });
		expect(methods()).toEqual(['GET']);
	});

	it('a webhook deleted at the service, and does not ask for it again', async () => {
		const stored = await published();
		onChannel().length = 0;
		await publish(workflowOf(stored), data());
		// The second one looks whether the channel is connected.
		expect(methods()).toEqual(['GET', 'GET', 'GET', 'POST', 'GET']);
	});
});

it('tells n8n that it is registered, once it is', async () => {
	const workflow = triggerWorkflow();
	expect(await callLifecycle('checkExists', workflow, data())).toBe(false);
	expect(await callLifecycle('create', workflow, data())).toBe(true);
	expect(await callLifecycle('checkExists', workflow, data())).toBe(true);
});

describe('after a change of the fields', () => {
	it.each<[string, INodeParameters, INodeParameters, () => [number, number]]>([
		['from the channel to templates', {}, template, () => [0, 1]],
		['from templates to the channel', template, {}, () => [1, 0]],
	])('deletes the webhook of the former source: %s', async (_what, before, after, counts) => {
		const stored = await published(before);
		expect(await callLifecycle('checkExists', workflowOf(stored, after), data())).toBe(false);
		await publish(workflowOf(stored, after), data());
		expect([onChannel().length, ofTemplates().length]).toEqual(counts());
	});

	it('deletes the webhook of a trigger whose channel was cleared, when it is unpublished', async () => {
		const workflow = workflowOf(await published(), noChannel);
		expect(await callLifecycle('delete', workflow, data())).toBe(true);
		expect(onChannel()).toEqual([]);
		expect(changedStaticData(workflow)).toEqual({ [STATE_KEY]: {} });
	});

	it('deletes what a trigger registered before it changed to by hand, and not the other one', async () => {
		const stored = await published();
		const byHand = service.add(CHANNEL_ID, { url: webhookUrl(), events: ['MESSAGE_RECEIVED'] });
		await callLifecycle('delete', workflowOf(stored, manual), data());
		expect(onChannel()).toEqual([byHand]);
	});

	it('keeps a webhook registered by hand on the former channel, also after a change of source', async () => {
		const stored = await published();
		const byHand = service.add(CHANNEL_ID, { url: webhookUrl(), events: ['MESSAGE_RECEIVED'] });
		await callLifecycle('delete', workflowOf(stored, { ...manual, ...template }), data());
		expect(onChannel()).toEqual([byHand]);
	});

	it('deletes a disabled template webhook, which the list does not show, after a change to by hand', async () => {
		const stored = await published(template);
		for (const webhook of ofTemplates()) webhook.status = 'DISABLED';
		await callLifecycle('delete', workflowOf(stored, { ...manual, ...template }), data());
		expect(ofTemplates()).toEqual([]);
	});

	it('keeps in mind what it registered while the service fails, after a change to by hand', async () => {
		const stored = await published();
		const workflow = workflowOf(stored, manual);
		service.intercept = () => ({ status: 500, body: { error: 500, message: 'Internal error' } });
		await expect(callLifecycle('delete', workflow, data())).rejects.toThrow('Could not unpublish');
		service.intercept = () => undefined;
		await callLifecycle('delete', workflow, data());
		expect(onChannel()).toEqual([]);
	});
});

describe('messages', () => {
	const fields = { workflowId: 'workflow-1', node: 'Business Messaging Trigger' };

	it('log that the address works only on this machine', async () => {
		const said = logged('warn');
		await published();
		expect(said).toEqual([
			[
				expect.stringMatching(
					/^The webhook URL http:\S+ works only because the service runs on this machine\. Set the environment variable WEBHOOK_URL/,
				),
				fields,
			],
		]);
	});

	it('do not mention an address that works', async () => {
		const said = logged('warn');
		const reachable = additionalData(
			{ baseUrl: service.url, secretKey: SECRET_KEY },
			{ ...urls, production: 'https://n8n.example.com/webhook' },
		);
		await publish(triggerWorkflow(), reachable);
		expect([said, onChannel().length]).toEqual([[], 1]);
	});

	it('log that the first template events take a while, and nothing like it for a channel', async () => {
		const said = logged('info');
		await published();
		expect(said).toEqual([]);
		await published(template);
		expect(said).toEqual([[expect.stringMatching(/up to about 5 minutes/), fields]]);
	});

	const notConnected = [
		'The workflow is published on a channel that is not connected, so no message arrives. Connect it with the operation Channel → Connect',
		fields,
	];
	const aChannel = (channel: object | undefined) => {
		service.intercept = ({ path }) =>
			path === `/v1/channels/${CHANNEL_ID}`
				? channel
					? { status: 200, body: { id: CHANNEL_ID, ...channel } }
					: { status: 500, body: { error: 500, message: 'Internal error' } }
				: undefined;
	};

	it.each<[what: string, parameters: INodeParameters, channel: object | undefined, is: boolean]>([
		['not connected', {}, { phoneConnected: false }, true],
		[
			'not connected, of a webhook that is registered by hand',
			manual,
			{ phoneConnected: false },
			true,
		],
		['connected', {}, { phoneConnected: true }, false],
		['of which the service does not tell', {}, {}, false],
		['that cannot be read', {}, undefined, false],
		['that the templates do not need', template, { phoneConnected: false }, false],
	])(
		'is in the log that nothing arrives from a channel: %s',
		async (_what, parameters, channel, is) => {
			const said = logged('warn');
			logged('info');
			aChannel(channel);
			const workflow = triggerWorkflow({ parameters });
			service.add(CHANNEL_ID, { url: webhookUrl(), events: ['MESSAGE_RECEIVED'] });
			await publish(workflow, data({ webhookToken: 'by-hand' }));
			expect(said.filter(([words]) => /connected/.test(String(words)))).toEqual(
				is ? [notConnected] : [],
			);
		},
	);

	it('is nothing of the channel for a test, which waits for a message anyway', async () => {
		const said = logged('warn');
		aChannel({ phoneConnected: false });
		await published({}, true);
		expect(said.filter(([words]) => /connected/.test(String(words)))).toEqual([]);
	});

	it('is in the log what failed in cleaning up after a test, which n8n would show in place of why it did not start', async () => {
		const said = logged('warn');
		const workflow = triggerWorkflow();
		service.intercept = () => ({ status: 500, body: { error: 500, message: 'Out of order' } });
		await expect(publish(workflow, data(), { isTest: true })).rejects.toThrow(
			'Could not listen for a test event: the service failed (Out of order).',
		);
		// n8n removes the webhook of a test in a mode of production.
		await callLifecycle('delete', workflow, data(), { isTest: true, activation: 'update' });
		expect(said).toEqual([
			[
				'The webhook of a test could not be removed: Could not list the webhooks: the service failed (Out of order). The next test takes it over',
				fields,
			],
		]);
	});

	it.each<[string, TriggerOptions, object, string]>([
		[
			'no secret key',
			{},
			{ secretKey: '' },
			'Could not publish: the credential has no secret key. Enter the Secret Key in the credential.',
		],
		[
			'a secret key that is no text',
			{},
			{ secretKey: 7 },
			'Could not publish: the credential has no secret key. Enter the Secret Key in the credential.',
		],
		[
			'no webhook URL',
			{ nodeType: withoutWebhooks() },
			{},
			'Could not publish: n8n gave no webhook URL for this node. Save the workflow and publish it again.',
		],
	])(
		'say what is missing and what to do, and send nothing: %s',
		async (_what, options, credential, sentence) => {
			const failure = publish(triggerWorkflow(options), data(credential));
			await expect(failure).rejects.toMatchObject({
				message: sentence,
				description: undefined,
			});
			expect(methods()).toEqual([]);
		},
	);

	it("give an error of the service as n8n's error of a request, with its status", async () => {
		service.intercept = () => ({ status: 401, body: { error: 401, message: 'Unauthorized' } });
		await expect(publish(triggerWorkflow(), data())).rejects.toMatchObject({
			name: 'NodeApiError',
			httpCode: '401',
		});
	});

	it.each([
		['See api.example first', 'See api.example first. Check '],
		['Not now.', 'Not now. Check '],
	])('give the remedy as a sentence of its own: %s', async (message, sentence) => {
		service.intercept = () => ({ status: 422, body: { error: 422, message } });
		await expect(publish(triggerWorkflow(), data())).rejects.toThrow(
			`Could not publish: ${sentence}`,
		);
	});
});

it.each([
	['URL of the vault is wrong', 'Could not publish: URL of the vault is wrong'],
	['The vault is locked', 'Could not publish: the vault is locked'],
])('continue an outside error after the colon: %s', async (message, sentence) => {
	const credential = data();
	jest.spyOn(credential.credentialsHelper, 'getDecrypted').mockRejectedValue(new Error(message));
	await expect(publish(triggerWorkflow(), credential)).rejects.toThrow(sentence);
});

/** Of the workflow that this test publishes. */
function webhookUrl(workflow: Workflow = triggerWorkflow()): string {
	return webhookContext(workflow, data()).getNodeWebhookUrl('default') ?? '';
}

/** A trigger to which n8n gives no URL. */
function withoutWebhooks() {
	const trigger = new BusinessMessagingTrigger();
	trigger.description.webhooks = [];
	return trigger;
}
