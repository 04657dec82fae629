/** What the probe names of a service that differs, and the sandbox that behaves so. */
import { FACT_IDS, FACTS, type FactId } from '#sandbox/facts/catalogue.mts';
import { FACTS_FORMAT, type FactsFile, type Found } from '#sandbox/facts/file.mts';
import { imitationOf } from '#sandbox/facts/imitate.mts';
import { Findings } from '#sandbox/probe/findings.mts';
import { startSandbox } from '#sandbox/server.mts';
import { assumptionNames } from '../unit/docs/contractPage.mts';
import { clientOf } from './helpers.mts';
import { marked, probeAt } from './probeHarness.mts';
import { startRewriter } from './rewriter.mts';

jest.setTimeout(120_000);

const fileOf = (differences: Partial<Record<FactId, Found>>): FactsFile => ({
	...{ format: FACTS_FORMAT, version: 1, probedAt: '2026-07-15T12:00:00.000Z' },
	facts: Object.entries(differences).map(([id, found]) => ({ id, holds: false, found })),
});

/** Differences that the sandbox imitates, with quick waits for this test. */
const IMITATED: Partial<Record<FactId, Found>> = {
	'channels.wrong-key': { status: 401, shape: 'A', words: 'Unauthorized' },
	'channel.unknown': { status: 400, shape: 'A', words: 'No such channel' },
	'send.window-closed': {
		status: 422,
		shape: 'A',
		words: 'More than 24h since the customer wrote',
	},
	'delivery.api-key': { header: 'api-key' },
	'delivery.timeout': { seconds: 3 },
	'delivery.first-retry': { seconds: 2 },
	'tap.place': { word: 'reply' },
};

/** Differences of the service behind a proxy. The sandbox knows nothing of them. */
const REWRITTEN: Partial<Record<FactId, Found>> = {
	'channels.default-page-size': { number: 50 },
	'webhook.no-secret': { word: 'missing' },
	'webhook.reserved-headers': { names: ['host'] },
};

async function startOther(url: string) {
	return await startRewriter(url, {
		request: (request) => {
			const body = request.body as { auth?: { headerName?: string } } | string;
			if (typeof body === 'string' || body.auth?.headerName !== 'host') return request;
			return { ...request, body: { ...body, auth: { ...body.auth, headerName: 'x-host' } } };
		},
		answer: ({ path }, { status, body }) => {
			if (typeof body !== 'object' || body === null) return { status, body };
			if (path === '/v1/channels' && 'pageSize' in body)
				return { status, body: { ...body, pageSize: 50 } };
			const { secret, ...rest } = body as { secret?: unknown };
			return { status, body: secret === null ? rest : body };
		},
	});
}

/** What the probe finds at a sandbox that differs so. */
async function probedWith(differences: Partial<Record<FactId, Found>>) {
	const { imitation, applied } = imitationOf(fileOf(differences));
	expect([...applied].sort()).toEqual(Object.keys(differences).sort());
	const sandbox = await startSandbox({ imitation });
	const probed = await probeAt(sandbox.url, clientOf(sandbox.url));
	await sandbox.close();
	return { ...probed, found: foundIn(probed.file) };
}

const foundIn = ({ facts }: FactsFile) =>
	Object.fromEntries(
		facts.filter(({ holds }) => holds === false).map(({ id, found }) => [id, found]),
	);

/** Times of waits differ a little in each run. */
const closeTo = (differences: Partial<Record<FactId, Found>>) =>
	Object.fromEntries(
		Object.entries(differences).map(([id, found]) => [
			id,
			found.seconds === undefined ? found : { seconds: expect.closeTo(found.seconds, -0.5) },
		]),
	);

it('names ten planted differences with what came instead, and a sandbox with that file has them', async () => {
	expect(Object.keys({ ...IMITATED, ...REWRITTEN })).toHaveLength(10);
	const first = imitationOf(fileOf(IMITATED));
	expect(first).toMatchObject({ applied: Object.keys(IMITATED), left: [] });
	const sandbox = await startSandbox({ imitation: first.imitation });
	const service = await startOther(sandbox.url);
	const client = clientOf(sandbox.url);
	const { file } = await probeAt(service.url, client);
	expect(foundIn(file)).toEqual(closeTo({ ...IMITATED, ...REWRITTEN }));
	expect(await marked(client)).toEqual([]);
	await service.close();
	await sandbox.close();

	expect([...imitationOf(file).left].sort()).toEqual(Object.keys(REWRITTEN).sort());
	const applied = new Set<string>(imitationOf(file).applied);
	expect(applied).toEqual(new Set(Object.keys(IMITATED)));
	const alike = Object.entries(foundIn(file)).filter(([id]) => applied.has(id));
	expect((await probedWith(Object.fromEntries(alike))).found).toEqual(closeTo(IMITATED));
});

