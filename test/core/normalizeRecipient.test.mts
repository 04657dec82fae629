/** Message → Normalize Recipient, in n8n's own engine. */
import { byId } from '../support/constants.mts';
import { runInEngine } from './harness/engine.mts';

const AS_TEXT = 'Format the column of the spreadsheet as text.';
const LOCAL = '(11) 99999-0000';
const WITH_TRUNK = '+44 0161 496 0000';
const WITHOUT = 'It is for calls within the country alone. Without it: +441614960000.';
const LIST = '+5511999990000, +5511988880000';
const ALONE = 'Enter one number alone, and use an item for each person.';
const WITH_PLUS = 'Begin it with + and the country code.';

const normalize = async (...cells: unknown[]) => await normalizeOn(undefined, ...cells);

async function normalizeOn(channelId: string | undefined, ...cells: unknown[]) {
	const { items, error, hints } = await runInEngine({
		// Nobody is asked.
		baseUrl: 'http://127.0.0.1:9',
		parameters: {
			...{ resource: 'message', operation: 'normalizeRecipient' },
			recipient: '={{ $json.phone }}',
			...(channelId !== undefined && { channelId: byId(channelId) }),
		},
		items: cells.map((phone, row) => ({ phone, row })) as never,
	});
	expect(error).toBeUndefined();
	return { items, hints: hints.map(({ message }) => message) };
}

test('gives each cell an identifier, a key, and a problem if there is one', async () => {
	const CELLS: Array<[cell: unknown, identifier: string, key: string, problem?: string]> = [
		[551199990000, '551199990000', '5511999990000'],
		['+52 1 55 1234 0000', '5215512340000', '525512340000'],
		['@store', '@store', '@store'],
		[null, '', '', 'It is empty. Enter a value, or map one from the input.'],
		['5.5E+12', '5.5E+12', '5.5E+12', `It has lost digits. ${AS_TEXT}`],
		[5.5e21, '5.5e+21', '5.5e+21', `It has lost digits. ${AS_TEXT}`],
		[
			55e11,
			'5500000000000',
			'5500000000000',
			`It ends in six zeros, so it may be rounded. ${AS_TEXT}`,
		],
		['0151 23456789', '015123456789', '015123456789', `It begins with 0. ${WITH_PLUS}`],
		[LOCAL, LOCAL, LOCAL, `It begins with an area code in parentheses. ${WITH_PLUS}`],
		[WITH_TRUNK, WITH_TRUNK, WITH_TRUNK, `It has a 0 behind its country code. ${WITHOUT}`],
		['tel:+55-11-99999-0000', '5511999990000', '5511999990000'],
		['551187650000@chat.example', '551187650000', '5511987650000'],
		['+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧', '966501234567', '966501234567'],
		[LIST, LIST, LIST, `It has more than one phone number, or words behind it. ${ALONE}`],
		['0012345678', '0012345678', '0012345678', `It begins with 0. ${WITH_PLUS}`],
	];
	const { items } = await normalize(...CELLS.map(([cell]) => cell));
	expect(items.map(({ json }) => json)).toEqual(
		CELLS.map(([phone, identifier, key, problem], row) => ({
			...{ phone, row },
			recipient: { identifier, key, ...(problem === undefined ? {} : { problem }) },
		})),
	);
});

const ID = '019E4C54B1B375A28970B605CA9B03C3';

test.each([ID, ID.toLowerCase(), '019e4c54-b1b3-75a2-8970-b605ca9b03c3', `={{ ' ${ID} ' }}`])(
	"gives the trigger's sessionId on the channel %s",
	async (channelId) => {
		const { items } = await normalizeOn(channelId, '+55 11 9999-0000', '@Store', '0151 2345');
		expect(items.map(({ json }) => json.recipient)).toMatchObject([
			{ sessionId: `${ID}:5511999990000` },
			{ sessionId: `${ID}:@Store` },
			{ sessionId: `${ID}:01512345`, problem: `It begins with 0. ${WITH_PLUS}` },
		]);
	},
);

test('gives no sessionId without a channel, and names a channel that is no ID', async () => {
	const [none] = (await normalizeOn('', '@store')).items;
	expect(none?.json.recipient).toEqual({ identifier: '@store', key: '@store' });
	const [wrong, both] = (await normalizeOn('../channels', '@store', '')).items;
	const problem =
		'The channel is no ID: "../channels". An ID has 32 hexadecimal characters, with or without hyphens.';
	expect(wrong?.json.recipient).toEqual({ identifier: '@store', key: '@store', problem });
	expect(both?.json.recipient).toMatchObject({ problem: expect.stringMatching(/^It is empty/) });
});
