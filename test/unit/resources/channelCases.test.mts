import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import { CHANNEL } from '../../support/constants.mts';
import { contextWith, run } from './actionNode.mts';

const connect = async (parameters: Record<string, unknown>) =>
	await run(
		{ resource: 'channel', operation: 'connect', ...parameters },
		{ answer: () => ({ body: { success: true } }) },
	);
const byObject = (sdkObject: unknown, channelId = '') =>
	connect({ connectionData: 'object', sdkObject, channelId });

const OFFICIAL = { wabaId: '1', phoneId: '2', code: 'c', coexistence: false };
const UUID = '019e4c54-b1b3-75a2-8970-b605ca9b03c3';
const OF_PAGE = { success: true, channelId: CHANNEL, ...OFFICIAL };

it.each<[string, object, string]>([
	['of the official kind', OF_PAGE, ''],
	['without its channel', OFFICIAL, CHANNEL],
	['with a UUID, which the field has in the other form', { ...OFFICIAL, channelId: UUID }, CHANNEL],
	['with null for its channel', { ...OFFICIAL, channelId: null }, CHANNEL],
	['with its values in other types', { ...OF_PAGE, wabaId: 1, coexistence: 'false' }, ''],
	['of an inbox', { success: true, channelId: CHANNEL, accessToken: 't', pageId: 'p' }, ''],
	['of a bot, with the same channel in the field', { channelId: CHANNEL, botToken: 't' }, CHANNEL],
	['without data of its own', { success: true, channelId: CHANNEL }, ''],
	['of a kind to come', { channelId: CHANNEL, grant: { scopes: ['a'], token: ' t\n' } }, ''],
])("Connect forwards the SDK's object %s as it is", async (_how, sdkObject, channelId) => {
	for (const given of [sdkObject, JSON.stringify(sdkObject)]) {
		const { items, sent } = await byObject(given, channelId);
		const id = 'channelId' in sdkObject && sdkObject.channelId === UUID ? UUID : CHANNEL;
		expect(sent).toEqual([{ method: 'POST', path: `/v1/channels/${id}/connect`, body: sdkObject }]);
		expect(items.map(({ json }) => json)).toEqual([{ success: true, channelId: id }]);
	}
});

const DIFFERENT = '"Channel" and "channelId" in "SDK Object" are different channels.';
const NO_ID = '"channelId" in "SDK Object" is not an ID of the service.';
const NO_JSON = '"SDK Object" is not valid JSON. Map the object that your page sent';
const LONG = 'A value of "SDK Object" has more than 8192 characters';
const DEEP = JSON.parse(`${'{"a":'.repeat(21)}1${'}'.repeat(21)}`) as object;
const UNDONE = 'did not complete the connection';
it.each<[string, unknown, string, string]>([
	['no JSON', '{"code": "hidden-code', '', NO_JSON],
	['a list', [OF_PAGE], '', '"SDK Object" is not an object.'],
	['nothing in it', {}, CHANNEL, '"SDK Object" is empty.'],
	['too much', { ...OF_PAGE, code: 'c'.repeat(16_384) }, '', 'has more than 16384 characters'],
	['a long value', { ...OF_PAGE, code: 'x'.repeat(9000) }, '', LONG],
	['a long list', { ...OF_PAGE, list: Array(3000).fill('ab') }, '', 'has more than 100 values'],
	['deep values', { ...OF_PAGE, more: DEEP }, '', 'has more than 20 levels'],
	['success that is false', { ...OF_PAGE, success: false }, '', UNDONE],
	['success that is the text false', { ...OF_PAGE, success: 'false' }, '', UNDONE],
	['another channel than the field', OF_PAGE, 'A'.repeat(32), DIFFERENT],
	['a list for its channel', { ...OF_PAGE, channelId: [CHANNEL] }, '', NO_ID],
	['a number for its channel', { coexistence: false, channelId: 7 }, '', NO_ID],
	['no channel', { coexistence: false }, '', 'lacks "channelId". Choose the channel in "Channel"'],
	[
		'no ID in the field',
		{ ...OF_PAGE, channelId: '' },
		'x',
		'"Channel" is not an ID of the service: "x".',
	],
])('Connect refuses an SDK object with %s, unsent', async (_what, sdkObject, channelId, words) => {
	const { context, sent } = contextWith({
		...{ resource: 'channel', operation: 'connect', connectionData: 'object' },
		...{ sdkObject, channelId },
	});
	const error = (await new BusinessMessaging().execute
		.call(context)
		.catch((thrown: unknown) => thrown)) as Error;
	expect(error.message).toContain(words);
	expect(JSON.stringify([error, error.stack])).not.toContain('hidden-code');
	expect(sent).toEqual([]);
});

it.each<[object, boolean]>([
	[{}, false],
	[{ coexistence: 'false' }, false],
	[{ coexistence: true }, true],
])('Connect reads Coexistence from the fields %j as %s', async (given, coexistence) => {
	const { coexistence: _coexistence, ...others } = OFFICIAL;
	const fields = { connectionData: 'fields', channelId: CHANNEL, ...others };
	const { sent } = await connect({ ...fields, ...given });
	expect(sent).toMatchObject([{ body: { ...OFFICIAL, coexistence } }]);
	await expect(connect({ ...fields, coexistence: 'yes' })).rejects.toThrow(
		'"Coexistence" is neither true nor false.',
	);
	await expect(connect({ ...fields, code: 'x'.repeat(9000) })).rejects.toThrow(
		'"Code" has more than 8192 characters, so it is not what the connection SDK returned.',
	);
});

const create = async (type: unknown, answer: { statusCode?: number; body: unknown }) =>
	await run(
		{ resource: 'channel', operation: 'create', name: 'Support', type },
		{ answer: () => answer },
	);

it('Create has no default type', async () => {
	const empty = { __rl: true, mode: 'list', value: '' };
	for (const type of [empty, undefined]) {
		await expect(create(type, { body: { id: CHANNEL } })).rejects.toThrow(
			'"Type" is empty. Choose one from the list, or enter the type as your service calls it.',
		);
	}
});

it("refuses an unknown type, and lists the service's types", async () => {
	const body = { error: 'type must be one of [OFFICIAL, WEB]' };
	const error = (await create('OTHER', { statusCode: 400, body }).catch(
		(thrown: unknown) => thrown,
	)) as Error & { description?: string };
	expect(error.message).toContain('type must be one of [OFFICIAL, WEB]');
	expect(error.description).toContain('Choose one of these types in "Type".');
});

it('says to check the type after a 500, which an unknown one gets', async () => {
	const body = { error: 500, message: 'Internal server error' };
	await expect(create('OTHER', { statusCode: 500, body })).rejects.toMatchObject({
		description: expect.stringMatching(/"Type".*dashboard/),
	});
});
