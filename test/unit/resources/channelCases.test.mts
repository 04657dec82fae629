import { CHANNEL, run } from './actionNode.mts';

const connect = async (parameters: Record<string, unknown>) =>
	await run(
		{ resource: 'channel', operation: 'connect', ...parameters },
		{ answer: () => ({ body: { success: true } }) },
	);
const byObject = (sdkObject: unknown, channelId = '') =>
	connect({ connectionData: 'object', sdkObject, channelId });

const OF_PAGE = { channelId: CHANNEL, wabaId: '1', phoneId: '2', code: 'c', coexistence: false };
const { channelId: _channelId, ...BODY } = OF_PAGE;

it.each<[string, unknown, string]>([
	['as text', JSON.stringify(OF_PAGE), ''],
	['as an object', OF_PAGE, ''],
	['with false as text', { ...OF_PAGE, coexistence: 'false' }, ''],
	['with blanks and numbers', { ...OF_PAGE, wabaId: 1, phoneId: ' 2 ', code: ' c\n' }, ''],
	['with null for its channel', { ...OF_PAGE, channelId: null }, CHANNEL],
])('Connect takes the object of the SDK %s', async (_how, sdkObject, channelId) => {
	const { sent } = await byObject(sdkObject, channelId);
	expect(sent).toEqual([{ method: 'POST', path: `/v1/channels/${CHANNEL}/connect`, body: BODY }]);
});

it.each<[string, unknown, string, string]>([
	[
		'no JSON',
		'{',
		'',
		'"SDK Object" is not valid JSON. Map the object that your page sent, e.g. {{ $json.body }}.',
	],
	['a blank code', { ...OF_PAGE, code: ' ' }, '', '"SDK Object" lacks "code".'],
	[
		'a list for its channel',
		{ ...OF_PAGE, channelId: [CHANNEL] },
		'',
		'"channelId" in "SDK Object" is not an ID of the service.',
	],
	[
		'no channel, where that of the node is no ID',
		{ ...OF_PAGE, channelId: '' },
		'x',
		'"Channel" is not an ID of the service: "x".',
	],
])('Connect refuses an object of the SDK with %s', async (_what, sdkObject, channelId, words) => {
	await expect(byObject(sdkObject, channelId)).rejects.toThrow(words);
});

it.each<[object, boolean]>([
	[{}, false],
	[{ coexistence: 'false' }, false],
	[{ coexistence: true }, true],
])('Connect reads Coexistence from the fields %j as %s', async (given, coexistence) => {
	const { coexistence: _coexistence, ...others } = OF_PAGE;
	const { sent } = await connect({ ...others, ...given });
	expect(sent).toMatchObject([{ body: { ...BODY, coexistence } }]);
});
