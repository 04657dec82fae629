/** Publishing a second workflow on a channel, in n8n-core's HookContext. */
import type { INodeParameters } from 'n8n-workflow';

import { CHANNEL, SECRET_KEY } from '../support/constants.mts';
import { fakeServiceOfEachTest } from './harness/fakeService.mts';
import { logged } from './harness/logged.mts';
import { additionalData, publish, triggerWorkflow } from './harness/n8n.mts';
import { urls } from './harness/publishedReceiver.mts';

/** Where the first workflow of this n8n is, which has another address than the second. */
const OTHER_URL = 'http://127.0.0.1:5678/webhook/3f1d2c4b-0000-4000-8000-000000000002/webhook';

const service = fakeServiceOfEachTest();
let said: unknown[][];
beforeEach(() => (said = logged('warn')));

/** Publishes a workflow, and gives what the log says beside what it says of unreachable hosts. */
async function warnings(
	parameters: INodeParameters = {},
	{ isTest = false, workflowId = 'workflow-1' } = {},
): Promise<unknown[][]> {
	said.length = 0;
	const credential = { baseUrl: service.url, secretKey: SECRET_KEY, webhookToken: 'by-hand' };
	const workflow = triggerWorkflow({ parameters, workflowId });
	await publish(workflow, additionalData(credential, urls), { isTest });
	return said.filter(([words]) => String(words).includes('Other workflows'));
}

/** A webhook of another workflow, as its trigger registers it. */
async function another(change: object = {}): Promise<void> {
	await warnings({}, { workflowId: 'workflow-2' });
	const [mine] = service.webhooks(CHANNEL);
	Object.assign(mine!, { url: OTHER_URL, ...change });
}

/** The other's webhook with another mark. */
const marked = (change: object, more: object = {}) => ({
	customAttributes: {
		n8n: { ...(service.webhooks(CHANNEL)[0]?.customAttributes.n8n as object), ...change },
		...more,
	},
});

it('says in the log which workflow gets the same events, and what to do', async () => {
	await another();
	expect(await warnings()).toEqual([
		[
			'Other workflows get the same events of this channel: n8n workflow "Answer customers", node "Business Messaging Trigger". If each of them answers, a customer gets several answers. To prevent that, unpublish all but one',
			{
				workflowId: 'workflow-1',
				workflow: 'Answer customers',
				node: 'Business Messaging Trigger',
			},
		],
	]);
	expect(service.webhooks(CHANNEL)).toHaveLength(2);
});

it('says in the log that customers who share an execution share the memory of an agent', async () => {
	const ofMemory = async (grouping: string, chatFields: boolean) => {
		await warnings({ grouping, options: { chatFields } });
		return said.filter(([words]) => String(words).startsWith('Customers that share an execution'));
	};
	expect(await ofMemory('arrival', true)).toEqual([
		[expect.stringContaining('set Grouping to Wait for Quick Messages'), expect.anything()],
	]);
	expect([await ofMemory('arrival', false), await ofMemory('customer', true)]).toEqual([[], []]);
});

it('names a workflow of another n8n as such, and one without a description by its ID', async () => {
	await another();
	Object.assign(service.webhooks(CHANNEL)[0]!, {
		...marked({ instanceId: 'another', workflowId: 'workflow-1' }),
		description: null,
	});
	expect(await warnings()).toEqual([
		[expect.stringContaining(': the workflow workflow-1 of another n8n. '), expect.anything()],
	]);
});

it('says so if they share one event of several, also for a webhook registered by hand', async () => {
	await another({ events: ['MESSAGE_STATUS', 'BLOCK'] });
	const channelEvents = ['MESSAGE_RECEIVED', 'BLOCK'];
	expect(await warnings({ channelEvents })).toHaveLength(1);
	expect(await warnings({ channelEvents, registration: 'manual' })).toHaveLength(1);
});

it.each<[string, () => object]>([
	['gets other events', () => ({ events: ['MESSAGE_STATUS'] })],
	['is disabled', () => ({ status: 'DISABLED' })],
	['has no mark of n8n', () => ({ customAttributes: {} })],
	['is a second trigger of the same workflow', () => marked({ workflowId: 'workflow-1' })],
	['waits for a reply', () => marked({}, { n8nWait: { executionId: '1', recipient: 'v2:a' } })],
])('says nothing if the other one %s', async (_what, change) => {
	await another();
	Object.assign(service.webhooks(CHANNEL)[0]!, change());
	expect(await warnings()).toEqual([]);
});

it('says nothing in a test, for templates, or when the first workflow is published', async () => {
	expect(await warnings({}, { workflowId: 'workflow-2' })).toEqual([]);
	Object.assign(service.webhooks(CHANNEL)[0]!, { url: OTHER_URL });
	expect(await warnings({}, { isTest: true })).toEqual([]);
	const template = { source: 'template' };
	await warnings(template, { workflowId: 'workflow-2' });
	Object.assign(service.webhooks('template')[0]!, { url: OTHER_URL });
	expect(await warnings(template)).toEqual([]);
});
