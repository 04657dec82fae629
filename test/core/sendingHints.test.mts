/** What the operations that send say beside their items: on the node's output, and with the execution. */
import type { ServerResponse } from 'node:http';
import type { IDataObject } from 'n8n-workflow';

import { runInEngine } from './harness/engine.mts';
import { respondJson } from './harness/scriptedService.mts';
import { closedWindow, cut, refuse, startService } from './harness/textService.mts';

type Fail = (response: ServerResponse) => void;

/** Sends m0, m1 and so on, of which some fail. */
async function send(
	count: number,
	failures: Record<string, Fail[]> = {},
	{ recipients = ['5511999990000'], ...options }: IDataObject & { recipients?: string[] } = {},
) {
	const service = await startService(failures);
	const { run, items } = await runInEngine({
		baseUrl: service.url,
		parameters: {
			resource: 'message',
			operation: 'sendText',
			channelId: { __rl: true, mode: 'id', value: 'A'.repeat(32) },
			recipient: '={{ $json.recipient }}',
			text: '={{ $json.text }}',
			options,
		},
		items: Array.from({ length: count }, (_, index) => ({
			recipient: recipients[index % recipients.length] ?? '',
			text: failures[`m${index}`]?.length === 0 ? '' : `m${index}`,
		})),
		settings: { onError: 'continueRegularOutput' },
	});
	await service.close();
	const { runData, metadata } = run.data.resultData;
	const hints = runData['Business Messaging']?.[0]?.hints ?? [];
	for (const { location } of hints) expect(location).toBe('outputPane');
	return { said: hints.map(({ message }) => message), metadata, items };
}

/** An empty text. */
const invalid: Fail[] = [];

it.each<[string, number, Record<string, Fail[]>, string[]]>([
	['nothing where all were sent', 2, {}, []],
	['a closed window', 2, { m0: [closedWindow] }, ['1 of 2 was not sent: window_closed.']],
	[
		'several of a kind together, in the order in which they came',
		6,
		{ m0: [closedWindow], m1: [cut], m2: [closedWindow], m3: [refuse] },
		[
			'3 of 6 were not sent: window_closed (2), service_error (1).',
			'1 of 6 may have been sent: unknown_outcome.',
		],
	],
	['that none was sent', 1, { m0: [refuse] }, ['1 of 1 was not sent: service_error.']],
	['what could not be sent at all', 3, { m1: invalid }, ['1 of 3 was not sent: invalid_input.']],
])('says on the output %s', async (_what, count, failures, said) => {
	const { said: actual, items } = await send(count, failures, { maxConcurrency: 1 });
	expect(actual).toEqual(said);
	expect(items).toHaveLength(count);
});

it('says that it waited because the service asked', async () => {
	const slower: Fail = (response) =>
		respondJson(response, 429, { error: 429, message: 'Slow down' }, { 'retry-after': '1' });
	expect((await send(1, { m0: [slower] })).said).toEqual([
		expect.stringMatching(/^Waited [12] s because the service asked\.$/),
	]);
});

it.each<[string, string[], IDataObject]>([
	['the recipient', ['5511999990000'], { recipient: '5511999990000' }],
	['how many recipients there are', ['1', '2', '3'], { recipients: '3' }],
	['a recipient as long as n8n keeps it', ['r'.repeat(300)], { recipient: 'r'.repeat(255) }],
])('saves with the execution %s', async (_what, recipients, saved) => {
	expect((await send(3, {}, { recipients, tagExecution: true })).metadata).toEqual(saved);
});

it('saves nothing with the execution unless the option says so', async () => {
	expect((await send(1)).metadata ?? {}).toEqual({});
});
