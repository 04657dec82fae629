import { createServer } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';

import { jest } from '@jest/globals';
import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { ENTERED, published, valid } from '../support/sentKinds.mts';
import { runInEngine } from './harness/engine.mts';
import { respondJson, startScriptedService } from './harness/scriptedService.mts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';
const RECIPIENT = '5500000000101';
const MEGABYTE = 1024 * 1024;

interface Given {
	binary?: Record<string, IBinaryData>;
	onError?: 'continueRegularOutput';
	status?: number;
}

async function send(entered: IDataObject, { binary, onError, status = 200 }: Given = {}) {
	const service = await startScriptedService((_request, response) =>
		status === 200
			? respondJson(response, 200, { messageId: '01A0C92D0C957FE98B73C8BA0CACF741' })
			: respondJson(response, status, { error: status, message: 'No' }),
	);
	const channelId = { __rl: true, mode: 'id', value: CHANNEL };
	const { items, error } = await runInEngine({
		baseUrl: service.url,
		parameters: { resource: 'message', channelId, recipient: RECIPIENT, ...entered },
		input: [{ json: {}, ...(binary ? { binary } : {}) }],
		settings: onError ? { onError } : {},
	});
	await service.close();
	// Send Template reads templates, too, if it can.
	const requests = service.requests.filter(({ method }) => method === 'POST');
	const bodies = requests.map(({ body }) => JSON.parse(body) as { content: Content });
	return { requests, content: bodies[0]?.content, items: items.map(({ json }) => json), error };
}
interface Content extends IDataObject {
	attachments: Array<IDataObject & { url: string }>;
}

const file = (data: Buffer, mimeType: string): IBinaryData => ({
	data: data.toString('base64'),
	mimeType,
	fileName: 'file.bin',
});

test('every published body has a test here', () => {
	// Binary files leave as data URLs. Their own tests are below.
	expect(Object.keys(ENTERED).sort()).toEqual(
		Object.keys(valid)
			.filter((name) => name !== 'IMAGE_as_data')
			.sort(),
	);
});

test.each(Object.entries(ENTERED))('%s leaves exactly as published', async (name, entered) => {
	const { requests, items, error } = await send(entered);
	expect(error).toBeUndefined();
	expect(requests.map(({ url }) => url)).toEqual([`/v1/channels/${CHANNEL}/messages`]);
	expect(JSON.parse(requests[0]!.body)).toEqual({
		recipient: { identifier: RECIPIENT },
		content: published(name),
	});
	expect(items).toEqual([
		{ messageId: expect.any(String), channelId: CHANNEL, recipient: RECIPIENT },
	]);
});

test.each([0, 1, 2, 3 * 2 ** 16 - 1, 3 * 2 ** 16, 3 * 2 ** 16 + 1])(
	'a binary file leaves as a data URL, byte for byte, with its caption (%i bytes and one)',
	async (size) => {
		const data = Buffer.alloc(size + 1, 'n8n: \0"}');
		const { content, error } = await send(
			{ operation: 'sendMedia', source: 'binary', caption: 'A "caption"' },
			{ binary: { data: file(data, 'image/png; charset=binary') } },
		);
		expect(error).toBeUndefined();
		expect(content?.type).toBe('IMAGE');
		expect(content?.attachments).toEqual([{ url: expect.any(String), caption: 'A "caption"' }]);
		const [head, base64 = ''] = content!.attachments[0]!.url.split(',');
		expect(head).toBe('data:image/png;base64');
		expect(Buffer.from(base64, 'base64').equals(data)).toBe(true);
	},
);

test('the name of a type cannot break out of the JSON', async () => {
	const binary = { data: file(Buffer.from('x'), 'image/png","caption":"forged') };
	const { content } = await send({ operation: 'sendMedia', source: 'binary' }, { binary });
	expect(content?.attachments).toEqual([{ url: 'data:image/png","caption":"forged;base64,eA==' }]);
});

