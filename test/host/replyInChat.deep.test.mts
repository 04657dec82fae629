/** Replies and approvals in the chat. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '#scripts/until.mts';
import { clearFaults, number } from './harness/conversations.mts';
import type { Host } from './harness/host.mts';
import {
	ask,
	type Customers,
	firstTextsTo,
	IN_DOUBT_MS,
	listWebhooks,
	noWebhooks,
	openCustomers,
	reply,
	startAsking,
	tap,
	textsTo,
} from './harness/questions.mts';

const [ana, ben] = [number(1), number(2)] as const;
const LIMIT_MS = 30_000;

let customers: Customers;
let host: Host;

beforeAll(async () => {
	customers = await openCustomers('Questions', [ana, ben]);
	({ host } = customers);
});

afterEach(async () => {
	await clearFaults(host);
	await noWebhooks(customers);
});

afterAll(async () => await host?.cleanUp());

const inChat = { askIn: 'chat', responseType: 'replyInChat' };
const approval = {
	...{ askIn: 'chat', responseType: 'approval' },
	approvalOptions: { values: { approvalType: 'double' } },
};
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown;

interface Attempt {
	status: number | null;
	signedText: string;
	requestHeaders: Record<string, string>;
}

/** Of the newest delivery to a webhook. */
async function firstAttemptAt(webhookId: string | undefined): Promise<Attempt | undefined> {
	const path = `/_sandbox/deliveries?webhookId=${webhookId}`;
	const { deliveries } = await host.sandbox.get<{ deliveries: Array<{ id: number }> }>(path);
	const [delivery] = deliveries;
	if (!delivery) return undefined;
	const detail = `/_sandbox/deliveries/${delivery.id}`;
	return (await host.sandbox.get<{ attemptList: Attempt[] }>(detail)).attemptList[0];
}

test('keeps a reply that comes before the execution waits', async () => {
	// The customer reads the question while n8n is still busy with it.
	await host.sandbox.post('/_sandbox/faults', {
		on: 'route',
		operation: 'updateChannelWebhook',
		kind: 'latency',
		ms: 4500,
	});
	const before = (await textsTo(customers, ana)).length;
	const { executionId } = await startAsking(customers, ana, inChat);
	await firstTextsTo(customers, ana, before + 1);
	await sleep(IN_DOUBT_MS);
	await reply(customers, ana, 'At once');
	const [webhook] = await listWebhooks(customers);
	const tried = async () => await firstAttemptAt(webhook?.id);
	const { status } = await until('the first attempt', tried, LIMIT_MS);
	// n8n itself refuses the reply, so the service delivers it again. If the execution has not waited
	// before, n8n responds 500, because nothing is stored that it could read.
	expect([409, 500]).toContain(status);
	const { resultData } = await host.client.finishedExecution(executionId);
	expect(resultData.runData.After?.[0]?.data?.main[0]?.[0]?.json).toMatchObject({
		text: 'At once',
		data: { outcome: 'answered' },
	});
});

test("keeps the secret key and the signing secret out of n8n's records", async () => {
	const question = await ask(customers, ana, inChat);
	const waits = await host.client.rawExecution(question.executionId);
	const [webhook] = await listWebhooks(customers);
	const resumeSignature = new URL(webhook?.url ?? '').searchParams.get('signature') ?? '';
	await reply(customers, ana, 'Yes');
	await question.finished();
	const records = waits + (await host.client.rawExecution(question.executionId));
	for (const secret of [customers.secretKey, resumeSignature])
		expect(records).not.toContain(secret);

	// The service's signing secrets are 64 hexadecimal characters. None in the records signs what was
	// delivered.
	const { signedText, requestHeaders } = (await firstAttemptAt(webhook?.id))!;
	const signature = /v1=([0-9a-f]{64})/.exec(requestHeaders['x-webhook-signature'] ?? '')?.[1];
	expect(signature).toBeDefined();
	const candidates = [...new Set(records.match(/[0-9a-f]{64}/g))];
	for (const candidate of candidates)
		expect(createHmac('sha256', candidate).update(signedText).digest('hex')).not.toBe(signature);
});

const decided = (approved: boolean) => ({
	approved,
	...{ responder: { identifier: ana, name: 'Customer' }, outcome: 'answered', respondedAt: time },
});

test('continues once after a decision whose response got lost, and leaves no webhook', async () => {
	const question = await ask(customers, ana, { ...approval, approvers: [ben] });
	await host.sandbox.post('/_sandbox/faults', { on: 'webhook', kind: 'dropAfter', times: 1 });
	await tap(customers, ana, 'Approve');
	expect((await question.outcome()).items).toMatchObject([{ data: decided(true) }]);
	await noWebhooks(customers);
});
