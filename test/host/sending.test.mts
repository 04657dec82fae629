import { CREDENTIAL_TYPE } from '../../scripts/n8n/provision.mts';
import {
	acceptedTexts,
	clearFaults,
	clearRequests,
	number,
	openConversations,
	sendRequests,
	sendTextParameters,
} from './harness/conversations.mts';
import { startFront } from './harness/frontedService.mts';
import { Host } from './harness/host.mts';
import { createAccount } from './harness/listener.mts';

const host = new Host();

afterEach(async () => {
	await clearFaults(host);
	await host.cleanUp();
});

test('Retry On Fail: the 7th of 10 items fails twice, and each is accepted once, in order per recipient', async () => {
	const { channelId, credentialFor } = await openConversations(host, [0, 1, 2].map(number));
	let failures = 2;
	const front = await startFront(host.underTest.sandboxUrl, (body) =>
		body.includes('text 6') && failures-- > 0
			? { status: 500, body: { error: 500, message: 'Internal error' } }
			: undefined,
	);
	try {
		const items = Array.from({ length: 10 }, (_, index) => ({
			to: number(index % 3),
			text: `text ${index}`,
		}));
		const run = await host.runAction(sendTextParameters(channelId), {
			items,
			credential: await credentialFor(front.url),
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 50 },
		});
		expect(run.error).toBeUndefined();
		expect(run.items).toHaveLength(10);
		const accepted = await acceptedTexts(host, channelId);
		expect(accepted.map(({ text }) => text).sort()).toEqual(items.map(({ text }) => text));
		for (const recipient of [0, 1, 2].map(number)) {
			expect(
				accepted.filter(({ customer }) => customer === recipient).map(({ text }) => text),
			).toEqual(items.filter(({ to }) => to === recipient).map(({ text }) => text));
		}
	} finally {
		await front.close();
	}
});

test("a long text in Markdown arrives as three messages in order, with the chat's own formatting", async () => {
	const { channelId, credentialFor } = await openConversations(host, [number(0)]);
	const chapter = (name: string) =>
		`## ${name}\n\n**${name}** comes *first*. ${'Word by word. '.repeat(10).trim()}`;
	const shown = (name: string) =>
		`*${name}*\n\n*${name}* comes _first_. ${'Word by word. '.repeat(10).trim()}`;
	const names = ['One', 'Two', 'Three'];
	const run = await host.runAction(
		{
			...sendTextParameters(channelId),
			options: { convertMarkdown: true, maxLength: 200 },
		},
		{
			items: [
				{ to: number(0), text: names.map(chapter).join('\n\n') },
				{ to: number(0), text: 'after' },
			],
			credential: await credentialFor(host.underTest.sandboxUrl),
		},
	);
	expect(run.error).toBeUndefined();
	expect((await acceptedTexts(host, channelId)).map(({ text }) => text)).toEqual([
		...names.map(shown),
		'after',
	]);
	const [long, after] = run.items;
	const messageIds = long?.messageIds as string[];
	expect(new Set([...messageIds, after?.messageId]).size).toBe(4);
	expect(long?.messageId).toBe(messageIds[0]);
	expect(after).not.toHaveProperty('messageIds');
});

test('the Retry of the executions list continues where the execution stopped', async () => {
	const { channelId, credentialFor } = await openConversations(host, [number(0)]);
	let failing = true;
	const front = await startFront(host.underTest.sandboxUrl, (body) =>
		body.includes('text 2') && failing
			? { status: 500, body: { error: 500, message: 'Internal error' } }
			: undefined,
	);
	try {
		const items = Array.from({ length: 5 }, (_, index) => ({
			to: number(0),
			text: `text ${index}`,
		}));
		const stopped = await host.runAction(sendTextParameters(channelId), {
			items,
			credential: await credentialFor(front.url),
		});
		expect(stopped.execution.status).toBe('error');
		expect((await acceptedTexts(host, channelId)).map(({ text }) => text)).toEqual([
			'text 0',
			'text 1',
		]);
		failing = false;
		const retried = await host.client.finishedExecution(
			await host.client.retryExecution(stopped.execution.id),
		);
		expect(retried.status).toBe('success');
		expect((await acceptedTexts(host, channelId)).map(({ text }) => text)).toEqual(
			items.map(({ text }) => text),
		);
	} finally {
		await front.close();
	}
});

