/** What the node reports beside its items: hints on its output, and the tag of the execution. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import type { EngineSettings } from './harness/engine.mts';
import { logged } from './harness/logged.mts';
import { closedWindow, type Failures, sendTexts, slower } from './harness/textService.mts';

/** Sends m0, m1 and so on. Some fail; one without a failure in its list has no text. */
async function send(
	count: number,
	failures: Failures = {},
	{ recipients = ['5511999990000'], ...options }: IDataObject & { recipients?: string[] } = {},
	engine: Partial<EngineSettings> = {},
) {
	const given = Array.from({ length: count }, (_, index) => ({
		recipient: recipients[index % recipients.length] ?? '',
		text: failures[`m${index}`]?.length === 0 ? '' : `m${index}`,
	}));
	const settings = { onError: 'continueRegularOutput' } as const;
	const told = { failures, options, settings, ...engine };
	const { items, hints, run } = await sendTexts(given, told);
	const { metadata } = run.data.resultData;
	for (const { location } of hints) expect(location).toBe('outputPane');
	return { said: hints.map(({ message }) => message), metadata, items };
}

it('says how long ten messages waited together', async () => {
	const recipients = Array.from({ length: 10 }, (_, index) => `551199999000${index}`);
	const failures = Object.fromEntries(
		recipients.map((_, index) => [`m${index}`, [slower({ 'retry-after': '1' })]]),
	);
	const lines = logged('info');
	expect((await send(10, failures, { recipients, maxConcurrency: 10 })).said).toEqual([
		// One after the other, they would wait ten seconds.
		expect.stringMatching(/^Waited [1-6] s because the service asked\.$/),
	]);
	const waits = lines.filter(([line]) => String(line).startsWith('The service asks to wait'));
	expect(waits).toEqual([[expect.stringMatching(/: messages wait for 1 s$/), expect.anything()]]);
	jest.restoreAllMocks();
});

it('sends the other items if an expression fails, and saves their recipients', async () => {
	const recipient =
		'={{ $json.recipient === "2" ? $("No such node").item.json.phone : $json.recipient }}';
	const tagged = { recipients: ['1', '2', '3'], tagExecution: true };
	const { items, metadata } = await send(3, {}, tagged, { parameters: { recipient } });
	expect(items.map(({ json }) => 'error' in json)).toEqual([false, true, false]);
	expect(metadata).toEqual({ recipients: '2' });
});

it('saves the recipients with an execution that stops', async () => {
	const tagged = { recipients: ['1', '2', '3'], tagExecution: true, maxConcurrency: 1 };
	const stops = { settings: { onError: 'stopWorkflow' } } as const;
	const { metadata } = await send(3, { m1: [closedWindow] }, tagged, stops);
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
	const tagged = { recipients, tagExecution: true };
	const { metadata } = await send(60, {}, tagged, { nodeType: new Counting() });
	expect(metadata).toEqual({ recipients: '60' });
	expect(reads).toBe(60);
});

it('names the recipients that may be numbers, and were not read as such', async () => {
	const recipients = ['5511999990000', '1234-5678', '@store', '0012345678'];
	const { said, items } = await send(4, {}, { recipients });
	for (const { json } of items) expect(json.sentTo).toBeUndefined();
	expect(said).toEqual([
		'Not read as phone numbers: "1234-5678" (item 1), "0012345678" (item 3). Begin a phone number with + and its country code, e.g. +55 11 99999-0000.',
	]);
	const many = await send(7, {}, { recipients: ['1234-5678'] });
	expect(many.said).toEqual([expect.stringMatching(/\(item 4\) and 2 more\. Begin/)]);
});
