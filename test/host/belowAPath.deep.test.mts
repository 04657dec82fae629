/** An n8n whose WEBHOOK_URL has a path, behind a proxy that removes it. */
import { createServer, request as send } from 'node:http';

import { until } from '../../scripts/until.mts';
import { listen } from '../core/harness/listen.mts';
import { number } from './harness/conversations.mts';
import { Example } from './harness/examples.mts';
import { Host } from './harness/host.mts';
import { createAccount } from './harness/listener.mts';
import { type OwnN8n, startOwnN8n } from './harness/ownN8n.mts';
import { listWebhooks, startAsking, textsTo, type Customers } from './harness/questions.mts';

const PATH = '/n8n';
const ana = number(880);

let proxy: { url: string; stop(): Promise<void> };
let n8n: OwnN8n;
let customers: Customers;

beforeAll(async () => {
	const { secretKey, channels } = await createAccount(new Host(), ['Below a Path']);
	const server = createServer((incoming, outgoing) => {
		const { method, headers, url = '' } = incoming;
		if (!url.startsWith(`${PATH}/`)) return outgoing.writeHead(404).end();
		const path = url.slice(PATH.length);
		const passed = send(
			new URL(n8n.host.underTest.n8nUrl),
			{ method, headers, path },
			(response) => {
				response.pipe(outgoing.writeHead(response.statusCode ?? 502, response.headers));
			},
		);
		incoming.pipe(passed.on('error', () => outgoing.destroy()));
	});
	proxy = await listen(server);
	n8n = await startOwnN8n(secretKey, { WEBHOOK_URL: `${proxy.url}${PATH}/` });
	customers = { host: n8n.host, channelId: channels[0] ?? '', secretKey };
}, 300_000);
afterAll(async () => {
	await n8n?.remove();
	await proxy?.stop();
});

test('a trigger works there', async () => {
	await (await Example.import(customers.host, 'auto-reply', customers.channelId)).publish();
	await customers.host.sandbox.customerWrites({
		channelId: customers.channelId,
		from: ana,
		name: 'Ana',
		text: 'Hello',
	});
	await until('the reply', async () => (await textsTo(customers, ana)).length > 0, 60_000);
}, 90_000);

test.each(['link', 'chat'])(
	'a question by %s is not sent, because n8n would refuse the reply',
	async (askIn) => {
		const before = await textsTo(customers, ana);
		const webhooks = await listWebhooks(customers);
		const { executionId } = await startAsking(customers, ana, { askIn });
		const { status, resultData } = await customers.host.client.finishedExecution(executionId);
		expect(status).toBe('error');
		expect(resultData.error?.message).toBe(
			`Could not ask the question: this n8n would refuse every reply, because its WEBHOOK_URL has a path, ${proxy.url}${PATH}/`,
		);
		expect(await textsTo(customers, ana)).toEqual(before);
		expect(await listWebhooks(customers)).toEqual(webhooks);
	},
	60_000,
);
