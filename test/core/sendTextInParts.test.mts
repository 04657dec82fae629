/** Send Text with the options Convert Markdown and Max Length. */
import { runInEngine } from './harness/engine.mts';
import { closedWindow, cut, idOf, refuse, startService } from './harness/textService.mts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';
const SEND = {
	resource: 'message',
	operation: 'sendText',
	channelId: { __rl: true, mode: 'id', value: CHANNEL },
	recipient: '={{ $json.recipient }}',
	text: '={{ $json.text }}',
};
const CHAPTERS = ['One', 'Two', 'Three'].map((name) => `${name} ${'word '.repeat(18).trim()}.`);
const LONG = CHAPTERS.join('\n\n');
const SPLIT = { ...SEND, options: { maxLength: 100 } };
const IDS = CHAPTERS.map(idOf);

test("Convert Markdown: sends the chat's own formatting, and the unchanged text without the option", async () => {
	const service = await startService();
	const text = '# Prices\n**Tea** is *hot*: [menu](https://shop.example)';
	const sent = { recipient: '1', text };
	for (const options of [{ convertMarkdown: true }, {}, { convertMarkdown: false }])
		await runInEngine({ baseUrl: service.url, parameters: { ...SEND, options }, items: [sent] });
	await service.close();
	expect(service.accepted).toEqual([
		'*Prices*\n*Tea* is _hot_: menu (https://shop.example)',
		text,
		text,
	]);
});

test('sends a text longer than Max Length as several messages in order, and lists them in the output', async () => {
	const service = await startService();
	const { items: output } = await runInEngine({
		baseUrl: service.url,
		parameters: SPLIT,
		items: [
			{ recipient: '1', text: LONG },
			{ recipient: '1', text: 'after' },
		],
	});
	await service.close();
	expect(service.accepted).toEqual([...CHAPTERS, 'after']);
	expect(output).toEqual([
		{
			json: { messageId: IDS[0], messageIds: IDS, channelId: CHANNEL, recipient: '1' },
			pairedItem: { item: 0 },
		},
		{
			json: { messageId: idOf('after'), channelId: CHANNEL, recipient: '1' },
			pairedItem: { item: 1 },
		},
	]);
});

test('reads Convert Markdown for each item, and splits only the texts of those items', async () => {
	const service = await startService();
	const { items: output } = await runInEngine({
		baseUrl: service.url,
		parameters: {
			...SEND,
			options: { convertMarkdown: '={{ $json.markdown }}' },
		},
		settings: { onError: 'continueRegularOutput' },
		items: [
			{ recipient: '1', text: `${'a'.repeat(4096)} **b**`, markdown: true },
			{ recipient: '2', text: `${'a'.repeat(4096)} **b**`, markdown: false },
		],
	});
	await service.close();
	expect([...service.accepted].map((text) => text.length).sort()).toEqual([3, 4096]);
	expect(output.map(({ json }) => json.messageIds)).toEqual([
		[expect.any(String), idOf('*b*')],
		undefined,
	]);
	expect(output[1]!.json.error).toMatch(/"Text" has 4102 characters/);
});

test('fails the item of a failed part and names the part, skips later parts, and sends the next item', async () => {
	const service = await startService({ [CHAPTERS[1]!]: [closedWindow] });
	const { items: output } = await runInEngine({
		baseUrl: service.url,
		parameters: SPLIT,
		items: [
			{ recipient: '1', text: LONG },
			{ recipient: '1', text: 'after' },
		],
		settings: { onError: 'continueRegularOutput' },
	});
	await service.close();
	expect(service.accepted).toEqual([CHAPTERS[0], 'after']);
	expect(output[0]!.json).toMatchObject({
		error: expect.stringContaining('Could not send the text (part 2 of 3) to 1: ') as string,
		details: {
			reason: 'window_closed',
			hint: expect.stringContaining('Only the parts before it were sent.') as string,
		},
	});
	expect(output[1]!.json).toMatchObject({ messageId: idOf('after') });
});

test('Retry On Fail sends only the missing parts, and the output lists all', async () => {
	const service = await startService({ [CHAPTERS[1]!]: [refuse, refuse] });
	const { items: output } = await runInEngine({
		baseUrl: service.url,
		parameters: SPLIT,
		items: [{ recipient: '1', text: LONG }],
		settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
	});
	await service.close();
	expect(service.accepted).toEqual(CHAPTERS);
	expect(service.requests).toHaveLength(5);
	expect(output[0]!.json).toMatchObject({ messageId: IDS[0], messageIds: IDS });
});

test('Retry On Fail never repeats a part that may have been sent, and sends nothing after it', async () => {
	const service = await startService({ [CHAPTERS[1]!]: [cut] });
	const result = await runInEngine({
		baseUrl: service.url,
		parameters: SPLIT,
		items: [{ recipient: '1', text: LONG }],
		settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
	});
	await service.close();
	expect(service.requests).toHaveLength(2);
	expect(result.error?.message).toBe(
		'Could not tell whether the text was sent (part 2 of 3) to 1: the result of an earlier try is unknown',
	);
});

test('refuses a Max Length that is too small', async () => {
	const service = await startService();
	const result = await runInEngine({
		baseUrl: service.url,
		parameters: { ...SEND, options: { maxLength: 99 } },
		items: [{ recipient: '1', text: 'm' }],
	});
	await service.close();
	expect(result.error?.message).toBe('To 1: "Max Length" must be a whole number of 100 or more.');
	expect(service.requests).toHaveLength(0);
});
