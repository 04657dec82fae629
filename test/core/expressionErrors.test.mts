/** An expression that fails in one item: the error names the field and the item. */
import type { IDataObject } from 'n8n-workflow';

import { byId, CHANNEL } from '../support/constants.mts';
import { runInEngine } from './harness/engine.mts';
import { respondJson, startScriptedService } from './harness/scriptedService.mts';

const SEND = {
	...{ resource: 'message', operation: 'sendText', channelId: byId(CHANNEL) },
	...{ recipient: '={{ $json.to }}', text: 'Hello' },
};
const NOWHERE = `={{ $json.n === 2 ? $('Nowhere').item.json.x : 'ok' }}`;

const sent: string[] = [];

async function run(parameters: IDataObject, settings = {}) {
	const service = await startScriptedService((_request, response) =>
		respondJson(response, 200, { messageId: 'M' }),
	);
	sent.length = 0;
	try {
		return await runInEngine({
			...{ baseUrl: service.url, parameters, settings },
			items: [
				{ n: 1, to: '5511999990001' },
				{ n: 2, to: '5511999990002' },
			],
		});
	} finally {
		sent.push(...service.requests.map(({ body }) => body));
		await service.close();
	}
}

test.each<[string, IDataObject, string]>([
	[
		'a node that there is not',
		{ ...SEND, text: NOWHERE },
		`To 5511999990002: The expression in "Text" fails for item 1, counted from 0: Referenced node doesn't exist`,
	],
	[
		'a syntax error',
		{ ...SEND, text: '={{ foo bar }}' },
		'To 5511999990001: The expression in "Text" fails for item 0, counted from 0: invalid syntax',
	],
	[
		'a function',
		{ ...SEND, recipient: '={{ $json.n === 2 ? DateTime.fromISO : $json.to }}' },
		'The expression in "Recipient" fails for item 1, counted from 0: this is a function, please add ()',
	],
	[
		'an option',
		{ ...SEND, options: { sendOnceKey: NOWHERE } },
		`To 5511999990002: The expression in "Options" fails for item 1, counted from 0: Referenced node doesn't exist`,
	],
	[
		'an operation for one item after the other',
		{ ...{ resource: 'channel', operation: 'get' }, channelId: byId('={{ foo bar }}') },
		'The expression in "Channel" fails for item 0, counted from 0: invalid syntax',
	],
	[
		'a question',
		{ ...SEND, operation: 'sendAndWait', message: '={{ foo bar }}' },
		'The expression in "Message" fails for item 0, counted from 0: invalid syntax',
	],
])('names field and item: %s', async (_what, parameters, message) => {
	const { error } = await run(parameters);
	expect(error?.message).toBe(message);
});

test('also in the output of "Continue"', async () => {
	const { items } = await run({ ...SEND, text: NOWHERE }, { onError: 'continueRegularOutput' });
	expect(items.map(({ json }) => json.error)).toEqual([
		undefined,
		expect.stringMatching(/^To 5511999990002: The expression in "Text" fails for item 1, /),
	]);
});

/** n8n turns what else an expression throws into nothing. docs/nodes.md says how to require it. */
test.each([
	['in a whole field', '={{ $json.order.id }}'],
	['in a text that requires it', '={{ $json.order?.id ? "Order " + $json.order.id : "" }}'],
])('what n8n turned into nothing is refused as empty: %s', async (_where, words) => {
	const { error } = await run({ ...SEND, text: words });
	expect(error?.message).toBe(
		'To 5511999990001: "Text" is empty. Enter a text, or map one from the input.',
	);
});

test('what n8n turned into nothing within a text leaves as nothing', async () => {
	const { items } = await run({ ...SEND, text: '=Order {{ $json.order.id }}.' });
	expect(items).toHaveLength(2);
	expect(sent[0]).toContain('"Order ."');
});

const withOptions = (options: IDataObject) => ({ ...SEND, options });

test.each<[string, IDataObject, string]>([
	['of all messages', withOptions({ maxPerSecond: '={{ $json.nothing }}' }), 'Max per Second'],
	['of a message', withOptions({ maxLength: '={{ $json.nothing?.length }}' }), 'Max Length'],
	['of a list', { resource: 'channel', operation: 'getAll', limit: '={{ $json.no }}' }, 'Limit'],
	['that is a list', withOptions({ timeout: '={{ [5] }}' }), 'Timeout (Milliseconds)'],
])('what n8n turned into nothing is no default: a number %s', async (_what, parameters, label) => {
	const { error } = await run(parameters);
	expect(error?.message).toContain(`"${label}"`);
	expect(sent).toEqual([]);
});
