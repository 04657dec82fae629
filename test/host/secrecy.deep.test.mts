import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';

import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import { freePort } from '#scripts/n8n/processes.mts';
import { until } from '#scripts/until.mts';
import { byId, Host, TRIGGER } from './harness/host.mts';
import { createTenant } from './harness/tenants.mts';
import { databaseTexts, filesWritten } from './harness/traces.mts';

const host = new Host();
const { home, credential, sandboxUrl } = host.underTest;
/** A key of this file's own, in a form that nothing else in the records has. */
const SECRET_KEY = 'sandbox_sk_needle-in-the-haystack-7f3a';
/** Other encodings of what was sent. */
const ENCODINGS: Array<(text: string) => string> = [
	(text) => Array.from(Buffer.from(text), (byte) => `%${byte.toString(16)}`).join(''),
	(text) => Buffer.from(text).toString('base64'),
	(text) => Buffer.from(text).toString('hex'),
];
/** In every item and text of this file. It shows that the search looks in the right places. */
const MARK = 'mark-of-the-secrecy-test';

afterEach(async () => await host.cleanUp());

test('the secret key is in no item, error, log line or execution record, after success or failure', async () => {
	const { channelId } = await createTenant(host, {
		name: 'Secrecy',
		secretKey: SECRET_KEY,
		enterprise: true,
	});
	const withKey = async (baseUrl: string): Promise<typeof credential> =>
		await host.client.createCredential(`At ${baseUrl}`, credential.type, {
			baseUrl,
			secretKey: SECRET_KEY,
		});
	const good = await withKey(sandboxUrl);
	const unreachable = await withKey(`http://127.0.0.1:${await freePort()}`);
	// Responds with an error that repeats the request, as a careless proxy does, each time encoded
	// otherwise.
	const repeats = [
		(sent: string) => ({ error: 500, message: sent }),
		(sent: string) => ({ [sent]: true }),
		...ENCODINGS.flatMap((encode) => [
			(sent: string) => ({ error: 500, message: encode(sent) }),
			(sent: string) => ({ [encode(sent)]: true }),
		]),
	];
	let turn = 0;
	const echo = createServer((request, response) => {
		const repeat = repeats[turn++ % repeats.length]!;
		response
			.writeHead(500, { 'content-type': 'application/json' })
			.end(JSON.stringify(repeat(`${MARK} ${request.headers.authorization}`)));
	});
	await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
	const careless = await withKey(`http://127.0.0.1:${(echo.address() as AddressInfo).port}`);

	const channel = byId(channelId);
	const customer = '5511900007777';
	const [ofChannel, all] = [{ channelId: channel }, { returnAll: true, filters: {} }];
	const webhookId = byId('0'.repeat(32));
	const create = { url: `http://127.0.0.1:9/${MARK}`, events: ['CONNECTED'] };
	const text = { ...ofChannel, recipient: customer, text: MARK, options: {} };
	const fields = { connectionData: 'fields', wabaId: MARK, phoneId: '2', code: 'unknown' };
	const operations: INodeParameters[] = [
		{ resource: 'message', operation: 'sendText', ...text },
		{ resource: 'channel', operation: 'getAll', ...all },
		{ resource: 'channel', operation: 'create', name: MARK, type: 'OFFICIAL_CHATAPP' },
		{ resource: 'channel', operation: 'connect', ...ofChannel, ...fields, coexistence: false },
		{ resource: 'webhook', operation: 'getAll', ...ofChannel, ...all },
		{ resource: 'webhook', operation: 'create', ...ofChannel, ...create, additionalFields: {} },
		{
			...{ resource: 'webhook', operation: 'update', ...ofChannel, webhookId },
			updateFields: { description: MARK },
		},
		{ resource: 'webhook', operation: 'delete', ...ofChannel, webhookId },
		{ resource: 'templateWebhook', operation: 'getAll', ...all },
	];

	const seen: string[] = [];
	try {
		await host.sandbox.customerWrites({ channelId, from: customer, name: MARK, text: MARK });
		for (const used of [good, unreachable, careless]) {
			for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
				for (const parameters of operations) {
					const run = await host.runAction(parameters, {
						credential: used,
						items: [{ mark: MARK }],
						settings: { onError },
					});
					seen.push(JSON.stringify(run));
				}
			}
			const data = { baseUrl: 'http://127.0.0.1:9', secretKey: SECRET_KEY };
			seen.push(JSON.stringify(await host.client.testCredential(used, data)));
		}

		const trigger = host.node(
			'Trigger',
			TRIGGER,
			{ source: 'channel', channelId: channel, options: { includeHeaders: true } },
			good,
		);
		const listener = await host.createWorkflow(MARK, [trigger]);
		await host.client.publish(listener.id);
		await host.sandbox.customerWrites({ channelId, from: customer, name: MARK, text: MARK });
		await until(
			'the event to be executed',
			async () => (await host.client.listExecutions(listener.id)).length > 0,
			30_000,
		);
		const cannotRegister = host.node(
			'Trigger',
			TRIGGER,
			{ source: 'channel', channelId: channel },
			careless,
		);
		const failing = await host.createWorkflow('Cannot register', [cannotRegister]);
		await host.client.publish(failing.id).catch((error: Error) => seen.push(error.message));
	} finally {
		echo.closeAllConnections();
		echo.close();
	}

	const places = [
		...seen.map((text, index) => ({ place: `response ${index}`, text })),
		...databaseTexts(home),
		...filesWritten(home),
	];
	const placesOf = (needle: string): string[] =>
		places.filter(({ text }) => text.includes(needle)).map(({ place }) => place);
	expect(placesOf(MARK)).toEqual(
		expect.arrayContaining(['response 0', 'execution_data.data', 'workflow_entity.nodes']),
	);
	expect(places.find(({ place }) => place.endsWith('n8n.log'))?.text).toMatch(/debug/);
	expect(turn).toBeGreaterThan(2 * repeats.length);
	expect(placesOf(SECRET_KEY)).toEqual([]);
	// Without the ends, which base64 mixes with the text around them.
	for (const encode of ENCODINGS)
		expect(placesOf(encode(`${MARK} Bearer ${SECRET_KEY}`).slice(-24, -6))).toEqual([]);
}, 300_000);

test('the key of all the other tests has left no trace either', async () => {
	await host.runAction({
		resource: 'webhook',
		operation: 'getAll',
		channelId: byId(DEMO_CHANNEL_ID),
		returnAll: true,
		filters: {},
	});
	const places = [...databaseTexts(home), ...filesWritten(home)];
	expect(places.filter(({ text }) => text.includes(DEMO_CHANNEL_ID)).length).toBeGreaterThan(0);
	expect(
		places.filter(({ text }) => text.includes(DEMO_SECRET_KEY)).map(({ place }) => place),
	).toEqual([]);
});
