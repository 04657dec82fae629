import type { IDataObject, JsonValue } from 'n8n-workflow';

import { type DeliveryRequest, DEPTH_MAX, parseBody, readRawBody } from '#nodes/delivery/open.ts';
import { isDeeperThan } from '#nodes/service/readBody.ts';

it.each<[string, Partial<DeliveryRequest>, read: string | undefined, times: number]>([
	['n8n has not read them', {}, 'read', 1],
	['nothing is left to read', { rawBody: Buffer.from('by n8n') }, 'by n8n', 0],
	['n8n has parsed an upload', { contentType: 'multipart/form-data' }, undefined, 0],
	['they are no bytes', { rawBody: 'text' }, undefined, 0],
])('gives the bytes of a request if %s', async (_what, changes, read, times) => {
	let asked = 0;
	const request: DeliveryRequest = {
		headers: {},
		contentType: 'text/plain',
		readRawBody: async () => {
			asked += 1;
			request.rawBody = Buffer.from('read');
		},
		...changes,
	};
	expect((await readRawBody(request))?.toString()).toBe(read);
	expect(asked).toBe(times);
});

it('gives no bytes if reading them fails, whatever was read before', async () => {
	const request: DeliveryRequest = {
		headers: {},
		contentType: 'text/plain',
		readRawBody: async () => {
			request.rawBody = Buffer.from('{"cut');
			throw new Error('aborted');
		},
	};
	expect(await readRawBody(request)).toBeUndefined();
});

const signed = Buffer.from('{"text":"é"}');
const asJson = { contentType: 'application/json', encoding: 'utf-8' };

it('takes what n8n parsed from JSON in UTF-8', () => {
	const body = { text: 'é' };
	expect(parseBody(signed, { body, ...asJson })).toBe(body);
});

it.each([
	['{"id":12345678901234567890}', { id: '12345678901234567890' }],
	['[-9007199254740993, 9007199254740991]', ['-9007199254740993', 9007199254740991]],
	['{"a":"1:12345678901234567890","b":1.2345678901234567}', 'as JSON'],
	['{"a\\\\":"\\"","b":[1e400,{"c" :\t12345678901234567]}', 'no JSON'],
	[
		'{"a\\\\":"\\",","b":[{"c" :\t12345678901234567}]}',
		{ 'a\\': '",', b: [{ c: '12345678901234567' }] },
	],
	['12345678901234567890', '12345678901234567890'],
])('keeps the digits of whole numbers that JavaScript would round: %s', (text, read) => {
	const parsed: unknown = read === 'as JSON' ? JSON.parse(text) : read === 'no JSON' ? text : read;
	const bytes = Buffer.from(text);
	expect(parseBody(bytes, { body: 'by n8n', contentType: 'text/plain' })).toEqual(parsed);
	if (read !== 'no JSON')
		expect(parseBody(bytes, { body: JSON.parse(text) as IDataObject, ...asJson })).toEqual(parsed);
});

it.each([
	['another charset', { contentType: 'application/json', encoding: 'latin1' }],
	['another type', { contentType: 'text/plain', encoding: 'utf-8' }],
	['no type', {}],
])('reads the signed bytes itself if the unsigned headers say %s', (_, headers) => {
	expect(parseBody(signed, { body: { text: 'Ã©' }, ...headers })).toEqual({ text: 'é' });
});

it('reads the signed bytes itself if there are none, because n8n gives an object for them', () => {
	expect(parseBody(Buffer.alloc(0), { body: {}, ...asJson })).toBe('');
});

it.each([
	['\uFEFF{"text"', '{"text"'],
	['\uFEFF{"a": "\uFEFFb"}', { a: '\uFEFFb' }],
	['a\uFEFFb', 'a\uFEFFb'],
])(
	'passes on as text what is not JSON, without a byte order mark at its beginning',
	(raw, read) => {
		expect(parseBody(Buffer.from(raw))).toEqual(read);
	},
);

it.each<[innermost: JsonValue, levels: number, isTooDeep: boolean]>([
	['text', DEPTH_MAX, false],
	[1, DEPTH_MAX, false],
	[null, DEPTH_MAX, false],
	[[], DEPTH_MAX - 1, false],
	[[], DEPTH_MAX, true],
	[1, DEPTH_MAX + 1, true],
	[1, 100_000, true],
])('looks for %j no deeper than it may: in %i levels', (innermost, levels, isTooDeep) => {
	let [list, object] = [innermost, innermost];
	for (let level = 0; level < levels; level++) {
		list = ['before', list];
		object = { before: 1, inner: object };
	}
	expect([list, object].map((value) => isDeeperThan(DEPTH_MAX, value))).toEqual([
		isTooDeep,
		isTooDeep,
	]);
});
