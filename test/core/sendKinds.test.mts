import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { jest } from '@jest/globals';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { valid } from '../fixtures/messages.mts';
import { byId, CHANNEL } from '../support/constants.mts';
import { ENTERED, published } from '../support/sentKinds.mts';
import { runInEngine } from './harness/engine.mts';
import { respondJson, startScriptedService } from './harness/scriptedService.mts';

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
	const channelId = byId(CHANNEL);
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

/** Lets n8n say that a file is this large, which it keeps elsewhere. Each is read as one byte. */
function storing(fileSize: number, onRead: () => void = () => {}): Record<string, IBinaryData> {
	jest.spyOn(BinaryDataService.prototype, 'getMetadata').mockResolvedValue({ fileSize });
	jest.spyOn(BinaryDataService.prototype, 'getAsBuffer').mockImplementation(async () => {
		onRead();
		return Buffer.from('a');
	});
	return { data: { id: 'filesystem:1', data: '', mimeType: 'image/png', fileName: 'a.png' } };
}
afterEach(() => void jest.restoreAllMocks());

test('at most two files of 80 MB are in flight per process, and each is read only when it may leave', async () => {
	let [underWay, mostUnderWay, reads, mostAhead, received] = [0, 0, 0, 0, 0];
	const binary = storing(
		80 * MEGABYTE,
		() => (mostAhead = Math.max(mostAhead, ++reads - received)),
	);
	let onTwo = () => {};
	const areTwo = new Promise<void>((resolve) => (onTwo = resolve));
	const service = await startScriptedService((_request, response) => {
		mostUnderWay = Math.max(mostUnderWay, ++underWay);
		if (underWay === 2) onTwo();
		// A third one would come meanwhile.
		void areTwo.then(async () => {
			await sleep(50);
			received++;
			underWay--;
			respondJson(response, 200, { messageId: 'A'.repeat(32) });
		});
	});
	const { items } = await runInEngine({
		baseUrl: service.url,
		parameters: {
			...{ resource: 'message', operation: 'sendMedia', source: 'binary' },
			channelId: byId(CHANNEL),
			recipient: '={{ $json.to }}',
		},
		input: [1, 2, 3, 4].map((to) => ({ json: { to }, binary })),
	});
	await service.close();
	expect(items.map(({ json }) => json.messageId)).toEqual(Array(4).fill('A'.repeat(32)));
	expect([mostUnderWay, mostAhead, received]).toEqual([2, 2, 4]);
});

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
