import type { ServerResponse } from 'node:http';

import { runInEngine } from './harness/engine.mts';
import { respondJson, startScriptedService } from './harness/scriptedService.mts';
import { closedWindow, cut, idOf, refuse, startService, textOf } from './harness/textService.mts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';
const SEND = {
	resource: 'message',
	operation: 'sendText',
	channelId: { __rl: true, mode: 'id', value: CHANNEL },
	recipient: '={{ $json.recipient }}',
	text: '={{ $json.text }}',
};
const items = Array.from({ length: 10 }, (_, index) => ({
	recipient: `55119999900${index % 3}`,
	text: `m${index}`,
}));

test('sends a text in the exact form of the contract, with the key as bearer', async () => {
	const service = await startService();
	const result = await runInEngine({
		baseUrl: `${service.url}/`,
		parameters: SEND,
		items: [{ recipient: 5511999990000, text: 'Olá, "você"!\n' }],
	});
	await service.close();
	expect(service.requests).toHaveLength(1);
	const { method, url, headers, body } = service.requests[0]!;
	expect([method, url]).toEqual(['POST', `/v1/channels/${CHANNEL}/messages`]);
	expect(headers).toMatchObject({
		authorization: 'Bearer secret-key-that-must-not-show',
		'content-type': 'application/json',
	});
	expect(JSON.parse(body)).toEqual({
		recipient: { identifier: '5511999990000' },
		content: { type: 'TEXT', body: { message: 'Olá, "você"!\n' } },
	});
	expect(result.items).toEqual([
		{
			json: { messageId: expect.any(String), channelId: CHANNEL, recipient: '5511999990000' },
			pairedItem: { item: 0 },
		},
	]);
});

test('takes the channel from the item', async () => {
	const service = await startService();
	const channels = ['A', 'B'].map((letter) => letter.repeat(32));
	const parameters = {
		...SEND,
		channelId: { __rl: true, mode: 'id', value: '={{ $json.channel }}' },
	};
	await runInEngine({
		baseUrl: service.url,
		parameters,
		items: channels.map((channel) => ({ channel, recipient: '1', text: 'm' })),
	});
	await service.close();
	expect(service.requests.map(({ url }) => url).sort()).toEqual(
		channels.map((channel) => `/v1/channels/${channel}/messages`),
	);
});

test('keeps the order of the input, and links each output to its input', async () => {
	const service = await startService();
	const { items: output } = await runInEngine({
		baseUrl: service.url,
		parameters: { ...SEND, options: { maxConcurrency: 3 } },
		items,
	});
	await service.close();
	expect(output.map(({ json, pairedItem }) => [json.messageId, pairedItem])).toEqual(
		items.map(({ text }, item) => [idOf(text), { item }]),
	);
});

test('Retry On Fail: the 7th of 10 fails twice, and each of the 10 is accepted exactly once', async () => {
	const service = await startService({ m6: [refuse, refuse] });
	const result = await runInEngine({
		baseUrl: service.url,
		parameters: SEND,
		items,
		settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
	});
	await service.close();
	expect([...service.accepted].sort()).toEqual(items.map(({ text }) => text));
	for (const recipient of [0, 1, 2]) {
		const order = service.accepted.filter((text) => Number(text.slice(1)) % 3 === recipient);
		expect(order).toEqual([...order].sort());
	}
	expect(result.items).toHaveLength(10);
	expect(service.requests.filter((request) => textOf(request) === 'm6')).toHaveLength(3);
	expect(JSON.stringify(result.run.data.executionData?.contextData)).not.toContain('sentMessages');
});

test('Retry On Fail never repeats a text that may have been sent', async () => {
	const service = await startService({ m6: [cut] });
	const result = await runInEngine({
		baseUrl: service.url,
		parameters: SEND,
		items,
		settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
	});
	await service.close();
	expect(service.requests.filter((request) => textOf(request) === 'm6')).toHaveLength(1);
	expect(result.error?.message).toBe(
		'Could not tell whether the text was sent to 551199999000: the result of an earlier try is unknown',
	);
});

test('On Error "stop": the error tells the failed item and how many texts went out, and nothing more starts', async () => {
	const service = await startService({ m6: [refuse] });
	const result = await runInEngine({
		baseUrl: service.url,
		parameters: { ...SEND, options: { maxConcurrency: 1 } },
		items,
	});
	await service.close();
	expect(result.error?.message).toBe(
		'Could not send the text to 551199999000: the service failed (Internal error)',
	);
	expect(result.error?.description).toMatch(
		new RegExp(
			`settings\\. A retry of this execution skips the ${service.accepted.length} accepted messages and sends the others\\.`,
		),
	);
	expect(result.error?.context).toMatchObject({ itemIndex: 6 });
	expect(service.accepted.length).toBeLessThan(10);
});

