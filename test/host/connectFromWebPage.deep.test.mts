import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Example, ownAccount } from './harness/examples.mts';
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

/** What the page is told of every failure. */
const NOT_DONE = {
	status: 422,
	body: {
		success: false,
		message: 'The connection was not completed. Connect again, or ask us.',
	},
};

/** Requests of the account to the service for a channel, by what they end in. */
async function requestsOf(channelId: string): Promise<Record<string, number>> {
	const { requests } = await host.sandbox.get<{
		requests: Array<{ method: string; path: string }>;
	}>('/_sandbox/requests?limit=500');
	const count = (end: string) =>
		requests.filter(({ path }) => path === `/v1/channels/${channelId}/${end}`).length;
	return { connect: count('connect'), subscribe: count('subscribe') };
}

async function isConnected(channelId: string): Promise<boolean> {
	const { tenants } = await host.sandbox.get<{
		tenants: Array<{ channels: Array<{ id: string; connected: boolean }> }>;
	}>('/_sandbox/state');
	return tenants
		.flatMap(({ channels }) => channels)
		.some(({ id, connected }) => id === channelId && connected);
}

/** As its starting point, whatever other tests did. */
async function disconnect(): Promise<void> {
	if (await isConnected(connectable))
		await host.sandbox.post(`/_sandbox/channels/${connectable}/disconnect`, {});
}

test('connects the channel with what the page posts, responds to the page, and connects it once', async () => {
	const fromSdk = await issueConnectionData(host, connectable, publicKey);
	expect(await isConnected(connectable)).toBe(false);
	const done = { status: 200, body: { success: true, channelId: connectable } };
	expect(await post(fromSdk)).toEqual(done);
	expect(await isConnected(connectable)).toBe(true);
	const before = await requestsOf(connectable);
	expect(await post(fromSdk)).toEqual(done);
	expect(await post({ ...fromSdk, code: 'another' })).toEqual(done);
	expect(await requestsOf(connectable)).toEqual(before);
	expect(readFileSync(join(host.underTest.home, 'n8n.log'), 'utf8')).not.toContain(fromSdk.code);
});

test('answers the same words to every failure, and takes each code once', async () => {
	await disconnect();
	const fromSdk = await issueConnectionData(host, connectable, publicKey);
	expect(await post({ ...fromSdk, code: 'x'.repeat(15_000) })).toEqual(NOT_DONE);
	expect(await post({ ...fromSdk, wabaId: '' })).toEqual(NOT_DONE);
	expect((await post(fromSdk)).status).toBe(200);
	await disconnect();
	expect(await post(fromSdk)).toEqual(NOT_DONE);
	expect(await isConnected(connectable)).toBe(false);
});

test('subscribes the channel once it is connected, if Settings say so, however often the page posts', async () => {
	await disconnect();
	const { example: copy, url: address } = await publishedWith({ subscribe: true });
	await copy.insert({ channelId: connectable, state: 'free' });
	const fromSdk = await issueConnectionData(host, connectable, publicKey);
	const before = await requestsOf(connectable);
	const answers = [];
	for (let time = 0; time < 4; time++) answers.push(await post(fromSdk, address));
	expect(answers).toEqual(
		Array(4).fill({ status: 200, body: { success: true, channelId: connectable } }),
	);
	expect(await copy.rows()).toMatchObject([{ channelId: connectable, state: 'taken' }]);
	const { connect = 0, subscribe = 0 } = await requestsOf(connectable);
	expect([connect - (before['connect'] ?? 0), subscribe - (before['subscribe'] ?? 0)]).toEqual([
		1, 1,
	]);
	expect(await host.callService(`/v1/channels/${connectable}`, secretKey)).toMatchObject({
		paymentStatus: 'PAID',
		phoneConnected: true,
	});
	await disconnect();
	const again = await issueConnectionData(host, connectable, publicKey);
	// Connected anew, and still paid for.
	expect(await post(again, address)).toMatchObject({ status: 200 });
	expect((await requestsOf(connectable))['subscribe']).toBe(subscribe);
});

test('leaves no execution behind, neither of a success nor of a failure', async () => {
	expect(await host.client.listExecutions(example.workflow.id)).toEqual([]);
});

test('refuses a channel that is not on the list, before any request to the service', async () => {
	expect(await post(await issueConnectionData(host, other, publicKey))).toEqual({
		status: 403,
		body: { success: false, message: 'This channel is not waiting to be connected' },
	});
	expect(await isConnected(other)).toBe(false);
	expect((await requestsOf(other))['connect']).toBe(0);
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