test('at most two files of 80 MB are in flight per process, and each is read only when it may leave', async () => {
	const data = 'A'.repeat((80 * MEGABYTE * 4) / 3);
	const buffers = jest.spyOn(Buffer, 'from');
	const readsOf = () => buffers.mock.calls.filter(([value]) => value === data).length;
	let [underWay, mostUnderWay, mostAhead, received] = [0, 0, 0, 0];
	const service = createServer((request, response) => {
		mostUnderWay = Math.max(mostUnderWay, ++underWay);
		mostAhead = Math.max(mostAhead, readsOf() - received);
		request.resume().on('end', () => {
			received++;
			underWay--;
			respondJson(response, 200, { messageId: 'A'.repeat(32) });
		});
	});
	await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
	try {
		const { items } = await runInEngine({
			baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
			parameters: {
				resource: 'message',
				operation: 'sendMedia',
				source: 'binary',
				channelId: { __rl: true, mode: 'id', value: CHANNEL },
				recipient: '={{ $json.to }}',
			},
			input: [1, 2, 3, 4].map((to) => ({
				json: { to },
				binary: { data: { data, mimeType: 'image/png' } },
			})),
		});
		expect(items.map(({ json }) => json.messageId)).toEqual(Array(4).fill('A'.repeat(32)));
		expect([mostUnderWay, received]).toEqual([2, 4]);
		expect(mostAhead).toBeLessThanOrEqual(2);
	} finally {
		buffers.mockRestore();
		await new Promise((resolve) => service.close(resolve));
	}
}, 60_000);

test.each([
	['sendMedia', { mediaUrl: 'https://example.com/a.png' }, 120_000],
	['sendText', { text: 'Hello' }, 30_000],
])('%s waits for the service until its own timeout', async (operation, entered, milliseconds) => {
	const timeout = jest.spyOn(Socket.prototype, 'setTimeout');
	try {
		await send({ operation, ...entered });
		expect(timeout.mock.calls.map(([time]) => time)).toContain(milliseconds);
	} finally {
		timeout.mockRestore();
	}
});

test('refuses a file above 100 MB before a request, with its size and the limit', async () => {
	const large: IBinaryData = {
		data: 'A'.repeat(Math.ceil((100 * MEGABYTE + 3) / 3) * 4),
		mimeType: 'video/mp4',
		fileName: 'holiday.mp4',
	};
	const { requests, error } = await send(
		{ operation: 'sendMedia', mediaType: 'video', source: 'binary' },
		{ binary: { data: large } },
	);
	expect(requests).toEqual([]);
	expect(error?.message).toMatch(
		/"holiday\.mp4" in the field "data" has 100\.0 MB.*at most 100 MB/,
	);
});

const media = (mediaUrl: string) => ({ operation: 'sendMedia', mediaUrl });
const replies = (...values: IDataObject[]) => ({
	...{ operation: 'sendButtons', text: 'Hi', replyButtons: { values } },
});
const actions = (...values: IDataObject[]) => ({
	...{ operation: 'sendButtons', buttonType: 'action', text: 'Hi', actionButtons: { values } },
});
const template = (entered: IDataObject) => ({
	...{ operation: 'sendTemplate', template: { __rl: true, mode: 'name', value: 'welcome' } },
	...entered,
});
const BODY = '[{"type":"BODY","parameters":[]}]';