test('On Error "stop": an item that cannot be sent stops the node before it sends anything', async () => {
	const service = await startService();
	const result = await runInEngine({
		baseUrl: service.url,
		parameters: SEND,
		items: [...items, { recipient: '', text: 'x' }],
	});
	await service.close();
	expect(result.error?.message).toMatch(/"Recipient" is empty/);
	expect(result.error?.context).toMatchObject({ itemIndex: 10 });
	expect(service.requests).toHaveLength(0);
});

test('the error says what a retry does only if something was accepted', async () => {
	const service = await startService({ m0: [refuse], m1: [refuse] });
	const texts = (...recipients: string[]) =>
		runInEngine({
			baseUrl: service.url,
			parameters: { ...SEND, options: { maxConcurrency: 1 } },
			items: recipients.map((recipient, at) => ({ recipient, text: `m${at}` })),
		});
	const none = await texts('1');
	const one = await texts('1', '2');
	await service.close();
	expect(none.error?.description).not.toMatch(/retried/);
	expect(one.error?.description).toMatch(
		/ A retry of this execution skips the 1 accepted message and sends the other\.$/,
	);
});

test('a retry also skips what may have been sent, and the error says so', async () => {
	const service = await startService({ m1: [cut] });
	const { error } = await runInEngine({
		baseUrl: service.url,
		parameters: { ...SEND, options: { maxConcurrency: 1 } },
		items: ['1', '2'].map((recipient, at) => ({ recipient, text: `m${at}` })),
	});
	await service.close();
	expect(error?.description).toMatch(
		/ A retry of this execution skips the 1 accepted message and the 1 that may have been sent\.$/,
	);
});

test('suggests another field for a recipient without a digit, and names the recipient of an invalid item', async () => {
	const service = await startService({ m0: [refuse] });
	const { items: output } = await runInEngine({
		baseUrl: service.url,
		parameters: SEND,
		items: [
			{ recipient: 'Ana Example', text: 'm0' },
			{ recipient: '5511999990000', text: '' },
		],
		settings: { onError: 'continueRegularOutput' },
	});
	await service.close();
	expect(output[0]?.json).toMatchObject({
		recipient: 'Ana Example',
		details: {
			hint: expect.stringMatching(
				/ "Ana Example" looks like a name\. Is the recipient in sender\.identifier\?$/,
			) as string,
		},
	});
	expect(output[1]?.json).toMatchObject({
		recipient: '5511999990000',
		error: 'To 5511999990000: "Text" is empty. Enter a text, or map one from the input.',
	});
});

test('On Error "stop": a large batch is sent while it is read, and the error says how many were sent', async () => {
	const service = await startService();
	const many = Array.from({ length: 300 }, (_, index) => ({
		recipient: index === 250 ? '' : String(index),
		text: `m${index}`,
	}));
	const result = await runInEngine({ baseUrl: service.url, parameters: SEND, items: many });
	await service.close();
	expect(result.error?.context).toMatchObject({ itemIndex: 250 });
	expect(result.error?.description).toBe(
		`A retry of this execution skips the ${service.accepted.length} accepted messages and sends the others.`,
	);
	expect(service.accepted.length).toBeGreaterThan(0);
	expect(service.accepted.length).toBeLessThan(250);
});

test('On Error "continue": the failed item carries its reason, the rest goes on, in input order', async () => {
	const service = await startService({ m3: [closedWindow] });
	const { items: output } = await runInEngine({
		baseUrl: service.url,
		parameters: SEND,
		items: [...items, { recipient: '', text: 'x' }],
		settings: { onError: 'continueRegularOutput' },
	});
	await service.close();
	expect(output).toHaveLength(11);
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(output.map((_, item) => ({ item })));
	expect(output[3]!.json).toMatchObject({
		error: expect.stringMatching(
			/^Could not send the text to 551199999000: .*window is closed$/,
		) as string,
		details: { reason: 'window_closed', status: 422 },
		recipient: '551199999000',
		channelId: CHANNEL,
	});
	expect(output[10]!.json).toEqual({
		error: expect.stringContaining('"Recipient" is empty') as string,
		message: expect.stringContaining('"Recipient" is empty') as string,
		details: { reason: 'invalid_input' },
		channelId: CHANNEL,
	});
	expect(output.filter(({ json }) => json.messageId)).toHaveLength(9);
});

