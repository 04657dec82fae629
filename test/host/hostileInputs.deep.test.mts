import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CREDENTIAL_TYPE } from '#scripts/n8n/provision.mts';
import { until } from '#scripts/until.mts';
import { Host, hostUnderTest } from './harness/host.mts';
import { createAccount, Listener } from './harness/listener.mts';
import { readNodeState } from './harness/staticData.mts';
import { BODIES, type HostileCase, HTTP, PROOFS, STRANGE_BUT_PROVEN } from './hostile/cases.mts';
import { sendRaw } from './hostile/rawHttp.mts';
import type { Target } from './hostile/request.mts';

const servers = hostUnderTest();
const { generation, home } = servers;
const LIMIT_MS = 30_000;
const LONG_BYTES = 10_000_000;

/** Whether these inputs start the workflow. */
const GROUPS: Array<[title: string, starts: boolean, cases: HostileCase[]]> = [
	['Proof', false, PROOFS],
	['Body', false, BODIES],
	['HTTP', false, HTTP],
	['Strange, and proven', true, STRANGE_BUT_PROVEN],
];

let host: Host;
let listener: Listener;
let channel: string;
let target: Target;
/** Executions after the last input. */
let executions = 1;
let logBefore = '';

const log = (): string => readFileSync(join(home, 'n8n.log'), 'utf8');
const countExecutions = async (): Promise<number> =>
	(await host.client.listExecutions(listener.workflow.id)).length;

interface Delivered {
	body: string;
	idempotencyKey: string;
	attemptList: Array<{ requestHeaders: Record<string, string> }>;
}

beforeAll(async () => {
	logBefore = log();
	const shared = new Host();
	const { secretKey, channels } = await createAccount(shared, ['Attacked']);
	channel = channels[0] ?? '';
	const credential = await shared.client.createCredential('Attacked', CREDENTIAL_TYPE, {
		baseUrl: servers.sandboxUrl,
		secretKey,
	});
	host = new Host({ ...servers, credential });
	listener = await Listener.create(host, secretKey, channel);
	await host.client.publish(listener.workflow.id);
	const { id, url } = await listener.registered(channel);
	await listener.receives(channel);
	const { deliveries } = await host.sandbox.get<{ deliveries: Array<{ id: number }> }>(
		`/_sandbox/deliveries?webhookId=${id}`,
	);
	const { body, idempotencyKey, attemptList } = await host.sandbox.get<Delivered>(
		`/_sandbox/deliveries/${deliveries[0]?.id}`,
	);
	const headers = attemptList[0]?.requestHeaders ?? {};
	target = {
		url: new URL(url),
		secret: readNodeState(home, listener.workflow.id, listener.nodeName)?.secret ?? '',
		token: (headers.authorization ?? '').replace('Bearer ', ''),
		genuine: {
			body: Buffer.from(body),
			signature: headers['x-webhook-signature'] ?? '',
			key: idempotencyKey,
		},
		number: 0,
	};
	expect(target.secret).toMatch(/^[0-9a-f]{64}$/);
	expect(target.token).toMatch(/^[0-9a-f]{64}$/);
	expect(target.genuine.signature).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
});

afterAll(async () => await host?.cleanUp());

describe.each(GROUPS)('%s', (_title, starts, cases) => {
	test.each(cases)('%s', async (...[, expected, bytes, pace]: HostileCase) => {
		target.number += 1;
		const before = executions;
		const request = bytes(target);
		let status = await sendRaw(target.url, request, pace);
		// A server that responds before the end of a long body may reset the connection. If the sender
		// still writes, it can lose the response.
		for (let again = 0; status === 'none' && request.length > LONG_BYTES && again < 10; again++)
			status = await sendRaw(target.url, request, 'paused');
		if (starts) {
			const id = await until(
				'the execution',
				async () => {
					const listed = await host.client.listExecutions(listener.workflow.id);
					return listed.length > before && listed[0]?.id;
				},
				LIMIT_MS,
			);
			// Counts the executions once they ended, because n8n's list can miss one for a moment as it
			// ends.
			expect(await host.client.finishedExecution(id)).toMatchObject({ status: 'success' });
		}
		executions = await countExecutions();
		expect({ status, started: executions - before }).toEqual({
			status: typeof expected === 'object' ? expected[generation] : expected,
			started: starts ? 1 : 0,
		});
	});
});

test('n8n goes on: a genuine event starts the workflow, the hostile ones do not, and no error is uncaught', async () => {
	await listener.receives(channel);
	expect(await countExecutions()).toBe(executions + 1);
	expect((await fetch(new URL('/healthz', target.url))).status).toBe(200);
	expect(log().slice(logBefore.length)).not.toMatch(/uncaught|unhandled|heap out of memory/i);
	// The log shows no secret.
	for (const secret of [target.secret, target.token, listener.secretKey])
		expect(log()).not.toContain(secret);
});