test('Retry also continues after the secret key was replaced', async () => {
	const { secretKey, tenantId, channels } = await createAccount(host, ['Sending']);
	const [channelId = ''] = channels;
	await host.sandbox.customerWrites({
		channelId,
		from: number(0),
		name: 'Customer',
		text: 'Hello',
	});
	let failing = true;
	const front = await startFront(host.underTest.sandboxUrl, (body) =>
		body.includes('text 2') && failing
			? { status: 500, body: { error: 500, message: 'Internal error' } }
			: undefined,
	);
	try {
		const credential = await host.client.createCredential('Sending', CREDENTIAL_TYPE, {
			baseUrl: front.url,
			secretKey,
		});
		const items = Array.from({ length: 4 }, (_, index) => ({
			to: number(0),
			text: `text ${index}`,
		}));
		const stopped = await host.runAction(sendTextParameters(channelId), { items, credential });
		expect(stopped.execution.status).toBe('error');
		const replaced = `${secretKey}-new`;
		await host.sandbox.post('/_sandbox/secret-key', { secretKey: replaced, tenant: tenantId });
		await host.client.updateCredential(credential, { baseUrl: front.url, secretKey: replaced });
		failing = false;
		const retried = await host.client.finishedExecution(
			await host.client.retryExecution(stopped.execution.id),
		);
		expect(retried.status).toBe('success');
		expect((await acceptedTexts(host, channelId)).map(({ text }) => text)).toEqual(
			items.map(({ text }) => text),
		);
	} finally {
		await front.close();
	}
});

test('1,000 texts to 200 recipients: at most 20 in flight, in order per recipient, output in input order', async () => {
	const recipients = Array.from({ length: 200 }, (_, index) => number(index));
	const { channelId, credentialFor } = await openConversations(host, recipients);
	const credential = await credentialFor(host.underTest.sandboxUrl);
	await host.sandbox.post('/_sandbox/faults', {
		on: 'route',
		operation: 'sendMessage',
		kind: 'latency',
		ms: 100,
	});
	await clearRequests(host);
	const items = Array.from({ length: 1000 }, (_, index) => ({
		to: recipients[(index * 7) % 200]!,
		text: `text ${index}`,
	}));
	const run = await host.runAction(sendTextParameters(channelId, { maxConcurrency: 20 }), {
		items,
		credential,
	});
	expect(run.error).toBeUndefined();
	expect(run.items.map(({ recipient }) => recipient)).toEqual(items.map(({ to }) => to));

	const log = await sendRequests(host, channelId);
	expect(log.times).toHaveLength(1000);
	expect(log.maxInFlight).toBeLessThanOrEqual(20);
	const byRecipient = new Map<string, string[]>();
	for (const { customer, text } of await acceptedTexts(host, channelId))
		byRecipient.set(customer, [...(byRecipient.get(customer) ?? []), text]);
	for (const recipient of recipients)
		expect(byRecipient.get(recipient)).toEqual(
			items.filter(({ to }) => to === recipient).map(({ text }) => text),
		);
});

test('200 texts at 50 per second: the service gets at most 50 in any second', async () => {
	const recipients = Array.from({ length: 200 }, (_, index) => number(index));
	const { channelId, credentialFor } = await openConversations(host, recipients);
	const credential = await credentialFor(host.underTest.sandboxUrl);
	const items = recipients.map((to) => ({ to, text: 'Hello' }));
	const run = await host.runAction(
		sendTextParameters(channelId, { maxConcurrency: 50, maxPerSecond: 50 }),
		{ items, credential },
	);
	expect(run.error).toBeUndefined();
	const times = (await sendRequests(host, channelId)).times;
	expect(times).toHaveLength(200);
	for (let first = 0; first + 50 < times.length; first++)
		expect(times[first + 50]! - times[first]!).toBeGreaterThanOrEqual(1000);
});