test('On Error "continue (error output)": successes and failures have separate outputs, none lost or doubled', async () => {
	const service = await startService({ m3: [closedWindow], m7: [cut] });
	const { items: output, errorItems } = await runInEngine({
		baseUrl: service.url,
		parameters: SEND,
		items,
		settings: { onError: 'continueErrorOutput' },
	});
	await service.close();
	expect(output.map(({ pairedItem }) => (pairedItem as { item: number }).item)).toEqual([
		0, 1, 2, 4, 5, 6, 8, 9,
	]);
	expect(
		errorItems.map(({ json, pairedItem }) => [
			pairedItem,
			(json.details as { reason: string }).reason,
		]),
	).toEqual([
		[{ item: 3 }, 'window_closed'],
		[{ item: 7 }, 'unknown_outcome'],
	]);
});

test.each([
	['the credential', { credential: { baseUrl: 'nonsense' } }, /Base URL/],
	[
		'an option',
		{ options: { maxConcurrency: '={{ "many" }}' } },
		/"Max Concurrency" must be a whole number/,
	],
])(
	'an error in %s fails every item to the error output, and sends nothing',
	async (
		_name,
		{ credential = {}, options = {} }: { credential?: object; options?: object },
		message,
	) => {
		const service = await startService();
		const settings = { onError: 'continueErrorOutput' as const };
		const result = await runInEngine({
			baseUrl: service.url,
			credential: { ...credential },
			parameters: { ...SEND, options },
			items,
			settings,
		});
		await service.close();
		expect(service.requests).toHaveLength(0);
		expect(result.items).toEqual([]);
		expect(result.errorItems).toHaveLength(10);
		expect(result.errorItems[9]!.json.error).toMatch(message);
	},
);

test('fails the rest without more requests if Retry-After is too long', async () => {
	const service = await startScriptedService((_request, response) =>
		respondJson(response, 429, { error: 429, message: 'slow' }, { 'retry-after': '3600' }),
	);
	const { items: output } = await runInEngine({
		baseUrl: service.url,
		parameters: { ...SEND, options: { maxConcurrency: 2 } },
		items,
		settings: { onError: 'continueRegularOutput' },
	});
	await service.close();
	// One to each recipient: the third may leave before the second was refused.
	expect(service.requests.length).toBeLessThanOrEqual(3);
	expect(output).toHaveLength(10);
	for (const { json } of output)
		expect(json.details).toMatchObject({
			reason: 'rate_limited',
			retryAfter: 3_600_000,
			hint: expect.stringContaining('3600 s') as unknown,
		});
});

test('Retry On Fail with "continue" repeats a failed first item without repeating the others', async () => {
	const service = await startService({ m0: [refuse] });
	const { items: output } = await runInEngine({
		baseUrl: service.url,
		parameters: SEND,
		items,
		settings: {
			onError: 'continueRegularOutput',
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 10,
		},
	});
	await service.close();
	expect([...service.accepted].sort()).toEqual(items.map(({ text }) => text));
	expect(output.every(({ json }) => json.messageId)).toBe(true);
});

test('waits for a 429 with Retry-After, in both forms', async () => {
	const inSeconds = (response: ServerResponse) =>
		respondJson(response, 429, { error: 429, message: 'slow' }, { 'retry-after': '1' });
	const asDate = (response: ServerResponse) =>
		respondJson(
			response,
			503,
			{ error: 503, message: 'busy' },
			{ 'retry-after': new Date(Date.now() + 1500).toUTCString() },
		);
	const service = await startService({ m2: [inSeconds], m5: [asDate] });
	const { items: output } = await runInEngine({ baseUrl: service.url, parameters: SEND, items });
	await service.close();
	expect(output.map(({ json }) => json.messageId)).toEqual(items.map(({ text }) => idOf(text)));
	expect(service.requests).toHaveLength(12);
});

test('stops sending at once when cancelled', async () => {
	let cancel = () => {};
	const service = await startScriptedService((request, response, count) => {
		if (count === 3) return cancel();
		respondJson(response, 200, { messageId: idOf(textOf(request)) });
	});
	await runInEngine({
		baseUrl: service.url,
		parameters: { ...SEND, options: { maxConcurrency: 1 } },
		items,
		onStart: (engine) =>
			(cancel = () =>
				(engine as unknown as { abortController: AbortController }).abortController.abort()),
	});
	await service.close();
	expect(service.requests).toHaveLength(3);
});
