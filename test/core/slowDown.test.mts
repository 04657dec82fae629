/** A service that asks to slow down, in n8n's own engine. */
import { runInEngine } from './harness/engine.mts';
import { respondJson, startScriptedService } from './harness/scriptedService.mts';
import { idOf, textOf } from './harness/textService.mts';

// The service has a port of its own in each test, so what a 429 holds ends with the test.
const PARAMETERS = {
	resource: 'message',
	operation: 'sendText',
	channelId: { __rl: true, mode: 'id', value: '019E4C54B1B375A28970B605CA9B03C3' },
	recipient: '={{ $json.recipient }}',
	text: '={{ $json.text }}',
};
const textsTo = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		recipient: String(5511999990000 + index),
		text: `m${index}`,
	}));

test('sends thirty texts though each tenth request gets a 429 without Retry-After', async () => {
	const accepted: string[] = [];
	const service = await startScriptedService((request, response, count) => {
		if (count % 10 === 0) return respondJson(response, 429, { error: 429, message: 'Slow down' });
		accepted.push(textOf(request));
		respondJson(response, 200, { messageId: idOf(textOf(request)) });
	});
	const items = textsTo(30);
	const { items: output } = await runInEngine({
		baseUrl: service.url,
		parameters: PARAMETERS,
		items,
	});
	await service.close();
	expect(output.map(({ json }) => json.messageId)).toEqual(items.map(({ text }) => idOf(text)));
	expect([...accepted].sort()).toEqual(items.map(({ text }) => text).sort());
});

test.each([
	['without Retry-After', {}, 10],
	['with Retry-After', { 'retry-after': '1' }, 10],
	['if one text is under way at a time', {}, 1],
])(
	'a 429 about one recipient holds up nobody else: %s',
	async (_which, headers, maxConcurrency) => {
		const arrived: string[] = [];
		const service = await startScriptedService((request, response) => {
			const text = textOf(request);
			arrived.push(text);
			if (text === 'm0' && arrived.indexOf('m0') === arrived.length - 1)
				return respondJson(response, 429, { error: 429, message: 'Slow down' }, headers);
			respondJson(response, 200, { messageId: idOf(text) });
		});
		const items = textsTo(30);
		// The last goes to the first one's recipient.
		items[29]!.recipient = items[0]!.recipient;
		const { items: output } = await runInEngine({
			baseUrl: service.url,
			parameters: { ...PARAMETERS, options: { maxConcurrency } },
			items,
		});
		await service.close();
		expect(output.every(({ json }) => json.messageId)).toBe(true);
		const others = items.slice(1, 29).map(({ text }) => text);
		expect([...arrived.slice(1, 29)].sort()).toEqual(others.sort());
		expect([arrived[0], ...arrived.slice(29)]).toEqual(['m0', 'm0', 'm29']);
	},
	20_000,
);
