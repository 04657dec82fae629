/**
 * What the state of a published trigger, as n8n shows it, is worth to somebody who wants to forge
 * an event.
 */
import { randomUUID } from 'node:crypto';

import { CREDENTIAL_TYPE } from '../../scripts/n8n/provision.mts';
import { deliver, type Delivery, messageBody, signed } from '../core/harness/deliveries.mts';
import { Host, hostUnderTest } from './harness/host.mts';
import { createAccount, Listener } from './harness/listener.mts';

const servers = hostUnderTest();
const HOUR_S = 3600;

let host: Host;
let listener: Listener;
let channel: string;
let url: string;
let forged = 0;

beforeAll(async () => {
	host = new Host();
	const { secretKey, channels } = await createAccount(host, ['Forged']);
	channel = channels[0] ?? '';
	const credential = await host.client.createCredential(`Forged ${randomUUID()}`, CREDENTIAL_TYPE, {
		baseUrl: servers.sandboxUrl,
		secretKey,
	});
	listener = await Listener.create(host, secretKey, channel, credential);
	await host.client.publish(listener.workflow.id);
	({ url } = await listener.registered(channel));
	await listener.receives(channel);
});

afterAll(async () => await host?.cleanUp());

/** The trigger's state as n8n's public API shows it to a key that may only read workflows. */
async function readStateByApiKey(): Promise<Record<string, string>> {
	const expiresAt = Math.floor(Date.now() / 1000) + HOUR_S;
	const { id, rawApiKey } = await host.client.request<{ id: string; rawApiKey: string }>(
		'POST',
		'/api-keys',
		{ label: `Reader ${randomUUID()}`, expiresAt, scopes: ['workflow:read'] },
	);
	try {
		const response = await fetch(
			new URL(`/api/v1/workflows/${listener.workflow.id}`, servers.n8nUrl),
			{ headers: { 'x-n8n-api-key': rawApiKey } },
		);
		expect(response.status).toBe(200);
		const { staticData } = (await response.json()) as {
			staticData: string | Record<string, Record<string, string>>;
		};
		const read =
			typeof staticData === 'string'
				? (JSON.parse(staticData) as Record<string, Record<string, string>>)
				: staticData;
		return read[`node:${listener.nodeName}`] ?? {};
	} finally {
		await host.client.request('DELETE', `/api-keys/${id}`);
	}
}

const forge = (secret: string, headers: Delivery['headers'] = {}): Delivery =>
	signed(messageBody({ text: 'Pay me' }), { secret, key: `forged:0:${++forged}`, headers });

test('nobody can forge an event with the whole state of the trigger', async () => {
	const state = await readStateByApiKey();
	expect(state.secret).toMatch(/^[0-9a-f]{64}$/);
	// A right signature without a token, and with each value that was read as the token.
	const tokens = [...new Set(Object.values(state))];
	const deliveries = [
		forge(state.secret ?? ''),
		...tokens.map((token) => forge(state.secret ?? '', { authorization: `Bearer ${token}` })),
	];
	const responses: Array<{ status: number; body: string }> = [];
	for (const delivery of deliveries) {
		const { status, body } = await deliver(url, delivery);
		responses.push({ status, body });
	}
	expect(responses).toEqual(
		deliveries.map(() => ({ status: 401, body: '{"message":"Unauthorized"}' })),
	);
	// None of it started the workflow. The service's own events still do.
	await listener.receives(channel);
	expect(await listener.received()).toEqual(listener.expected);
});
