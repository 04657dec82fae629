/** What the lifecycle methods leave alone, what they clear up after a change of the fields, and what they say, in n8n-core's HookContext. */
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

/** What is stored of a workflow that was published with these fields. */
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

describe('what is left alone', () => {
	it('is the list of a trigger that is registered by hand, whatever n8n calls', async () => {
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
		'is the service when a trigger %s that never registered is unpublished',
		async (_what, fields) => {
			expect(await callLifecycle('delete', workflowOf(undefined, fields), data())).toBe(true);
			expect(methods()).toEqual([]);
		},
	);

	it('is the webhook of a test that is as wanted', async () => {
		const stored = await published({}, true);
		await publish(workflowOf(stored), data(), { isTest: true });
		expect(methods()).toEqual(['GET']);
	});

	it('is a webhook that was deleted on the service: it is not asked for any more', async () => {
		const stored = await published();
		onChannel().length = 0;
		await publish(workflowOf(stored), data());
		expect(methods()).toEqual(['GET', 'GET', 'POST', 'GET']);
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
	])('the webhook of the former source is deleted: %s', async (_what, before, after, counts) => {
		const stored = await published(before);
		expect(await callLifecycle('checkExists', workflowOf(stored, after), data())).toBe(false);
		await publish(workflowOf(stored, after), data());
		expect([onChannel().length, ofTemplates().length]).toEqual(counts());
	});

	it('unpublishing a trigger whose channel was taken out deletes the webhook on it', async () => {
		const workflow = workflowOf(await published(), noChannel);
		expect(await callLifecycle('delete', workflow, data())).toBe(true);
		expect(onChannel()).toEqual([]);
		expect(changedStaticData(workflow)).toEqual({ [STATE_KEY]: {} });
	});

	it('unpublishing a trigger that is registered by hand now deletes what it had registered, and not the other one', async () => {
		const stored = await published();
		const byHand = service.add(CHANNEL_ID, { url: webhookUrl(), events: ['MESSAGE_RECEIVED'] });
		await callLifecycle('delete', workflowOf(stored, manual), data());
		expect(onChannel()).toEqual([byHand]);
	});

	it('a webhook registered by hand stays on the former channel, once the source was changed, too', async () => {
		const stored = await published();
		const byHand = service.add(CHANNEL_ID, { url: webhookUrl(), events: ['MESSAGE_RECEIVED'] });
		await callLifecycle('delete', workflowOf(stored, { ...manual, ...template }), data());
		expect(onChannel()).toEqual([byHand]);
	});

	it('unpublishing a trigger that is registered by hand now deletes its disabled template webhook, which the list does not show', async () => {
		const stored = await published(template);
		for (const webhook of ofTemplates()) webhook.status = 'DISABLED';
		await callLifecycle('delete', workflowOf(stored, { ...manual, ...template }), data());
		expect(ofTemplates()).toEqual([]);
	});

	it('a trigger that is registered by hand now does not forget what it had registered while the service fails', async () => {
		const stored = await published();
		const workflow = workflowOf(stored, manual);
		service.intercept = () => ({ status: 500, body: { error: 500, message: 'Internal error' } });
		await expect(callLifecycle('delete', workflow, data())).rejects.toThrow('Could not unpublish');
		service.intercept = () => undefined;
		await callLifecycle('delete', workflow, data());
		expect(onChannel()).toEqual([]);
	});
});

describe('what is said', () => {
	const fields = { workflowId: 'workflow-1', node: 'Business Messaging Trigger' };

	it('is in the log that the address works on this machine only', async () => {
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

	it('is nothing of an address that is fine', async () => {
		const said = logged('warn');
		const reachable = additionalData(
			{ baseUrl: service.url, secretKey: SECRET_KEY },
			{ ...urls, production: 'https://n8n.example.com/webhook' },
		);
		await publish(triggerWorkflow(), reachable);
		expect([said, onChannel().length]).toEqual([[], 1]);
	});

	it('is in the log that the first template events take a while, and nothing of the kind for a channel', async () => {
		const said = logged('info');
		await published();
		expect(said).toEqual([]);
		await published(template);
		expect(said).toEqual([[expect.stringMatching(/up to about 5 minutes/), fields]]);
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
		'is what is missing, and what to do, and nothing is sent: %s',
		async (_what, options, credential, sentence) => {
			const failure = publish(triggerWorkflow(options), data(credential));
			await expect(failure).rejects.toMatchObject({
				message: sentence,
				description: undefined,
			});
			expect(methods()).toEqual([]);
		},
	);

	it("is an error of the service as n8n's error of a request, with its status", async () => {
		service.intercept = () => ({ status: 401, body: { error: 401, message: 'Unauthorized' } });
		await expect(publish(triggerWorkflow(), data())).rejects.toMatchObject({
			name: 'NodeApiError',
			httpCode: '401',
		});
	});

	it.each([
		['See api.example first', 'See api.example first. Check '],
		['Not now.', 'Not now. Check '],
	])('is what to do as a sentence of its own: %s', async (message, sentence) => {
		service.intercept = () => ({ status: 422, body: { error: 422, message } });
		await expect(publish(triggerWorkflow(), data())).rejects.toThrow(
			`Could not publish: ${sentence}`,
		);
	});
});

it.each([
	['URL of the vault is wrong', 'Could not publish: URL of the vault is wrong'],
	['The vault is locked', 'Could not publish: the vault is locked'],
])(
	'an error that is not of this package goes on after the colon: %s',
	async (message, sentence) => {
		const credential = data();
		jest.spyOn(credential.credentialsHelper, 'getDecrypted').mockRejectedValue(new Error(message));
		await expect(publish(triggerWorkflow(), credential)).rejects.toThrow(sentence);
	},
);

/** Of the workflow that is published here. */
function webhookUrl(workflow: Workflow = triggerWorkflow()): string {
	return webhookContext(workflow, data()).getNodeWebhookUrl('default') ?? '';
}

/** A trigger to which n8n gives no URL. */
function withoutWebhooks() {
	const trigger = new BusinessMessagingTrigger();
	trigger.description.webhooks = [];
	return trigger;
}
