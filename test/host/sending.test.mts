import {
	acceptedTexts,
	clearFaults,
	number,
	openConversations,
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
