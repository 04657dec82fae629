import { randomUUID } from 'node:crypto';

import { number } from './harness/conversations.mts';
import { Example, ownAccount } from './harness/examples.mts';
import { type Host, hostUnderTest } from './harness/host.mts';
import { Listener, type ListedWebhook } from './harness/listener.mts';
import { ask, reply } from './harness/questions.mts';

const { n8nUrl } = hostUnderTest();
const MISSING = 'AWorkflowThatIsNotThere';

let host: Host;
let secretKey: string;
let channel: string;
let emptyChannel: string;
/** This n8n's own mark. */
let instanceId: string;

beforeAll(async () => {
	const account = await ownAccount(['Checked', 'Empty']);
	({ host, secretKey } = account);
	[channel = '', emptyChannel = ''] = account.channels;
	const { webhook } = await publishListener(emptyChannel);
	({ instanceId } = webhook.customAttributes.n8n as { instanceId: string });
	await host.cleanUp();
});

afterAll(async () => await host?.cleanUp());

const importCheck = async (
	channelId: string,
	settings: { n8nUrl?: string; workflowIds: string[] },
): Promise<Example> => await Example.import(host, 'webhook-health-check', channelId, { settings });

/** Runs it by hand. @returns its report, in the order of the URLs */
async function run(check: Example) {
	const reports = await check.run('Every Hour', 'Report');
	return reports.sort(
		(one, other) =>
			String(one.finding).localeCompare(String(other.finding)) ||
			String(one.url).localeCompare(String(other.url)),
	);
}

const call = async <T,>(path: string, method = 'GET', body?: unknown): Promise<T> =>
	await host.callService<T>(`/v1/channels/${channel}/webhooks${path}`, secretKey, { method, body });

async function createWebhook(
	url: string,
	workflowId?: string,
	more: object = {},
	markedBy = instanceId,
): Promise<ListedWebhook> {
	const customAttributes =
		workflowId === undefined
			? {}
			: { n8n: { instanceId: markedBy, workflowId, nodeId: randomUUID() }, ...more };
	const { id } = await call<ListedWebhook>('', 'POST', {
		url,
		events: ['MESSAGE_RECEIVED'],
		customAttributes,
	});
	return await call<ListedWebhook>(`/${id}`);
}

async function publishListener(
	on = channel,
): Promise<{ workflowId: string; webhook: ListedWebhook }> {
	const { workflow } = await Listener.create(host, secretKey, on);
	await host.client.publish(workflow.id);
	const webhook = (
		await host.callService<ListedWebhook[]>(`/v1/channels/${on}/webhooks`, secretKey)
	).find(({ customAttributes }) => JSON.stringify(customAttributes).includes(workflow.id));
	if (!webhook) throw new Error('the listener registered no webhook');
	return { workflowId: workflow.id, webhook };
}

const deadUrl = (endpoint = 'webhook'): string => `${n8nUrl}/${endpoint}/${randomUUID()}/webhook`;

test('deletes the orphans, reports problems, and touches nothing else', async () => {
	const healthy = await publishListener();
	const disabled = await publishListener();
	const forgotten = await publishListener();
	await call(`/${disabled.webhook.id}`, 'PATCH', { status: 'DISABLED' });

	const unpublished = 'AWorkflowThatIsNotPublished';
	const notListening = await createWebhook(deadUrl(), unpublished);
	const orphan = await createWebhook(deadUrl(), 'AWorkflowThatWasDeleted');
	const orphanOfTest = await createWebhook(deadUrl('webhook-test'), healthy.workflowId);
	// Strangers: without n8n's mark, with another n8n's mark, at another address, and with this n8n's
	// address only in the query.
	await createWebhook(deadUrl());
	await createWebhook(deadUrl(), 'AWorkflowOfAnotherN8n', {}, 'another-instance');
	const elsewhere = [
		await createWebhook(`http://127.0.0.1:9/?${deadUrl()}`, 'AWorkflowOfAnotherN8n'),
		await createWebhook(
			`http://127.0.0.1:9/webhook/${randomUUID()}/webhook`,
			'AWorkflowOfAnotherN8n',
		),
	];
	const before = await call<ListedWebhook[]>('');
	expect(before).toHaveLength(10);

	const workflowIds = [healthy.workflowId, disabled.workflowId, unpublished, MISSING];
	const check = await importCheck(channel, { n8nUrl, workflowIds });
	const reportOf = (finding: string, { id, url }: ListedWebhook, workflowId: string) =>
		expect.objectContaining({
			finding,
			webhookId: id,
			url,
			workflowId,
			channelId: channel,
		}) as unknown;
	const problems = [
		reportOf('disabled', disabled.webhook, disabled.workflowId),
		...elsewhere.map((webhook) => reportOf('elsewhere', webhook, 'AWorkflowOfAnotherN8n')),
		expect.objectContaining({ finding: 'missing', workflowId: MISSING }) as unknown,
		reportOf('notListening', notListening, unpublished),
	];
	const deletions = [
		reportOf('orphan', orphan, 'AWorkflowThatWasDeleted'),
		reportOf('orphan', orphanOfTest, healthy.workflowId),
	];
	const shared = [healthy, forgotten]
		.sort((one, other) => one.webhook.url.localeCompare(other.webhook.url))
		.map(({ webhook, workflowId }) => reportOf('shared', webhook, workflowId));
	const reports = await run(check);
	expect(reports).toEqual([
		...problems,
		...(orphan.url < orphanOfTest.url ? deletions : deletions.reverse()),
		...shared,
	]);
	expect(reports.filter(({ deleted }) => deleted === true)).toHaveLength(2);

	const gone = new Set([orphan.id, orphanOfTest.id]);
	const kept = before.filter(({ id }) => !gone.has(id));
	expect(await call('')).toEqual(kept);
	expect(kept.map(({ id }) => id)).toContain(forgotten.webhook.id);

	// Again: the problems are still there, and there is nothing to delete.
	expect(await run(check)).toEqual([...problems, ...shared]);
	expect(await call('')).toEqual(kept);
	// The check started nothing.
	for (const { workflowId } of [healthy, disabled, forgotten])
		expect(await host.client.listExecutions(workflowId)).toEqual([]);
});

test('does not disturb a waiting question', async () => {
	const customers = { host, channelId: emptyChannel, secretKey };
	const customer = number(1);
	await reply(customers, customer, 'Hello');
	const question = await ask(customers, customer, { askIn: 'chat', responseType: 'replyInChat' });
	const check = await importCheck(emptyChannel, { workflowIds: [] });
	// Its URL lets the execution go on, so the check reports the URL without the part that makes it
	// work.
	const [waiting] = (
		await host.callService<ListedWebhook[]>(`/v1/channels/${emptyChannel}/webhooks`, secretKey)
	).map(({ url }) => new URL(url));
	const signature = waiting?.searchParams.get('signature') ?? '';
	expect(signature).not.toBe('');
	expect(await run(check)).toEqual([]);
	const [execution] = await host.client.listExecutions(check.workflow.id);
	const kept = await host.client.rawExecution(execution?.id ?? '');
	expect(kept).toContain(waiting?.pathname);
	expect(kept).not.toContain(signature);
	expect(await question.status()).toBe('waiting');
	await reply(customers, customer, 'Yes, please');
	expect(await question.outcome()).toMatchObject({
		status: 'success',
		items: [{ data: { text: 'Yes, please' } }],
	});
});