test.each<[IDataObject, RegExp]>([
	[media('ftp://example.com/a.png'), /"Media URL" is not a URL/],
	[media('data:image/png;base64,eA=='), /"Media URL" is not a URL/],
	[{ ...media('https://a.example/a'), mediaType: '={{ "gif" }}' }, /"Media Type" is "gif"/],
	[
		{ operation: 'sendMedia', source: 'binary', binaryField: 'image' },
		/no file in the field "image"/,
	],
	[replies(), /"Reply Buttons" has 0 buttons/],
	[replies({ title: 'Yes' }, { title: ' ' }), /Button 2 has no title/],
	[replies({ title: 'Yes', id: '2' }, { title: 'No' }), /same ID/],
	[
		{ ...replies({ title: 'Yes' }), headerMediaUrl: 'https://example.com/x' },
		/Choose one in "Header Media Type"/,
	],
	[actions({ action: 'url', title: 'Shop' }), /"URL of button 1" is not a URL/],
	[actions({ action: 'call', title: 'Call' }), /Button 1 has no phone number/],
	[actions(), /"Action Buttons" has no button/],
	[
		{ operation: 'sendContact', contactName: 'Bo', contactPhones: '={{ [] }}' },
		/"Contact Phones" is empty/,
	],
	[template({ bodyParameters: ['Ana', ''] }), /Value 2 of "Body Parameters" is empty/],
	[template({ additionalComponents: '={{ "[{" }}' }), /"Additional Components" is not valid JSON/],
	[
		template({ additionalComponents: '{"type":"header"}' }),
		/"Additional Components" is not a list/,
	],
	[
		template({ bodyParameters: ['Ana'], additionalComponents: BODY }),
		/"Additional Components" holds the template's body, which another field gives, too/,
	],
	[
		{ operation: 'sendOther', content: '{"body":{}}' },
		/"Content" is not a JSON object with a "type"/,
	],
	[{ operation: 'sendOther', content: '[1]' }, /"Content" is not a JSON object/],
])(
	'refuses what cannot be sent before a request, and names the field: %j',
	async (entered, words) => {
		const { requests, error } = await send(entered);
		expect(requests).toEqual([]);
		expect(error?.message).toMatch(words);
	},
);

test("numbers buttons without an ID, and tells their media's type from its name", async () => {
	const url = 'https://example.com/shown?id=1';
	const { content } = await send({
		...replies({ title: 'Yes', id: 'yes' }, { title: 'No' }),
		...{ headerMediaUrl: url, headerMediaType: 'video' },
	});
	expect(content).toMatchObject({
		body: { thumbnail: url, mimeType: 'video/mp4' },
		attachments: [
			{ id: 'yes', title: 'Yes' },
			{ id: '2', title: 'No' },
		],
	});
});

test('additional components go where the template has them, and their own body replaces the empty one', async () => {
	const header = { type: 'header', parameters: [{ type: 'text', text: 'Ana' }] };
	const body = { type: 'body', parameters: [{ type: 'currency', currency: { code: 'EUR' } }] };
	const text = { type: 'body', parameters: [{ type: 'text', text: '1' }] };
	for (const [given, more, components] of [
		[[header], { bodyParameters: ['1'] }, [header, text]],
		[[header, body], {}, [header, body]],
	] as const) {
		const entered = template({ additionalComponents: JSON.stringify(given), ...more });
		const { content } = await send(entered);
		expect(content?.attachments).toMatchObject([{ template: { components } }]);
	}
});

test('Send Other sends the content unchanged', async () => {
	const content = { type: 'LOCATION', attachments: [{ latitude: -23.5, longitude: -46.6 }] };
	const sent = await send({ operation: 'sendOther', content: JSON.stringify(content) });
	expect(sent.content).toEqual(content);
});

test.each([
	['sendMedia', { mediaType: 'audio', mediaUrl: 'https://example.com/a.ogg' }, 'audio'],
	['sendTemplate', { template: { __rl: true, mode: 'name', value: 'welcome' } }, 'template'],
	['sendOther', { content: '{"type":"POLL"}' }, 'message'],
])('errors of %s name the message', async (operation, entered, name) => {
	const { items } = await send(
		{ operation, ...entered },
		{ onError: 'continueRegularOutput', status: 500 },
	);
	expect(items).toMatchObject([
		{ error: `Could not send the ${name} to ${RECIPIENT}: the service failed (No)` },
	]);
});
