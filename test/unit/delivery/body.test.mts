import {
	type BodyRequest,
	DEPTH_MAX,
	isNestedTooDeep,
	readBody,
	readRawBody,
} from '../../../nodes/BusinessMessaging/delivery/body.ts';

/** A request whose bytes are read on demand. */
function unread(changes: Partial<BodyRequest> = {}) {
	const asked = { times: 0 };
	const request: BodyRequest = {
		contentType: 'text/plain',
		readRawBody: async () => {
			asked.times += 1;
			request.rawBody = Buffer.from('read');
		},
		...changes,
	};
	return { request, asked };
}

describe('the bytes of a request', () => {
	it('are read if n8n has not read them', async () => {
		const { request, asked } = unread();
		expect(String(await readRawBody(request))).toBe('read');
		expect(asked.times).toBe(1);
	});

	it('are not read a second time, because nothing is left', async () => {
		const { request, asked } = unread({ rawBody: Buffer.from('by n8n') });
		expect(String(await readRawBody(request))).toBe('by n8n');
		expect(asked.times).toBe(0);
	});

	it('are empty for an upload, which n8n has already parsed', async () => {
		const { request, asked } = unread({ contentType: 'multipart/form-data' });
		expect(await readRawBody(request)).toBeUndefined();
		expect(asked.times).toBe(0);
	});

	it('are empty if reading them fails, whatever was read before', async () => {
		const { request } = unread();
		request.readRawBody = async () => {
			request.rawBody = Buffer.from('{"cut');
			throw new Error('aborted');
		};
		expect(await readRawBody(request)).toBeUndefined();
	});

	it('are empty if they are no bytes', async () => {
		expect(await readRawBody(unread({ rawBody: 'text' }).request)).toBeUndefined();
	});
});

const signed = Buffer.from('{"text":"é"}');

it('takes what n8n parsed from JSON in UTF-8', () => {
	const body = { text: 'é' };
	expect(
		readBody({ rawBody: signed, body, contentType: 'application/json', encoding: 'utf-8' }),
	).toBe(body);
});

it.each([
	['another charset', { contentType: 'application/json', encoding: 'latin1' }],
	['another type', { contentType: 'text/plain', encoding: 'utf-8' }],
	['no type', {}],
])('reads the signed bytes itself if the unsigned headers say %s', (_, headers) => {
	expect(readBody({ rawBody: signed, body: { text: 'Ã©' }, ...headers })).toEqual({ text: 'é' });
});

it('reads the signed bytes itself if there are none, because n8n gives an object for them', () => {
	expect(
		readBody({
			rawBody: Buffer.alloc(0),
			body: {},
			contentType: 'application/json',
			encoding: 'utf-8',
		}),
	).toBe('');
});

it('passes on as text what is not JSON', () => {
	expect(readBody({ rawBody: Buffer.from('\uFEFF{"text"') })).toBe('{"text"');
});

it('removes only a byte order mark at the beginning', () => {
	expect(readBody({ rawBody: Buffer.from('\uFEFF{"a": "\uFEFFb"}') })).toEqual({ a: '\uFEFFb' });
	expect(readBody({ rawBody: Buffer.from('a\uFEFFb') })).toBe('a\uFEFFb');
});

it.each(['text', 1, null, []])(
	'counts a value in the deepest allowed level as not deeper, unless it has levels itself: %j',
	(innermost) => {
		let list: unknown[] = [innermost];
		let object: Record<string, unknown> = { innermost };
		for (let level = 1; level < DEPTH_MAX; level++) {
			list = [list];
			object = { object };
		}
		const isTooDeep = Array.isArray(innermost);
		expect(isNestedTooDeep(list as never)).toBe(isTooDeep);
		expect(isNestedTooDeep(object as never)).toBe(isTooDeep);
	},
);

it.each([
	[DEPTH_MAX, false],
	[DEPTH_MAX + 1, true],
	[100_000, true],
])('looks no deeper than it may: %d levels', (levels, isTooDeep) => {
	let list: unknown[] = [];
	let object: Record<string, unknown> = {};
	for (let level = 1; level < levels; level++) {
		list = ['before', list];
		object = { before: 1, inner: object };
	}
	expect([isNestedTooDeep(list as never), isNestedTooDeep(object as never)]).toEqual([
		isTooDeep,
		isTooDeep,
	]);
});
