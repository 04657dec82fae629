/** The list of webhooks must not tell who is being asked. */
import { createHash } from 'node:crypto';

import { number } from './harness/conversations.mts';
import { type Host } from './harness/host.mts';
import {
	ask,
	type Customers,
	listWebhooks,
	noWebhooks,
	reply,
	startAsking,
	openCustomers,
} from './harness/questions.mts';

const [ana] = [number(1)] as const;
const inChat = { responseType: 'replyInChat' };

let customers: Customers;
let host: Host;

beforeAll(async () => {
	customers = await openCustomers('Questions', [ana]);
	({ host } = customers);
});

afterAll(async () => await host?.cleanUp());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The mark of version 0.1.0, which needs no secret. */
const formerMark = (recipient: string) =>
	sha256(`${customers.channelId.toUpperCase()}\n${recipient}`).slice(0, 32);

test('whoever reads the list cannot find out the number by trying all of them', async () => {
	const question = await ask(customers, ana, inChat);
	const [webhook] = await listWebhooks(customers);
	const { recipient: mark } = webhook?.customAttributes.n8nWait as { recipient: string };
	const tried = Array.from({ length: 1000 }, (_, index) => number(index));
	expect(tried).toContain(ana);
	const guesses = (who: string) => [
		formerMark(who),
		sha256(who),
		sha256(`${customers.channelId}${who}`),
		sha256(`${customers.channelId}\n${who}`),
	];
	const found = tried.filter((who) =>
		guesses(who).some((guess) => [guess, guess.slice(0, 32)].some((text) => mark.includes(text))),
	);
	expect(found).toEqual([]);
	await reply(customers, ana, 'Yes');
	expect((await question.outcome()).status).toBe('success');
	await noWebhooks(customers);
});

test('a question that the version before asked still stands in the way of another to the same recipient', async () => {
	const { id } = await host.callService<{ id: string }>(
		`/v1/channels/${customers.channelId}/webhooks`,
		customers.secretKey,
		{
			method: 'POST',
			body: {
				url: 'http://127.0.0.1:9/webhook-waiting/1',
				events: ['CONNECTED'],
				customAttributes: {
					n8n: { instanceId: 'another-instance', workflowId: 'w', nodeId: 'n' },
					n8nWait: {
						executionId: '0',
						recipient: formerMark(ana),
						deadline: new Date(Date.now() + 600_000).toISOString(),
						wrongAnswers: 0,
					},
				},
			},
		},
	);
	const { executionId } = await startAsking(customers, ana, inChat);
	const { resultData } = await host.client.finishedExecution(executionId);
	expect(resultData.error).toMatchObject({
		message: expect.stringContaining('another question to this recipient waits') as string,
	});
	expect((await listWebhooks(customers)).map((webhook) => webhook.id)).toEqual([id]);
	await host.callService(
		`/v1/channels/${customers.channelId}/webhooks/${id}`,
		customers.secretKey,
		{ method: 'DELETE' },
	);
});
