/** What the probe names of a service that differs. */
import {
	CHANNELS_UNAUTHORIZED,
	computeSignature,
	IDEMPOTENCY_HEADER,
	SIGNATURE_HEADER,
	TEMPLATE_REFUSALS,
	WINDOW_CLOSED,
} from '#sandbox/contract.mts';
import { FACT_IDS, FACTS, type FactId } from '#sandbox/facts/catalogue.mts';
import type { FactsFile, Found } from '#sandbox/facts/file.mts';
import { Findings } from '#sandbox/probe/findings.mts';
import { startSandbox } from '#sandbox/server.mts';
import { assumptionNames } from '../unit/docs/contractPage.mts';
import { clientOf } from './helpers.mts';
import { deliveriesHere, EVERYTHING, marked, probeAt } from './probeHarness.mts';
import { type Request, type Rewritten, startRewriter } from './rewriter.mts';

jest.setTimeout(120_000);

type Differences = Partial<Record<FactId, Found>>;
type Json = Record<string, unknown>;

/** A service that differs from the contract, as a proxy in front of the sandbox. */
interface Other {
	/** As the probe is to name them. */
	differences: Differences;
	/** Its refusals: to what is asked, and where the sandbox's response has these words. */
	refused: Array<[FactId, asked: RegExp, words: string, Found & { words: string }]>;
	request?: (request: Request) => Request;
	/** Its other responses, by what is asked: `POST /v1/…`. */
	answer: (asked: string, answer: Rewritten, body: Json) => Partial<Rewritten>;
	/** Changes the headers of a delivery, and the event in it. */
	deliver: (headers: Request['headers'], event: Event, content: Json) => void;
	signs?: 'bodyOnly';
	/** Seconds that a redelivery to one webhook waits. */
	firstRetry?: number;
	deliveryTimeout: number;
}
interface Event {
	message: { metadata: { from_me: boolean }; contents: Json[] };
	messageEventType: string;
}
interface Button {
	id: string;
	title: string;
}

const WEBHOOKS = /^POST \/v1\/channels\/\w+\/webhooks$/;

/** Ten differences, and a kind of each other one. */
const OTHERS: Other[] = [
	{
		differences: {
			'channels.default-page-size': { number: 50 },
			'webhook.no-secret': { word: 'missing' },
			'webhook.reserved-headers': { names: ['host'] },
			'delivery.api-key': { header: 'api-key' },
			'delivery.timeout': { seconds: 3 },
			'delivery.first-retry': { seconds: 12 },
			'tap.place': { word: 'reply' },
		},
		refused: [
			[
				...(['channels.wrong-key', /^GET \/v1\/channels$/, CHANNELS_UNAUTHORIZED] as const),
				{ status: 401, shape: 'A', words: 'Unauthorized' },
			],
			[
				...(['channel.unknown', /^GET \/v1\/channels\/\w+$/, 'not found'] as const),
				{ status: 400, shape: 'A', words: 'No such channel' },
			],
			[
				...(['send.window-closed', /^POST /, WINDOW_CLOSED.message] as const),
				{ status: 422, shape: 'A', words: 'More than 24h since the customer wrote' },
			],
		],
		request: (request) => {
			const { auth } = request.body as { auth?: { headerName?: string } };
			if (auth?.headerName !== 'host') return request;
			return {
				...request,
				body: { ...(request.body as Json), auth: { ...auth, headerName: 'x-host' } },
			};
		},
		answer: (asked, _answer, { secret, ...rest }) => {
			if (asked === 'GET /v1/channels' && 'pageSize' in rest)
				return { body: { ...rest, pageSize: 50 } };
			return secret === null ? { body: rest } : {};
		},
		deliver: (headers, _event, content) => {
			headers['api-key'] = headers['x-api-key'];
			delete headers['x-api-key'];
			content.reply = content.button;
			delete content.button;
		},
		...{ firstRetry: 12, deliveryTimeout: 3000 },
	},
	{
		differences: {
			'channels.first-page': { number: 1 },
			'webhook.create': { status: 200 },
			'webhook.delete': { status: 200 },
			'delivery.signature': { word: 'bodyOnly' },
			'delivery.gzip': { word: 'never' },
			'delivery.new-message-type': { word: 'INBOUND' },
			'delivery.timeout': { seconds: 1 },
			'status.type': { word: 'STATE' },
			'tap.ids': { word: 'title' },
			'tap.place': { word: '' },
			'tap.type': { word: 'TAP' },
		},
		refused: [
			[
				...(['webhook.malformed', WEBHOOKS, 'not valid JSON'] as const),
				{ status: 422, shape: 'A', words: 'Not readable' },
			],
			[
				...(['send.unknown-template', /^POST /, String(TEMPLATE_REFUSALS.unknown.code)] as const),
				{ status: 422, shape: 'B', words: 'No template' },
			],
			[
				...(['send.url-required', /^POST /, 'MEDIA_URL_REQUIRED'] as const),
				{ status: 422, shape: 'A', words: 'No address' },
			],
		],
		answer: (asked, { status }, body) => {
			if (asked === 'GET /v1/channels' && body.page === 0) return { body: { ...body, page: 1 } };
			const isDone = status === 201 || status === 204;
			return isDone && /^(?:POST|DELETE) \/v1\/channels\/\w+\/webhooks/.test(asked)
				? { status: 200 }
				: {};
		},
		deliver: (headers, event, content) => {
			delete headers['content-encoding'];
			event.messageEventType = event.message.metadata.from_me ? 'STATE' : 'INBOUND';
			const { button, ...rest } = content as { button?: Button };
			if (!button) return;
			delete content.button;
			Object.assign(content, rest, { ...button, id: button.title, type: 'TAP' });
		},
		...{ signs: 'bodyOnly', deliveryTimeout: 1000 },
	},
];

