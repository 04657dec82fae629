/** The node as a tool of an agent below version 3: n8n gives each try of a call its own run. */
import type { IDataObject } from 'n8n-workflow';

import { steadyClock } from '#nodes/shared/tools/clock.ts';
import { byId, CHANNEL } from '../support/constants.mts';
import { runInEngine, type Tool } from './harness/engine.mts';
import { respondJson, startScriptedService } from './harness/scriptedService.mts';
import { closedWindow, cut, type Failures, sendTexts, textOf } from './harness/textService.mts';

const LONG = `${'a'.repeat(90)} ${'b'.repeat(90)}`;
const [FIRST, SECOND] = LONG.split(' ') as [string, string];
const RETRIES = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };

const say = (text: string) => async (tool: Tool) => await tool.invoke({ text }).catch(String);
const fromModel = { recipient: '1', text: "={{ $fromAI('text') }}" };

/** The texts that left, in order, as agents call the tool. */
async function textsOf(
	agent: (tool: Tool) => Promise<unknown>,
	failures: Failures,
	{ settings = RETRIES, ...options }: { settings?: object } & IDataObject = {},
) {
	const sending = { failures, parameters: fromModel, options, settings, agent };
	return (await sendTexts([{}], sending)).requests.map(textOf);
}

test.each<[string, Failures, string[], IDataObject]>([
	['hello', { hello: [cut] }, ['hello'], {}],
	['hello', { hello: [closedWindow] }, ['hello', 'hello'], {}],
	[LONG, { [SECOND]: [cut] }, [FIRST, SECOND], {}],
	[LONG, { [SECOND]: [closedWindow] }, [FIRST, SECOND, SECOND], {}],
	['hello', { hello: [cut] }, ['hello', 'hello'], { whenOutcomeUnknown: 'sendAgain' }],
])('no try sends what was or may have been sent: %.5s, %#', async (text, failures, sent, more) => {
	expect(await textsOf(say(text), failures, { maxLength: 100, ...more })).toEqual(sent);
});

test('calls side by side do not forget what another one sent', async () => {
	const agent = async (tool: Tool) =>
		await Promise.all(['one', 'two', 'one'].map((text) => say(text)(tool)));
	expect((await textsOf(agent, { one: [cut, cut] })).sort()).toEqual(['one', 'one', 'two']);
});

test('where tries have other objects, the same arguments are a try of a call that failed', async () => {
	const now = steadyClock.now();
	const clock = jest.spyOn(steadyClock, 'now').mockReturnValue(now);
	const agent = async (tool: Tool) => {
		for (const after of [0, 59_000, 120_000]) {
			clock.mockReturnValue(now + after);
			await say('hello')(tool);
		}
	};
	const once = { settings: {} };
	expect(await textsOf(agent, { hello: [cut] }, once)).toEqual(['hello', 'hello']);
	clock.mockReturnValue(now);
	const twice = async (tool: Tool) => [await say('hello')(tool), await say('hello')(tool)];
	expect(await textsOf(twice, {}, once)).toEqual(['hello', 'hello']);
	clock.mockRestore();
});

const URL = { url: 'https://shop.example/events', events: ['MESSAGE_RECEIVED'] };
test.each<[string, IDataObject]>([
	['channel', { name: 'Support', type: byId('OFFICIAL_CHATAPP') }],
	['template', { businessId: byId('7'), name: 'paid', language: 'en_US', body: 'Paid' }],
	['webhook', { channelId: byId(CHANNEL), ...URL }],
	['templateWebhook', { ...URL, events: ['TEMPLATE_STATUS'] }],
])('%s: Create asks once, whoever tries again', async (resource, fields) => {
	for (const agent of [say('hello'), undefined]) {
		const service = await startScriptedService((_request, response) => cut(response));
		const { error } = await runInEngine({
			...{ baseUrl: service.url, settings: RETRIES, ...(agent ? { agent } : {}) },
			parameters: { resource, operation: 'create', ...fields },
		});
		await service.close();
		expect([service.requests.length, error?.message]).toEqual([
			1,
			expect.stringMatching(
				/^Could not tell whether the .* was created: the result of an earlier try/,
			),
		]);
	}
});

test('a webhook that was created is not created again for another that failed', async () => {
	const service = await startScriptedService(({ body }, response, count) => {
		const { url } = JSON.parse(body) as { url: string };
		if (count === 2) return respondJson(response, 400, { error: 400, message: 'No' });
		respondJson(response, 200, {
			id: `${count}`,
			url,
			events: [],
			status: 'ENABLED',
			secret: 'sig',
		});
	});
	const { items, hints, record } = await runInEngine({
		...{ baseUrl: service.url, settings: RETRIES, items: [{ at: 'a' }, { at: 'b' }] },
		parameters: {
			...{ resource: 'templateWebhook', operation: 'create', ...URL, events: ['TEMPLATE_STATUS'] },
			...{ url: '=https://shop.example/{{ $json.at }}', additionalFields: { signing: true } },
		},
	});
	await service.close();
	expect(service.requests).toHaveLength(3);
	expect(items.map(({ json }) => [json.id, json.secret])).toEqual([
		['1', undefined],
		['3', 'sig'],
	]);
	expect(hints).toMatchObject([{ message: expect.stringContaining('secret of item 0 is lost') }]);
	expect(record.split('"sig"')).toHaveLength(2);
});
