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

const host = new Host();

afterEach(async () => {
	await clearFaults(host);
	await host.cleanUp();
});

test.each([
	['', false],
	[', also after the secret key was replaced', true],
])('the Retry of the executions list continues where the execution stopped%s', async (_, isNew) => {
	const { channelId, tenantId, secretKey, credentialFor } = await openConversations(host, [
		number(0),
	]);
	let failing = true;
	const front = await startFront(host.underTest.sandboxUrl, (body) =>
		body.includes('text 2') && failing
			? { status: 500, body: { error: 500, message: 'Internal error' } }
			: undefined,
	);
	const accepted = async () => (await acceptedTexts(host, channelId)).map(({ text }) => text);
	try {
		const texts = Array.from({ length: 5 }, (_text, index) => `text ${index}`);
		const items = texts.map((text) => ({ to: number(0), text }));
		const credential = await credentialFor(front.url);
		const stopped = await host.runAction(sendTextParameters(channelId), { items, credential });
		expect(stopped.execution.status).toBe('error');
		expect(await accepted()).toEqual(['text 0', 'text 1']);
		if (isNew) {
			const replaced = `${secretKey}-new`;
			const ofTenant = { secretKey: replaced, tenant: tenantId };
			await host.sandbox.post('/_sandbox/secret-key', ofTenant);
			await host.client.updateCredential(credential, { baseUrl: front.url, secretKey: replaced });
		}
		failing = false;
		const retried = await host.client.retryExecution(stopped.execution.id);
		expect((await host.client.finishedExecution(retried)).status).toBe('success');
		expect(await accepted()).toEqual(texts);
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