/** Probes a service that differs. */
async function probed({ refused, request, answer, deliver, ...other }: Other) {
	const { signs = 'fiveField', firstRetry, deliveryTimeout } = other;
	const sandbox = await startSandbox({ deliveryTimeout });
	const client = clientOf(sandbox.url);
	const secrets = new Map<string, string>();
	const service = await startRewriter(sandbox.url, {
		...(request ? { request } : {}),
		answer: ({ method, path }, original) => {
			const asked = `${method} ${path.split('?')[0]}`;
			const body = (typeof original.body === 'object' ? original.body : {}) as Json;
			if (body.url && body.secret)
				secrets.set(new URL(String(body.url)).pathname, String(body.secret));
			const said = JSON.stringify(original.body ?? '');
			const [, , , told] =
				(original.status >= 400 &&
					refused.find(([, pattern, words]) => pattern.test(asked) && said.includes(words))) ||
				[];
			if (!told) return { ...original, ...answer(asked, original, body) };
			const { status = 400, shape, words } = told;
			return {
				...{ ...original, status },
				body: shape === 'A' ? { error: status, message: words } : { error: words },
			};
		},
	});
	const { port, publicUrl } = await deliveriesHere();
	const receiver = await startRewriter(publicUrl, {
		request: ({ headers, body, ...rest }) => {
			const event = body as Event;
			deliver(headers, event, event.message.contents[0] ?? {});
			const timestamp = /t=(\d+)/.exec(String(headers[SIGNATURE_HEADER]))?.[1] ?? '';
			const signed = computeSignature(secrets.get(rest.path) ?? '', signs, {
				...{ timestamp, body: Buffer.from(JSON.stringify(event)) },
				idempotencyKey: String(headers[IDEMPOTENCY_HEADER]),
			});
			if (timestamp !== '') headers[SIGNATURE_HEADER] = `t=${timestamp},v1=${signed}`;
			return { ...rest, headers, body: event };
		},
		answer: ({ path }, original) =>
			firstRetry !== undefined && path.endsWith('/basic')
				? { ...original, headers: { ...original.headers, 'retry-after': String(firstRetry) } }
				: original,
	});
	const options = { ...EVERYTHING, port, publicUrl: receiver.url };
	const { file } = await probeAt(service.url, client, options);
	const left = await marked(client);
	await Promise.all([service.close(), receiver.close()]);
	await sandbox.close();
	return { found: foundIn(file), left };
}

const foundIn = ({ facts }: FactsFile) =>
	Object.fromEntries(
		facts.filter(({ holds }) => holds === false).map(({ id, found }) => [id, found]),
	);

/** Times of waits differ a little in each run. */
const closeTo = (differences: Differences) =>
	Object.fromEntries(
		Object.entries(differences).map(([id, found]) => [
			id,
			found.seconds === undefined ? found : { seconds: expect.closeTo(found.seconds, -0.5) },
		]),
	);

it.each(OTHERS)(
	'names each difference of a service with what came instead, and leaves nothing',
	async (other) => {
		const refused = Object.fromEntries(other.refused.map(([id, , , found]) => [id, found]));
		const { found, left } = await probed(other);
		expect(found).toEqual(closeTo({ ...other.differences, ...refused }));
		expect(left).toEqual([]);
	},
);

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
