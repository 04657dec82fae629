import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '../../scripts/checkout.mts';
import { CREDENTIAL_TYPE } from '../../scripts/n8n/provision.mts';
import { until } from '../../scripts/until.mts';
import { Host, hostUnderTest } from './harness/host.mts';
import { createAccount, Listener } from './harness/listener.mts';
import { readNodeState } from './harness/staticData.mts';
import { BODIES, STRANGE_BUT_PROVEN } from './hostile/bodies.mts';
import { HTTP, STRANGE_HTTP_BUT_PROVEN } from './hostile/http.mts';
import { PROOFS } from './hostile/proofs.mts';
import { sendRaw } from './hostile/rawHttp.mts';
import type { HostileCase, Target } from './hostile/request.mts';
import { renderTable, type Group } from './hostile/table.mts';

const room = hostUnderTest();
const { generation, home } = room;
const DOCUMENT = join(checkout, 'docs', 'hostile-inputs.md');
const LIMIT_MS = 30_000;

const GROUPS: Group[] = [
	{ title: 'Proof', starts: false, cases: PROOFS },
	{ title: 'Body', starts: false, cases: BODIES },
	{ title: 'HTTP', starts: false, cases: HTTP },
	{ title: 'Strange, and proven', starts: true, cases: [...STRANGE_BUT_PROVEN, ...STRANGE_HTTP_BUT_PROVEN] },
];

let host: Host;
let listener: Listener;
let channel: string;
let target: Target;
/** Executions after the last input. */
let executions = 1;
let checked = 0;
let logBefore = '';

const log = (): string => readFileSync(join(home, 'n8n.log'), 'utf8');
const countExecutions = async (): Promise<number> => (await host.client.listExecutions(listener.workflow.id)).length;

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
	const credential = await shared.client.createCredential('Attacked', CREDENTIAL_TYPE, { baseUrl: room.sandboxUrl, secretKey });
	host = new Host({ ...room, credential });
	listener = await Listener.create(host, secretKey, channel);
	await host.client.publish(listener.workflow.id);
	const { id, url } = await listener.registered(channel);
	await listener.receives(channel);
	const { deliveries } = await host.sandbox.get<{ deliveries: Array<{ id: number }> }>(`/_sandbox/deliveries?webhookId=${id}`);
	const { body, idempotencyKey, attemptList } = await host.sandbox.get<Delivered>(`/_sandbox/deliveries/${deliveries[0]?.id}`);
	const headers = attemptList[0]?.requestHeaders ?? {};
	target = {
		url: new URL(url),
		secret: readNodeState(home, listener.workflow.id, listener.nodeName)?.secret ?? '',
		token: (headers.authorization ?? '').replace('Bearer ', ''),
		genuine: { body: Buffer.from(body), signature: headers['x-webhook-signature'] ?? '', key: idempotencyKey },
		number: 0,
	};
	expect(target.secret).toMatch(/^[0-9a-f]{64}$/);
	expect(target.token).toMatch(/^[0-9a-f]{64}$/);
	expect(target.genuine.signature).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
});

afterAll(async () => await host?.cleanUp());

describe.each(GROUPS)('$title', ({ starts, cases }) => {
	test.each<HostileCase>(cases)('$input', async ({ answer, bytes, pace }) => {
		target.number += 1;
		const before = executions;
		const status = await sendRaw(target.url, bytes(target), pace);
		if (starts) await until('the execution', async () => (await countExecutions()) > before, LIMIT_MS);
		executions = await countExecutions();
		expect({ status, started: executions - before }).toEqual({ status: typeof answer === 'object' ? answer[generation] : answer, started: starts ? 1 : 0 });
		if (starts) {
			const [newest] = await host.client.listExecutions(listener.workflow.id);
			expect(await host.client.finishedExecution(newest?.id ?? '')).toMatchObject({ status: 'success' });
		}
		checked += 1;
	});
});

test('n8n goes on: a genuine event starts the workflow, nothing late came of the others, and nothing was left uncaught', async () => {
	await listener.receives(channel);
	expect(await countExecutions()).toBe(executions + 1);
	expect((await fetch(new URL('/healthz', target.url))).status).toBe(200);
	expect(log().slice(logBefore.length)).not.toMatch(/uncaught|unhandled|heap out of memory/i);
	// Whoever sent them learned nothing, and neither does whoever reads the log.
	for (const secret of [target.secret, target.token, listener.secretKey]) expect(log()).not.toContain(secret);
});

test('the table in the docs says what was seen', () => {
	const cases = GROUPS.flatMap((group) => group.cases);
	expect(cases.length).toBeGreaterThanOrEqual(40);
	// Each of these was sent, and answered as it says, in this run.
	expect(checked).toBe(cases.length);
	const table = renderTable(GROUPS);
	if (process.env.CI === undefined && (!existsSync(DOCUMENT) || readFileSync(DOCUMENT, 'utf8') !== table)) writeFileSync(DOCUMENT, table);
	expect(readFileSync(DOCUMENT, 'utf8')).toBe(table);
});
