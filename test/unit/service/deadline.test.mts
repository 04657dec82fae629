import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';

import type { IExecuteFunctions } from 'n8n-workflow';

import { createServiceClient } from '#nodes/service/client.ts';
import { startDeadline } from '#nodes/service/deadline.ts';
import { downloadFile } from '#nodes/service/download.ts';

const listening = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;
const contextOf = (signal: AbortSignal, more: object = {}) => ({
	getExecutionCancelSignal: () => signal,
	...more,
});

test('longer than 24 days is as long as a timer can be', async () => {
	const deadline = startDeadline({}, 2 ** 31 + 5);
	await deadline.race(new Promise((resolve) => setTimeout(resolve, 20)));
	expect([deadline.timeout, deadline.codeOfEnd()]).toEqual([2 ** 31 - 1, undefined]);
});

test('is over at once in an execution that was cancelled before', async () => {
	const deadline = startDeadline(contextOf(AbortSignal.abort(new Error('stop'))), 60_000);
	expect(deadline.codeOfEnd()).toEqual({ code: 'ERR_CANCELED' });
	await expect(deadline.race(new Promise(() => {}))).rejects.toThrow('stop');
});

test('lets go of what it raced, and of an execution whose requests have ended', async () => {
	const { signal } = new AbortController();
	const file = { statusCode: 200, headers: {}, body: Readable.from([Buffer.from('a')]) };
	const context = contextOf(signal, {
		getCredentials: async () => ({ baseUrl: 'https://api.messaging.example', secretKey: 'sk' }),
		helpers: {
			httpRequest: async () => file,
			httpRequestWithAuthentication: async () => ({ statusCode: 200, headers: {}, body: '' }),
		},
	}) as unknown as IExecuteFunctions;
	const client = await createServiceClient(context);
	await client.request({ action: 'list', method: 'GET', path: ['v1'] });
	const url = new URL('https://files.example/a');
	await downloadFile(context, url, { action: 'download', maxBytes: 9, timeout: 9000 });
	const deadline = startDeadline(context, 60_000);
	expect(listening(signal)).toBe(1);
	await deadline.race(Promise.resolve());
	await new Promise((next) => setImmediate(next));
	expect(listening(deadline.signal)).toBe(0);
	deadline.end();
	expect(listening(signal)).toBe(0);
});
