/** Message → Normalize Recipient, in n8n's own engine. */
import { runInEngine } from './harness/engine.mts';
import { startScriptedService } from './harness/scriptedService.mts';

const AS_TEXT = 'Format the column of the spreadsheet as text.';
const WITH_PLUS = 'Begin it with + and the country code.';

async function normalize(...cells: unknown[]) {
	const requests: unknown[] = [];
	const service = await startScriptedService((request, response) => {
		requests.push(request);
		response.end();
	});
	const { items, error, run } = await runInEngine({
		baseUrl: service.url,
		parameters: {
			resource: 'message',
			operation: 'normalizeRecipient',
			recipient: '={{ $json.phone }}',
		},
		items: cells.map((phone, row) => ({ phone, row })) as never,
	});
	await service.close();
	expect(error).toBeUndefined();
	expect(requests).toEqual([]);
	const [node] = run.data.resultData.runData['Business Messaging'] ?? [];
	return { items, hints: (node?.hints ?? []).map(({ message }) => message) };
}

test.each<[cell: unknown, identifier: string, key: string, problem?: string]>([
	['5511999990000', '5511999990000', '5511999990000'],
	[551199990000, '551199990000', '5511999990000'],
	['+55 (11) 9999-0000', '551199990000', '5511999990000'],
	['+52 1 55 1234 0000', '5215512340000', '525512340000'],
	['+49 (0)151 23456789', '4915123456789', '4915123456789'],
	['@store', '@store', '@store'],
	[' ana.b ', 'ana.b', 'ana.b'],
	['1234-5678', '1234-5678', '1234-5678'],
	['', '', '', 'It is empty. Enter a value, or map one from the input.'],
	[null, '', '', 'It is empty. Enter a value, or map one from the input.'],
	['5.5E+12', '5.5E+12', '5.5E+12', `It has lost digits. ${AS_TEXT}`],
	[5.5e21, '5.5e+21', '5.5e+21', `It has lost digits. ${AS_TEXT}`],
	[
		5511990000000,
		'5511990000000',
		'5511990000000',
		`It ends in six zeros, so it may be rounded. ${AS_TEXT}`,
	],
	['0151 23456789', '015123456789', '015123456789', `It begins with 0. ${WITH_PLUS}`],
	['0012345678', '0012345678', '0012345678', `It begins with 0. ${WITH_PLUS}`],
	[
		'(11) 99999-0000',
		'(11) 99999-0000',
		'(11) 99999-0000',
		`It begins with an area code in parentheses. ${WITH_PLUS}`,
	],
])('%j leaves as %j, has the key %j, and a problem or none', async (cell, ...expected) => {
	const [identifier, key, problem] = expected;
	const { items } = await normalize(cell);
	expect(items).toMatchObject([
		{
			json: {
				phone: cell,
				row: 0,
				recipient: { identifier, key, ...(problem === undefined ? {} : { problem }) },
			},
			pairedItem: { item: 0 },
		},
	]);
	expect(items[0]?.json.recipient).toEqual({
		identifier,
		key,
		...(problem === undefined ? {} : { problem }),
	});
});

test('gives one item for each, and names those that may be numbers in a hint', async () => {
	const { items, hints } = await normalize('55-11-99999-0000', '', '@store', '005511999990000');
	expect(items.map(({ json }) => json.row)).toEqual([0, 1, 2, 3]);
	expect(hints).toEqual([
		'Not read as phone numbers: "55-11-99999-0000" (item 0), "005511999990000" (item 3). Begin a phone number with + and its country code, e.g. +55 11 99999-0000.',
	]);
});
