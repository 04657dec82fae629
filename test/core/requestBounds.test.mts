/** A service that drips or never ends holds nothing, and of its answer little is read. */
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

import { createServiceClient } from '#nodes/service/client.ts';
import { webhookApi } from '#nodes/service/webhooks.ts';
import { byId, CHANNEL } from '../support/constants.mts';
import { runInEngine } from './harness/engine.mts';
import { additionalData, triggerWorkflow, webhookContext } from './harness/n8n.mts';
import { urls } from './harness/publishedReceiver.mts';
import { respondJson, startScriptedService } from './harness/scriptedService.mts';

const MB = 1024 ** 2;
const channelId = byId(CHANNEL);
const SEND = {
	...{ resource: 'message', operation: 'sendText', channelId },
	...{ recipient: '5511999990000', text: 'Hello', options: { timeout: 3000 } },
};
const LIST = { resource: 'webhook', operation: 'getAll', channelId, returnAll: true };
const continues = { onError: 'continueRegularOutput' } as const;

/** Runs the node against a service. How many connections are left, once the node has ended. */
async function runAgainst(
	parameters: object,
	respond: (response: ServerResponse) => void,
	settings: object = continues,
	onStart?: Parameters<typeof runInEngine>[0]['onStart'],
) {
	let left = 0;
	const service = await startScriptedService((_request, response) => {
		left++;
		response.on('close', () => left--);
		respond(response);
	});
	const began = performance.now();
	const { items, error } = await runInEngine({
		baseUrl: service.url,
		parameters: { ...parameters },
		settings,
		...(onStart ? { onStart } : {}),
	});
	const took = performance.now() - began;
	for (let tries = 0; left > 0 && tries < 50; tries++) await wait(20);
	await service.close();
	return { items, error, took, left, requests: service.requests.length };
}

const drip = (response: ServerResponse) => {
	const timer = setInterval(() => response.write(' '), 100);
	response.on('close', () => clearInterval(timer));
};
// What a first run loads takes longer on a busy machine than a request may.
beforeAll(async () => {
	await runAgainst({ ...SEND, options: { timeout: 60_000 } }, (response) =>
		respondJson(response, 200, { messageId: 'A'.repeat(32) }),
	);
}, 60_000);

const DRIPPING: Array<[string, (response: ServerResponse) => void]> = [
	['its body', (response) => drip(response.writeHead(200))],
	['its body after a refusal', (response) => drip(response.writeHead(422))],
	[
		'its headers',
		(response) => {
			const { socket } = response;
			socket!.write('HTTP/1.1 200 OK\r\n');
			const timer = setInterval(() => socket!.write('x: y\r\n'), 100);
			socket!.on('close', () => clearInterval(timer));
		},
	],
];

test.each(DRIPPING)('a service that drips %s ends a message in time', async (_what, respond) => {
	const { items, took, left, requests } = await runAgainst(SEND, respond);
	expect(items[0]?.json).toMatchObject({
		error: expect.stringMatching(/^Could not tell whether .*: no response within 3 s$/) as string,
		details: { reason: 'unknown_outcome' },
	});
	expect(took).toBeLessThan(15_000);
	expect([left, requests]).toEqual([0, 1]);
});

test.each(DRIPPING)(
	'a delivery waits no longer than it may for a list of which the service drips %s',
	async (_what, respond) => {
		const service = await startScriptedService((_request, response) => respond(response));
		const context = webhookContext(
			triggerWorkflow(),
			additionalData({ baseUrl: service.url, secretKey: 'sk' }, urls),
		);
		const list = webhookApi(await createServiceClient(context), {
			...{ kind: 'channel', channelId: CHANNEL },
		}).list(500);
		await expect(list).rejects.toMatchObject({
			failure: { reason: 'timeout', cause: 'no response within 0.5 s' },
		});
		await service.close();
	},
);

test.each([true, false])(
	'an answer of 9 MB is not read to its end (its length told: %s)',
	async (isTold) => {
		for (const parameters of [SEND, LIST]) {
			const { items, left, requests } = await runAgainst(parameters, (response) => {
				response.writeHead(200, isTold ? { 'content-length': 9 * MB } : {});
				response.end(Buffer.alloc(9 * MB, ' '));
			});
			expect(items[0]?.json).toMatchObject({
				error: expect.stringMatching(/the service answered with more than 8 MB$/) as string,
				details: { reason: parameters === SEND ? 'unknown_outcome' : 'unexpected_response' },
			});
			expect([left, requests]).toEqual([0, 1]);
		}
	},
);

test('an answer below 8 MB is read, however it comes', async () => {
	const padding = ' '.repeat(7 * MB);
	const { items } = await runAgainst(SEND, (response) => {
		response.writeHead(200).write(Buffer.from('\ufeff{"messageId":"'));
		response.end(`${'A'.repeat(32)}"}${padding}`);
	});
	expect(items[0]?.json).toMatchObject({ messageId: 'A'.repeat(32) });
});

test('a cancelled execution ends its request while the service drips', async () => {
	const { took, left } = await runAgainst(
		{ ...SEND, options: { timeout: 60_000 } },
		(response) => drip(response.writeHead(200)),
		continues,
		(engine) =>
			void setTimeout(
				() => (engine as unknown as { abortController: AbortController }).abortController.abort(),
				700,
			),
	);
	expect(took).toBeLessThan(30_000);
	expect(left).toBe(0);
});

test.each<[resource: string, listed: unknown]>([
	['channel', { total: 1, totalPage: 1, content: [{ id: CHANNEL }] }],
	['template', { data: [{ id: '1', name: 'a', language: 'en' }] }],
	['business', [{ businessId: 'b1' }]],
	['webhook', [{ id: '1', url: 'https://a.example', events: [], status: 'ENABLED' }]],
])(
	'Get Many of %s waits three times if the service asks, and no more',
	async (resource, listed) => {
		const list = { ...LIST, resource, businessId: byId('b1') };
		let refusals = 3;
		const respond = (response: ServerResponse) =>
			refusals-- > 0
				? respondJson(response, 429, { error: 429, message: 'Slow' }, { 'retry-after': '0.01' })
				: respondJson(response, 200, listed);
		const waited = await runAgainst(list, respond);
		expect(waited.items).toHaveLength(1);
		expect(waited.error).toBeUndefined();
		expect(waited.requests).toBe(4);
		refusals = 99;
		const { error, requests } = await runAgainst(list, respond, {});
		expect(error?.message).toMatch(/: the service asks to slow down, until \d\d:\d\d$/);
		expect(error?.description).toMatch(
			/^Try again after .*\. The node waited 3 times, 0 s in all\. The service said: "Slow"\.$/,
		);
		expect(error?.context).toMatchObject({ data: { retryAt: expect.any(String) } });
		expect(requests).toBe(4);
	},
);
