import { randomUUID } from 'node:crypto';

import { CREDENTIAL_TYPE } from '../../scripts/n8n/provision.mts';
import { startFront } from './harness/frontedService.mts';
import { byId, Host } from './harness/host.mts';

const host = new Host();

afterEach(async () => {
	await fetch(new URL('/_sandbox/faults', host.underTest.sandboxUrl), { method: 'DELETE' });
	await host.cleanUp();
});

interface LoggedRequest {
	time: string;
	path: string;
}

/** A tenant of this test's own, whose channel nobody else uses, with the conversation windows of its customers open. */
async function openConversations(customers: string[]) {
	const secretKey = `sandbox_sk_${randomUUID()}`;
	const tenant = { name: 'Sending', secretKey, publicKey: `sandbox_pk_${randomUUID()}`, channels: [{ name: 'Sending' }] };
	const { tenants } = await host.sandbox.post<{ tenants: Array<{ channels: string[] }> }>('/_sandbox/seed', { tenants: [tenant] });
	const channelId = tenants[0]!.channels[0]!;
	for (const from of customers) await host.sandbox.customerWrites({ channelId, from, name: 'Customer', text: 'Hello' });
	const credentialFor = async (baseUrl: string) => await host.client.createCredential(`Sending ${randomUUID()}`, CREDENTIAL_TYPE, { baseUrl, secretKey });
	return { channelId, credentialFor };
}

/** What the service accepted on a channel, in its order. */
async function acceptedTexts(channelId: string) {
	const { messages } = await host.sandbox.get<{ messages: Array<{ direction: string; customer: string; content: { text: string } }> }>(
		`/_sandbox/messages?channelId=${channelId}&limit=10000`,
	);
	return messages.filter(({ direction }) => direction === 'out').map(({ customer, content }) => ({ customer, text: content.text }));
}

const sendText = (channelId: string, options: Record<string, number> = {}) => ({
	resource: 'message',
	operation: 'sendText',
	channelId: byId(channelId),
	recipient: '={{ $json.to }}',
	text: '={{ $json.text }}',
	options,
});

const number = (index: number) => String(5511900000000 + index);

test('Retry On Fail: the 7th of 10 items fails twice, and the service accepts each of the 10 exactly once, in order per recipient', async () => {
	const { channelId, credentialFor } = await openConversations([0, 1, 2].map(number));
	let failures = 2;
	const front = await startFront(host.underTest.sandboxUrl, (body) => (body.includes('text 6') && failures-- > 0 ? { status: 500, body: { error: 500, message: 'Internal error' } } : undefined));
	try {
		const items = Array.from({ length: 10 }, (_, index) => ({ to: number(index % 3), text: `text ${index}` }));
		const run = await host.runAction(sendText(channelId), {
			items,
			credential: await credentialFor(front.url),
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 50 },
		});
		expect(run.error).toBeUndefined();
		expect(run.items).toHaveLength(10);
		const accepted = await acceptedTexts(channelId);
		expect(accepted.map(({ text }) => text).sort()).toEqual(items.map(({ text }) => text));
		for (const recipient of [0, 1, 2].map(number)) {
			expect(accepted.filter(({ customer }) => customer === recipient).map(({ text }) => text)).toEqual(items.filter(({ to }) => to === recipient).map(({ text }) => text));
		}
	} finally {
		await front.close();
	}
});

test('the Retry of the executions list goes on where the execution stopped', async () => {
	const { channelId, credentialFor } = await openConversations([number(0)]);
	let failing = true;
	const front = await startFront(host.underTest.sandboxUrl, (body) => (body.includes('text 2') && failing ? { status: 500, body: { error: 500, message: 'Internal error' } } : undefined));
	try {
		const items = Array.from({ length: 5 }, (_, index) => ({ to: number(0), text: `text ${index}` }));
		const stopped = await host.runAction(sendText(channelId), { items, credential: await credentialFor(front.url) });
		expect(stopped.execution.status).toBe('error');
		expect((await acceptedTexts(channelId)).map(({ text }) => text)).toEqual(['text 0', 'text 1']);
		failing = false;
		const retried = await host.client.finishedExecution(await host.client.retryExecution(stopped.execution.id));
		expect(retried.status).toBe('success');
		expect((await acceptedTexts(channelId)).map(({ text }) => text)).toEqual(items.map(({ text }) => text));
	} finally {
		await front.close();
	}
});

test('1,000 texts to 200 recipients: never more than 20 under way, in order per recipient, output in input order', async () => {
	const recipients = Array.from({ length: 200 }, (_, index) => number(index));
	const { channelId, credentialFor } = await openConversations(recipients);
	const credential = await credentialFor(host.underTest.sandboxUrl);
	await host.sandbox.post('/_sandbox/faults', { on: 'route', operation: 'sendMessage', kind: 'latency', ms: 100 });
	await fetch(new URL('/_sandbox/requests', host.underTest.sandboxUrl), { method: 'DELETE' });
	const items = Array.from({ length: 1000 }, (_, index) => ({ to: recipients[(index * 7) % 200]!, text: `text ${index}` }));
	const run = await host.runAction(sendText(channelId, { maxConcurrency: 20 }), { items, credential });
	expect(run.error).toBeUndefined();
	expect(run.items.map(({ recipient }) => recipient)).toEqual(items.map(({ to }) => to));

	const log = await host.sandbox.get<{ maxInFlight: number; requests: LoggedRequest[] }>(`/_sandbox/requests?method=POST&path=/v1/channels/${channelId}/messages&limit=20000`);
	expect(log.requests).toHaveLength(1000);
	expect(log.maxInFlight).toBeLessThanOrEqual(20);
	const byRecipient = new Map<string, string[]>();
	for (const { customer, text } of await acceptedTexts(channelId)) byRecipient.set(customer, [...(byRecipient.get(customer) ?? []), text]);
	for (const recipient of recipients) expect(byRecipient.get(recipient)).toEqual(items.filter(({ to }) => to === recipient).map(({ text }) => text));
});

test('200 texts at 50 per second: no window of one second at the service holds more than 50', async () => {
	const recipients = Array.from({ length: 200 }, (_, index) => number(index));
	const { channelId, credentialFor } = await openConversations(recipients);
	const credential = await credentialFor(host.underTest.sandboxUrl);
	const items = recipients.map((to) => ({ to, text: 'Hello' }));
	const run = await host.runAction(sendText(channelId, { maxConcurrency: 50, maxPerSecond: 50 }), { items, credential });
	expect(run.error).toBeUndefined();
	const log = await host.sandbox.get<{ requests: LoggedRequest[] }>(`/_sandbox/requests?method=POST&path=/v1/channels/${channelId}/messages&limit=20000`);
	const times = log.requests.map(({ time }) => Date.parse(time)).sort((left, right) => left - right);
	expect(times).toHaveLength(200);
	for (let first = 0; first + 50 < times.length; first++) expect(times[first + 50]! - times[first]!).toBeGreaterThanOrEqual(1000);
});
