import { runInEngine } from './harness/engine.mts';
import { run } from './harness/operations.mts';
import { respondJson, startScriptedService } from './harness/scriptedService.mts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';
const WEBHOOK = '019E4C54B1B375A28970B605CA9B0AAA';
const channelId = { __rl: true, mode: 'id', value: CHANNEL };

test('Channel → Get gives the channel without its token, and its webhooks without tokens and signatures', async () => {
	const webhook = { id: WEBHOOK, url: 'https://n8n.example/wait?signature=abc', events: ['BLOCK'] };
	const channel = { id: CHANNEL, name: 'Support', type: 'OFFICIAL_CHATAPP', phoneConnected: true };
	const { items, sent } = await run(
		{ resource: 'channel', operation: 'get', channelId },
		(_request, response) =>
			respondJson(response, 200, {
				...channel,
				token: 't0p',
				webhooks: [{ ...webhook, token: 't0p', auth: { type: 'BEARER', Token: 't0p' } }],
			}),
	);
	expect(sent).toEqual([['GET', `/v1/channels/${CHANNEL}`, '']]);
	expect(items).toEqual([
		{
			...channel,
			webhooks: [
				{
					...webhook,
					url: 'https://n8n.example/wait?signature=[hidden]',
					auth: { type: 'BEARER' },
				},
			],
		},
	]);
});

test('Channel → Disconnect', async () => {
	const { items, sent } = await run(
		{ resource: 'channel', operation: 'disconnect', channelId },
		(_request, response) => respondJson(response, 200, true),
	);
	expect(sent).toEqual([['PUT', `/v1/channels/${CHANNEL}/disconnect`, '']]);
	expect(items).toEqual([{ success: true, channelId: CHANNEL }]);
});

test.each<[unknown, RegExp]>([
	[false, /Could not disconnect the channel: the service answered that it was not done/],
	[
		{ success: true },
		/Could not disconnect the channel: the service answered in an unexpected form/,
	],
	[undefined, /Could not disconnect the channel: the service answered with an empty body/],
])('Channel → Disconnect fails if the service responds with %j', async (body, message) => {
	const request = run(
		{ resource: 'channel', operation: 'disconnect', channelId },
		(_request, response) => respondJson(response, 200, body),
	);
	await expect(request).rejects.toThrow(message);
});

test.each([
	['without a reason, and so without a body', { cancelReason: ' ' }, ''],
	['with a reason', { cancelReason: ' moved ' }, { cancelReason: 'moved' }],
])('Channel → Delete %s', async (_how, parameters, body) => {
	const { items, sent } = await run(
		{ resource: 'channel', operation: 'delete', channelId, ...parameters },
		(_request, response) => response.writeHead(204).end(),
	);
	expect(sent).toEqual([['DELETE', `/v1/channels/${CHANNEL}`, body]]);
	expect(items).toEqual([{ deleted: true, id: CHANNEL }]);
});

test.each([
	['INSTANCE_STILL_CONNECTED', /Disconnect it first, with the operation Disconnect/],
	[
		'INSTANCE_HAS_ACTIVE_SUBSCRIPTION',
		/If its "paymentStatus" is PAID, end it with the operation Cancel Subscription/,
	],
	['Something else', /fields/],
])('Channel → Delete says what to do after %s', async (message, hint) => {
	const service = await startScriptedService((_request, response) =>
		respondJson(response, 422, { error: 422, message }),
	);
	const { error } = await runInEngine({
		baseUrl: service.url,
		parameters: { resource: 'channel', operation: 'delete', channelId },
	});
	await service.close();
	expect(error?.message).toBe(`Could not delete the channel: ${message}`);
	expect(error?.description).toMatch(hint);
	expect(error?.context).toMatchObject({ data: { reason: 'rejected', status: 422 } });
});
