import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Example, itemsOf, ownAccount } from './harness/examples.mts';
import type { Host } from './harness/host.mts';
import { nodesChanged } from './harness/stages.mts';
import { issueConnectionData } from './harness/tenants.mts';

let host: Host;
let secretKey: string;
let publicKey: string;
let connectable: string;
let other: string;
let url: string;
let example: Example;

beforeAll(async () => {
	const account = await ownAccount(['To Connect', 'Not Expected']);
	({ host } = account);
	({ secretKey } = account);
	publicKey = secretKey.replace('_sk_', '_pk_');
	[connectable = '', other = ''] = account.channels;
	for (const channelId of account.channels)
		await host.sandbox.post(`/_sandbox/channels/${channelId}/disconnect`, {});
	example = await Example.import(host, 'connect-from-web-page', connectable, {
		settings: { channelIds: [connectable] },
	});
	await example.publish();
	url = example.webhookUrl('connect-channel');
});
afterAll(async () => await host?.cleanUp());

/** A published copy of the example at a path of its own. */
async function publishedWith(settings: Record<string, unknown>) {
	const path = randomUUID();
	const copy = await Example.import(
		host,
		'connect-from-web-page',
		connectable,
		{ settings: { channelIds: [connectable], ...settings } },
		nodesChanged((node) =>
			node.name === 'When the Page Sends the Object'
				? { ...node, webhookId: randomUUID(), parameters: { ...node.parameters, path } }
				: node,
		),
	);
	await copy.publish();
	return { example: copy, url: copy.webhookUrl(path) };
}

/** The page posts the SDK's result. @returns the response to the page */
async function post(fromSdk: object, address = url): Promise<{ status: number; body: unknown }> {
	const { status, body } = await host.sandbox.post<{ status: number; body: string }>(
		'/_sandbox/sdk/post',
		{ url: address, answer: fromSdk },
	);
	return { status, body: JSON.parse(body) };
}

async function isConnected(channelId: string): Promise<boolean> {
	const { tenants } = await host.sandbox.get<{
		tenants: Array<{ channels: Array<{ id: string; connected: boolean }> }>;
	}>('/_sandbox/state');
	return tenants
		.flatMap(({ channels }) => channels)
		.some(({ id, connected }) => id === channelId && connected);
}

test('connects the channel with what the page posts, responds to the page, and takes each code once', async () => {
	const fromSdk = await issueConnectionData(host, connectable, publicKey);
	expect(await isConnected(connectable)).toBe(false);
	expect(await post(fromSdk)).toEqual({
		status: 200,
		body: { success: true, channelId: connectable },
	});
	expect(await isConnected(connectable)).toBe(true);
	const again = await post(fromSdk);
	expect(again).toEqual({
		status: 422,
		body: { success: false, message: expect.any(String) as string },
	});
	expect(JSON.stringify(again)).not.toContain(fromSdk.code);
	expect(readFileSync(join(host.underTest.home, 'n8n.log'), 'utf8')).not.toContain(fromSdk.code);
});

test('subscribes the channel once it is connected, if Settings say so', async () => {
	await host.sandbox.post(`/_sandbox/channels/${connectable}/disconnect`, {});
	const { example: paying, url: address } = await publishedWith({ subscribe: true });
	const fromSdk = await issueConnectionData(host, connectable, publicKey);
	expect(await post(fromSdk, address)).toEqual({
		status: 200,
		body: { success: true, channelId: connectable },
	});
	const [last] = (await paying.executions(1)).slice(-1);
	expect(last && itemsOf(last, 'Subscribe the Channel')).toMatchObject([{ subscribed: true }]);
	expect(await host.callService(`/v1/channels/${connectable}`, secretKey)).toMatchObject({
		paymentStatus: 'PAID',
		phoneConnected: true,
	});
});

test('refuses a channel that is not on the list, before any request to the service', async () => {
	expect(await post(await issueConnectionData(host, other, publicKey))).toEqual({
		status: 403,
		body: { success: false, message: 'This channel is not waiting to be connected' },
	});
	expect(await isConnected(other)).toBe(false);
	const [last] = (await example.executions(1)).slice(-1);
	expect(last && itemsOf(last, 'Connect the Channel')).toEqual([]);
});

test.each<[string, unknown]>([
	['nothing', undefined],
	['a list', []],
	['an object without a channel', { success: true }],
])('refuses %s', async (_name, body) => {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	expect({ status: response.status, body: await response.json() }).toMatchObject({
		status: 403,
		body: { success: false },
	});
});

test('tells the page that the connection was not completed, if the SDK reports so', async () => {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ success: false, channelId: connectable }),
	});
	expect({ status: response.status, body: await response.json() }).toEqual({
		status: 422,
		body: {
			success: false,
			message: expect.stringContaining('did not complete the connection') as string,
		},
	});
});

test('lets a page of the allowed origin read the response, and no other', async () => {
	const allowed = async (origin: string) => {
		const response = await fetch(url, {
			method: 'OPTIONS',
			headers: { origin, 'access-control-request-method': 'POST' },
		});
		return response.headers.get('access-control-allow-origin');
	};
	expect(await allowed('https://www.example.com')).toBe('https://www.example.com');
	expect(await allowed('https://elsewhere.example.org')).not.toBe('https://elsewhere.example.org');
});