it('imitates every other kind of difference that it says it applies', async () => {
	const others: Partial<Record<FactId, Found>> = {
		'channels.first-page': { number: 1 },
		'webhook.create': { status: 200 },
		'webhook.delete': { status: 200 },
		'webhook.malformed': { status: 422, shape: 'A', words: 'Not readable' },
		'send.unknown-template': { status: 422, shape: 'B', words: 'No template' },
		'send.url-required': { status: 422, shape: 'A', words: 'No address' },
		'delivery.signature': { word: 'bodyOnly' },
		'delivery.gzip': { word: 'never' },
		'delivery.new-message-type': { word: 'INBOUND' },
		'status.type': { word: 'STATE' },
		'tap.ids': { word: 'title' },
		'tap.type': { word: 'TAP' },
	};
	const { found } = await probedWith({
		...{ ...others, 'tap.place': { word: '' }, 'delivery.timeout': { seconds: 1 } },
	});
	const seconds = expect.closeTo(1, -0.5);
	expect(found).toEqual({
		...{ ...others, 'tap.place': { word: '' }, 'delivery.timeout': { seconds } },
	});
});

it('tells that a closed window is refused later, by FAILED', async () => {
	const sandbox = await startSandbox();
	const client = clientOf(sandbox.url);
	await client.control('/settings', { method: 'PATCH', body: { closedWindow: 'FAILED' } });
	const { file, holding } = await probeAt(sandbox.url, client);
	await sandbox.close();
	expect(foundIn(file)).toEqual({
		'send.refused-at-once': { word: 'FAILED' },
		'send.window-closed': { status: 200 },
	});
	expect(holding).toEqual(expect.arrayContaining(['delivery.message', 'status.states', 'tap.ids']));
});

it('does not take trouble of the service for a difference', () => {
	const findings = new Findings(() => undefined);
	const answer = { body: undefined, subCode: undefined, date: undefined, retryAfter: null };
	findings.refusal('channel.unknown', { ...answer, status: 503, shape: 'other', words: undefined });
	const [entry] = findings.file(undefined).facts.filter(({ id }) => id === 'channel.unknown');
	expect(entry).toMatchObject({ holds: null, reason: 'the service had trouble (503)' });
});

it('leaves what it cannot imitate as documented', () => {
	const { imitation, applied, left } = imitationOf({
		...fileOf({
			'channel.unknown': { status: 200 },
			'webhook.secret': { word: 'upper' },
			'delivery.signature': { word: 'other' },
			'tap.ids': { word: 'other' },
			'tap.place': {},
		}),
	});
	expect(applied).toEqual([]);
	expect(left).toEqual([
		...['channel.unknown', 'webhook.secret', 'delivery.signature', 'tap.ids', 'tap.place'],
	]);
	expect(imitation).toEqual(imitationOf(fileOf({})).imitation);
	const unknown = { ...fileOf({}), facts: [{ id: 'of.a.later.version', holds: false }] };
	expect(imitationOf(unknown).left).toEqual(['of.a.later.version']);
});

it('asks about every assumption of the contract, or says why not', () => {
	const asked = (name: string) => FACT_IDS.filter((id) => FACTS[id].assumes?.includes(name));
	const names = assumptionNames();
	expect(names.length).toBeGreaterThan(15);
	expect(names.filter((name) => asked(name).length === 0)).toEqual([]);
	const known = FACT_IDS.flatMap((id) => FACTS[id].assumes ?? []);
	expect(known.filter((name) => !names.includes(name))).toEqual([]);
	for (const id of FACT_IDS)
		expect([id, FACTS[id].need === 'never']).toEqual([id, FACTS[id].reason !== undefined]);
});
