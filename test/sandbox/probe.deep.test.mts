/** The probe in this process, against the sandbox. The sandbox's customer is the person. */
import { FACT_IDS, FACTS } from '#sandbox/facts/catalogue.mts';
import { factsFileSchema } from '#sandbox/facts/file.mts';
import { runProbe } from '#sandbox/probe/run.mts';
import type { Permission } from '#sandbox/probe/runContext.mts';
import { Stop } from '#sandbox/probe/stop.mts';
import { DEMO_CHANNEL_ID, DEMO_CHANNEL_NAME, DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import { WEBHOOKS } from './deliveryHarness.mts';
import { startTestSandbox, until } from './helpers.mts';
import { customerOf, deliveriesHere, EVERYTHING, marked } from './probeHarness.mts';
import { NOBODY, PHONE, probeAt, READING } from './probeHarness.mts';
import { startRewriter } from './rewriter.mts';

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
beforeEach(async () => {
	sandbox = await startTestSandbox();
});
afterEach(async () => await sandbox.close());

const allowed = (...names: Permission[]) => ({
	allowed: new Set(names),
});

interface Requested {
	method: string;
	path: string;
	recipient?: string;
}
const requests = async (): Promise<Requested[]> =>
	(await sandbox.control<{ requests: Requested[] }>('/requests?limit=10000')).requests;

/** Facts that depend on the account, and what this sandbox's account has of them. */
const OF_OTHER_ACCOUNTS = ['channels.role', 'channel.role', 'channel.deletion-role'];

const makeNamed = async () =>
	await sandbox.control('/message-templates', {
		body: { name: 'named', status: 'APPROVED', body: 'Hello {{customer_name}}' },
	});

it('finds that all holds, asks each fact that it can, and leaves nothing behind', async () => {
	await sandbox.call('/v1/channels', { body: { name: 'Second', type: 'OFFICIAL_CHATAPP' } });
	await makeNamed();
	const { file, differing, holding, unasked, left } = await probeAt(sandbox.url, sandbox);
	expect(differing).toEqual([]);
	const asked = FACT_IDS.filter((id) => FACTS[id].need !== 'never');
	expect(asked.filter((id) => !holding.includes(id) && !OF_OTHER_ACCOUNTS.includes(id))).toEqual(
		[],
	);
	expect(Object.values(unasked).every(Boolean)).toBe(true);
	expect(factsFileSchema.parse(file)).toEqual(file);
	expect(file.facts.map(({ id }) => id)).toEqual(FACT_IDS);

	expect(left).toEqual([]);
	expect(await marked(sandbox)).toEqual([]);
	const { tenants } = await sandbox.control<{ tenants: Array<{ channels: unknown[] }> }>('/state');
	expect(tenants[0]?.channels).toHaveLength(2);
	const { messages } = await sandbox.control<{
		messages: Array<{ customer: string; direction: string }>;
	}>('/messages');
	expect(new Set(messages.map(({ customer }) => customer))).toEqual(new Set([PHONE]));
	expect(messages.filter(({ direction }) => direction === 'out')).toHaveLength(5);
});

it('only reads unless more is allowed', async () => {
	const options = { ...READING, templatesPath: '/nothing' };
	const { holding, unasked } = await probeAt(sandbox.url, sandbox, options, NOBODY);
	expect(new Set((await requests()).map(({ method }) => method))).toEqual(new Set(['GET']));
	const reading = FACT_IDS.filter((id) => FACTS[id].need === 'reading');
	expect(reading.filter((id) => holding.includes(id)).length).toBeGreaterThan(14);
	expect(holding.filter((id) => !reading.some((known) => known === id))).toEqual([]);
	expect(unasked).toMatchObject({
		'webhook.create': 'needs --allow webhooks',
		'channel.create': 'needs --allow channels',
		'send.text': 'needs --allow sends and --phone',
		'delivery.signature': 'needs --allow webhooks and --phone and --public-url',
		'channel.subscribe': 'it charges the account',
		'templates.businesses': 'not offered (404)',
	});
});

it.each([
	['webhooks', /^\/v1\/(?:channels\/\w+\/)?webhooks/],
	['templates', /^\/chatapp\/businesses\/\d+\/templates(?:\/\d+)?$/],
	['channels', /^\/v1\/channels(?:\/\w+(?:\/(?:connect|disconnect))?)?$/],
] as const)('changes only %s if nothing else is allowed', async (name, path) => {
	const options = { ...READING, ...allowed(name) };
	const { differing } = await probeAt(sandbox.url, sandbox, options, NOBODY);
	expect(differing).toEqual([]);
	const changes = (await requests()).filter(({ method }) => method !== 'GET');
	expect(changes.length).toBeGreaterThan(4);
	expect(changes.filter((change) => !path.test(change.path))).toEqual([]);
	expect(await sandbox.control('/messages')).toEqual({ messages: [] });
});

it('sends without deliveries, and to the phone alone', async () => {
	const options = { ...READING, phone: `+${PHONE}`, ...allowed('sends') };
	const probed = await probeAt(sandbox.url, sandbox, options, customerOf(sandbox));
	const { differing, holding, unasked } = probed;
	expect(differing).toEqual([]);
	expect(holding).toEqual(expect.arrayContaining(['send.text', 'send.window-closed']));
	expect(unasked['send.image']).toBe('needs --public-url');
	const recipients = (await requests()).map(({ recipient }) => recipient).filter(Boolean);
	expect(new Set(recipients)).toEqual(new Set([PHONE]));
});

it('says that nobody wrote in the time given, and removes its webhooks', async () => {
	const silent = { ask: async () => true };
	const options = { ...EVERYTHING, ...allowed('webhooks'), wait: 100 };
	const { differing, unasked } = await probeAt(sandbox.url, sandbox, options, silent);
	expect(differing).toEqual([]);
	expect(unasked['delivery.signature']).toBe('no message came in the time given');
	expect(await marked(sandbox)).toEqual([]);
});

it('says what takes longer than it may wait', async () => {
	const options = { ...EVERYTHING, ...allowed('webhooks'), wait: 4_000 };
	const { unasked } = await probeAt(sandbox.url, sandbox, options);
	expect(unasked['delivery.timeout']).toBe('takes longer than --wait');
});

it('quotes the service without secrets, numbers, names and texts', async () => {
	const message = `${DEMO_CHANNEL_NAME} for ${DEMO_SECRET_KEY}, owner@example.com, +${PHONE}, https://files.example.com/a?b=c at 203.0.113.10`;
	const service = await startRewriter(sandbox.url, {
		answer: ({ path }, answer) =>
			/\/channels\/[^/]+\/webhooks\/\w+$/.test(path) && answer.status === 404
				? { ...answer, body: { error: 404, message: `No webhook ${path} of ${message}` } }
				: answer,
	});
	try {
		const options = { ...READING, phone: PHONE };
		const { file, lines, differing } = await probeAt(service.url, sandbox, options, NOBODY);
		expect(differing).toEqual(['webhooks.unknown']);
		const all = JSON.stringify(file) + lines.join('\n');
		for (const secret of [DEMO_SECRET_KEY, DEMO_CHANNEL_ID, DEMO_CHANNEL_NAME, PHONE])
			expect(all.toLowerCase()).not.toContain(secret.toLowerCase());
		expect(all).not.toMatch(/owner@|files\.example|203\.0/);
		expect(all).toMatch(/No webhook .* of \[hidden\] for \[hidden\]/);
	} finally {
		await service.close();
	}
});

describe('what it made', () => {
	const run = async (stop: Stop) =>
		await runProbe(
			{ ...EVERYTHING, ...(await deliveriesHere()), url: sandbox.url },
			{ person: customerOf(sandbox), stop, say: () => undefined },
		);

	it('is removed if the probe is stopped during a request', async () => {
		const fault = { on: 'route', operation: 'createChannelWebhook', kind: 'latency', ms: 100 };
		await sandbox.control('/faults', { body: fault });
		const stop = new Stop();
		const ended = run(stop);
		await until('the probe makes webhooks', async () => (await marked(sandbox)).length > 1);
		stop.now('SIGTERM');
		const { file, left } = await ended;
		expect({ left, marked: await marked(sandbox) }).toEqual({ left: [], marked: [] });
		expect(file.stopped).toBe('SIGTERM');
		const { reason } = file.facts.find(({ id }) => id === 'delivery.timeout')!;
		expect(reason).toBe('the probe was stopped');
	});

	it('is removed if its response was lost', async () => {
		for (const operation of ['createChannelWebhook', 'createChannel', 'createTemplateWebhook'])
			await sandbox.control('/faults', { body: { on: 'route', operation, kind: 'dropAfter' } });
		const { file } = await run(new Stop());
		expect(await marked(sandbox)).toEqual([]);
		expect(file.facts.find(({ id }) => id === 'webhook.secret')?.reason).toMatch(/^no response/);
	});

	it('is named if it cannot be removed, and the next run removes it', async () => {
		const fault = { on: 'route', operation: 'deleteChannelWebhook', kind: 'status', status: 500 };
		const { id } = await sandbox.control<{ id: string }>('/faults', { body: fault });
		const only = { ...EVERYTHING, ...allowed('webhooks'), wait: 100 };
		const { left } = await probeAt(sandbox.url, sandbox, only, { ask: async () => true });
		expect(new Set(left)).toEqual(new Set(['/v1/channels/<channel>/webhooks']));
		await sandbox.control(`/faults/${id}`, { method: 'DELETE' });
		const again = await probeAt(sandbox.url, sandbox, READING, NOBODY);
		expect(again.lines[0]).toMatch(/^Removed \d+ that an earlier probe left behind\.$/);
		expect(await marked(sandbox)).toEqual([]);
	});

	it('is not mistaken for what somebody else made', async () => {
		const body = { url: 'https://example.com/', events: ['CONNECTED'], description: 'Mine' };
		await sandbox.call(WEBHOOKS, { body });
		const named = { name: 'business-messaging-probes are fun', type: 'OFFICIAL_CHATAPP' };
		await sandbox.call('/v1/channels', { body: named });
		await probeAt(sandbox.url, sandbox, READING, NOBODY);
		const { tenants, webhooks } = await sandbox.control<{
			tenants: Array<{ channels: unknown[] }>;
			webhooks: unknown[];
		}>('/state');
		expect([tenants[0]?.channels.length, webhooks.length]).toEqual([2, 1]);
	});
});
