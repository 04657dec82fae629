/** What the node reports beside its items: hints on its output, and the tag of the execution. */
import type { ServerResponse } from 'node:http';
import type { IDataObject, IExecuteFunctions, INode, INodeType } from 'n8n-workflow';

import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node.ts';
import { runInEngine } from './harness/engine.mts';
import { respondJson } from './harness/scriptedService.mts';
import { closedWindow, cut, refuse, startService } from './harness/textService.mts';

type Fail = (response: ServerResponse) => void;

/** Sends m0, m1 and so on. Some fail. */
async function send(
	count: number,
	failures: Record<string, Fail[]> = {},
	{ recipients = ['5511999990000'], ...options }: IDataObject & { recipients?: string[] } = {},
	{
		recipient = '={{ $json.recipient }}',
		onError = 'continueRegularOutput',
		nodeType,
	}: { recipient?: string; onError?: INode['onError']; nodeType?: INodeType } = {},
) {
	const service = await startService(failures);
	const { run, items } = await runInEngine({
		baseUrl: service.url,
		parameters: {
			resource: 'message',
			operation: 'sendText',
			channelId: { __rl: true, mode: 'id', value: 'A'.repeat(32) },
			recipient,
			text: '={{ $json.text }}',
			options,
		},
		items: Array.from({ length: count }, (_, index) => ({
			recipient: recipients[index % recipients.length] ?? '',
			text: failures[`m${index}`]?.length === 0 ? '' : `m${index}`,
		})),
		settings: { onError },
		...(nodeType ? { nodeType } : {}),
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
	['nothing if all were sent', 2, {}, []],
	['a closed window', 2, { m0: [closedWindow] }, ['1 of 2 was not sent: window_closed.']],
	[
		'failures of one kind together, in order of arrival',
		6,
		{ m0: [closedWindow], m1: [cut], m2: [closedWindow], m3: [refuse] },
		[
			'3 of 6 were not sent: window_closed (2), service_error (1).',
			'1 of 6 may have been sent: unknown_outcome.',
		],
	],
	['that none was sent', 1, { m0: [refuse] }, ['1 of 1 was not sent: service_error.']],
	['invalid items', 3, { m1: invalid }, ['1 of 3 was not sent: invalid_input.']],
])('says on the output %s', async (_what, count, failures, said) => {
	const { said: actual, items } = await send(count, failures, { maxConcurrency: 1 });
	expect(actual).toEqual(said);
	expect(items).toHaveLength(count);
});

it('says that it waited because the service asked', async () => {
	const slower: Fail = (response) =>
		respondJson(response, 429, { error: 429, message: 'Slow down' }, { 'retry-after': '1' });
	expect((await send(1, { m0: [slower] })).said).toEqual([
		// One after the other, they would wait ten seconds.
		expect.stringMatching(/^Waited [1-6] s because the service asked\.$/),
	]);
});

it('says how long ten messages waited together', async () => {
	const slower: Fail = (response) =>
		respondJson(response, 429, { error: 429, message: 'Slow down' }, { 'retry-after': '1' });
	const recipients = Array.from({ length: 10 }, (_, index) => `551199999000${index}`);
	const failures = Object.fromEntries(recipients.map((_, index) => [`m${index}`, [slower]]));
	expect((await send(10, failures, { recipients, maxConcurrency: 10 })).said).toEqual([
		// One after the other, they would wait ten seconds.
		expect.stringMatching(/^Waited [1-6] s because the service asked\.$/),
	]);
});

it.each<[string, string[], IDataObject]>([
	['the recipient', ['5511999990000'], { recipient: '5511999990000' }],
	['the number of recipients', ['1', '2', '3'], { recipients: '3' }],
	['as much of a recipient as n8n keeps', ['r'.repeat(300)], { recipient: 'r'.repeat(255) }],
])('saves with the execution %s', async (_what, recipients, saved) => {
	expect((await send(3, {}, { recipients, tagExecution: true })).metadata).toEqual(saved);
});

it('sends the other items if an expression fails, and saves their recipients', async () => {
	const { items, metadata } = await send(
		3,
		{},
		{ recipients: ['1', '2', '3'], tagExecution: true },
		{
			recipient:
				'={{ $json.recipient === "2" ? $("No such node").item.json.phone : $json.recipient }}',
		},
	);
	expect(items.map(({ json }) => 'error' in json)).toEqual([false, true, false]);
	expect(metadata).toEqual({ recipients: '2' });
});

it('saves the recipients with an execution that stops', async () => {
	const { metadata } = await send(
		3,
		{ m1: [closedWindow] },
		{ recipients: ['1', '2', '3'], tagExecution: true, maxConcurrency: 1 },
		{ onError: 'stopWorkflow' },
	);
	expect(metadata).toEqual({ recipients: '2' });
});

it('reads each recipient once, so that many items do not block n8n', async () => {
	let reads = 0;
	class Counting extends BusinessMessaging {
		override async execute(this: IExecuteFunctions) {
			const read = this.getNodeParameter.bind(this) as (...given: unknown[]) => never;
			this.getNodeParameter = (name: string, ...rest: unknown[]) => {
				if (name === 'recipient') reads++;
				return read(name, ...rest);
			};
			return await BusinessMessaging.prototype.execute.call(this);
		}
	}
	const recipients = Array.from({ length: 60 }, (_, index) => `${index}`);
	const { metadata } = await send(
		60,
		{},
		{ recipients, tagExecution: true },
		{ nodeType: new Counting() },
	);
	expect(metadata).toEqual({ recipients: '60' });
	expect(reads).toBe(60);
});

it('saves nothing with the execution without the option', async () => {
	expect((await send(1)).metadata ?? {}).toEqual({});
});

it('names the recipients that may be numbers, and were not read as such', async () => {
	const recipients = ['5511999990000', '1234-5678', '@store', '0012345678'];
	const { said, items } = await send(4, {}, { recipients });
	expect(items.map(({ json }) => json.sentTo)).toEqual([
		undefined,
		undefined,
		undefined,
		undefined,
	]);
	expect(said).toEqual([
		'Not read as phone numbers: "1234-5678" (item 1), "0012345678" (item 3). Begin a phone number with + and its country code, e.g. +55 11 99999-0000.',
	]);
	const many = await send(7, {}, { recipients: ['1234-5678'] });
	expect(many.said).toEqual([expect.stringMatching(/\(item 4\), 2 more\. Begin/)]);
});

it('says where a message went if its recipient was entered in another way', async () => {
	const { said, items } = await send(1, {}, { recipients: ['+55 (11) 99999-0000'] });
	expect(items[0]?.json).toMatchObject({
		recipient: '+55 (11) 99999-0000',
		sentTo: '5511999990000',
	});
	expect(said).toEqual([]);
});
