import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';

import { closeContext, type Context, createContext } from '../../../sandbox/context.mts';
import { createApp } from '../../../sandbox/http/app.mts';
import { DEMO_CHANNEL_ID, DEMO_PUBLIC_KEY, DEMO_SECRET_KEY } from '../../../sandbox/seed.mts';
import { reset, seedIfNew } from '../../../sandbox/seed.mts';
import { type EntryPoint, must } from '../entryPoint.mts';
import { changeText, jsonOf, oddText, textChange } from '../texts.mts';
import { SANDBOX_ROUTES, type SandboxRoute } from './sandboxRoutes.mts';

/** Stands for the last id that a response held for such a place in a path. */
const LAST = '@last';
const ids = fc.oneof(
	{ weight: 8, arbitrary: fc.constant(LAST) },
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			...['0', '1', '-1', '1.5', '9'.repeat(30), '..%2f', '%', '%ff', 'a'.repeat(300)],
			'f'.repeat(32),
		),
	},
);

const ALL_BODIES = SANDBOX_ROUTES.flatMap(({ bodies }) => bodies);
/** Names that the routes look for. */
const NAMES = [
	...new Set(
		JSON.stringify(ALL_BODIES)
			.match(/"(\w+)":/g)
			?.map((name) => name.slice(1, -2)),
	),
];

/** What a route takes, something near it, what another route takes, and what none does. */
const bodyFor = (right: unknown[]) => {
	const own = fc
		.constantFrom(...(right.length > 0 ? right : ALL_BODIES))
		.map((value) => JSON.stringify(value));
	return fc.oneof(
		{ weight: 8, arbitrary: own },
		{
			weight: 4,
			arbitrary: fc
				.tuple(own, fc.array(textChange, { minLength: 1, maxLength: 2 }))
				.map(([text, changes]) => changes.reduce(changeText, text)),
		},
		{
			weight: 3,
			arbitrary: fc
				.tuple(
					own,
					fc.dictionary(fc.constantFrom(...NAMES), jsonOf(...NAMES), { minKeys: 1, maxKeys: 2 }),
				)
				.map(([text, more]) => JSON.stringify({ ...(JSON.parse(text) as object), ...more })),
		},
		{ weight: 1, arbitrary: fc.constantFrom(...ALL_BODIES).map((value) => JSON.stringify(value)) },
		{ weight: 1, arbitrary: jsonOf(...NAMES).map((value) => JSON.stringify(value)) },
		{
			weight: 1,
			arbitrary: fc.constantFrom(
				...['', '{', 'null', '[]', '"x"', '['.repeat(5000)],
				`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`,
			),
		},
	);
};
const query = fc.dictionary(
	fc.constantFrom(
		...['page', 'pageSize', 'query', 'type', 'channelId', 'customer', 'after', 'limit', 'state'],
		...['before', 'webhookId', 'method', 'path'],
	),
	fc.oneof(
		oddText,
		fc.integer().map(String),
		fc.constantFrom('1e9', '0x10', DEMO_CHANNEL_ID, '9'.repeat(20)),
	),
	{ maxKeys: 3 },
);

const stepOn = ({ method, path, bodies }: SandboxRoute) =>
	fc.record({
		route: fc.constant(`${method} ${path}`),
		id: ids,
		query: fc.oneof(
			{ weight: 3, arbitrary: fc.constant<Record<string, string>>({}) },
			{ weight: 1, arbitrary: query },
		),
		body: fc.option(bodyFor(bodies), { nil: undefined, freq: 8 }),
		key: fc.oneof(
			{ weight: 18, arbitrary: fc.constant(`Bearer ${DEMO_SECRET_KEY}`) },
			{ weight: 1, arbitrary: fc.constant(`Bearer ${DEMO_PUBLIC_KEY}`) },
			{ weight: 1, arbitrary: fc.constantFrom('Bearer x', 'Basic eDp5', 'Bearer', '') },
		),
		/** Sent byte for character, which is no UTF-8 where it is not ASCII. */
		latin1: fc.constantFrom(false, false, false, true),
		contentType: fc.oneof(
			{ weight: 19, arbitrary: fc.constant('application/json') },
			{
				weight: 1,
				arbitrary: fc.constantFrom('text/plain', 'application/json; charset=latin1', 'x', ''),
			},
		),
	});
/** The service's own operations as often as the far more control routes. */
const step = fc.oneof(
	fc.oneof(...SANDBOX_ROUTES.filter(({ published }) => published).map(stepOn)),
	fc.oneof(...SANDBOX_ROUTES.filter(({ published }) => !published).map(stepOn)),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
/** With any key: the steps themselves only know some. */
interface AnyStep extends Omit<Step, 'key' | 'contentType'> {
	key: string;
	contentType: string;
}

let running: { context: Context; app: Awaited<ReturnType<typeof createApp>> } | undefined;

async function sandbox() {
	if (running) return running;
	const context = createContext({
		dataFile: ':memory:',
		allowDeliveryTo: [],
		deliveryTimeout: 1000,
	});
	seedIfNew(context, { seed: 'fuzz' });
	running = { context, app: await createApp(context, { address: '127.0.0.1', allowedHosts: [] }) };
	return running;
}

/** The path with its ids filled in: all but the last are ones that exist, if any does. */
function urlFor(path: string, id: string, known: Map<string, string>): string {
	const places = path.split('/');
	const last = places.findLastIndex((place) => place.startsWith('{'));
	return places
		.map((place, index) =>
			!place.startsWith('{')
				? place
				: index < last || id === LAST
					? (known.get(places[index - 1]!) ?? '1')
					: id,
		)
		.join('/');
}

/**
 * Remembers the id that a response holds for paths that go on with it, such as
 * `…/webhooks/{webhookId}`.
 */
function remember(
	known: Map<string, string>,
	url: string,
	responded: Record<string, unknown> | null,
): void {
	const found = responded?.id ?? responded?.messageId;
	const place = url.split('/').at(-1)!;
	// Channels that the demo does not have keep nothing that the demo's bodies are about.
	if (typeof found === 'string' && found !== '' && place !== 'channels') known.set(place, found);
}

type Response = Pick<LightMyRequestResponse, 'statusCode' | 'body' | 'headers'>;

/**
 * What must hold of a response, whatever was asked.
 *
 * @param isFaulty a fault was ordered that responds for the route
 */
function judge(
	{ published }: SandboxRoute,
	{ statusCode, body: text, headers }: Response,
	isFaulty: boolean,
	what: string,
): Record<string, unknown> | null {
	must(statusCode < 500 || isFaulty, what);
	if (published) must(!text.includes(DEMO_SECRET_KEY), `the secret key is in it: ${what}`);
	if (!String(headers['content-type']).startsWith('application/json')) return null;
	const responded = JSON.parse(text) as Record<string, unknown> | null;
	if (statusCode >= 400) {
		// Shape C has a code and no error.
		must(Boolean(responded?.error ?? responded?.code), what);
		return null;
	}
	if (published) {
		must(
			statusCode === published.success.status,
			`the document says ${published.success.status}: ${what}`,
		);
		const parsed = published.success.body?.safeParse(responded);
		must(
			parsed?.success !== false,
			`${parsed?.error?.issues[0]?.path.join('.')} is not as the document says: ${what}`,
		);
	}
	return responded;
}

/** The check of the moment: fast-check, out of time, no longer waits for it. */
let underWay: Promise<void> = Promise.resolve();

async function run(steps: AnyStep[]): Promise<void> {
	const { context, app } = await sandbox();
	reset(context, { seed: 'fuzz' });
	const known = new Map([['channels', DEMO_CHANNEL_ID]]);
	for (const { route: name, id, query: parameters, body: payload, ...sent } of steps) {
		const { key, contentType, latin1 } = sent;
		const route = SANDBOX_ROUTES.find(({ method, path }) => `${method} ${path}` === name)!;
		const url = urlFor(route.path, id, known);
		const hasBody = payload !== undefined && route.method !== 'GET';
		const isFaulty = context.faults
			.list()
			.some(({ fault }) => fault.kind === 'status' || fault.kind === 'media');
		const response = await app.inject({
			method: route.method as 'GET',
			url,
			query: parameters,
			headers: { authorization: key, ...(hasBody ? { 'content-type': contentType } : {}) },
			...(hasBody ? { payload: Buffer.from(payload, latin1 ? 'latin1' : 'utf8') } : {}),
		});
		const what = `${route.method} ${url} responded ${response.statusCode}: ${response.body.slice(0, 200)}`;
		remember(known, url, judge(route, response, isFaulty, what));
	}
	const state = await app.inject({ method: 'GET', url: '/_sandbox/state' });
	must(state.statusCode === 200, `the state responded ${state.statusCode}`);
}

/** Ends the sandbox that the checks share. */
export async function closeSandbox(): Promise<void> {
	if (!running) return;
	await underWay.catch(() => undefined);
	await running.app.close();
	await closeContext(running.context);
	running = undefined;
}

/** The text where the service's own operations and its clients' headers and paths have one. */
function withText(text: string): AnyStep[][] {
	const send: AnyStep = {
		...{ route: 'POST /v1/channels/{channelId}/messages', id: LAST, query: {}, body: undefined },
		...{ key: `Bearer ${DEMO_SECRET_KEY}`, latin1: false, contentType: 'application/json' },
	};
	const content = { type: 'TEXT', body: { message: text } };
	const message = { recipient: { identifier: '5511999990000' }, content };
	const list: AnyStep = { ...send, route: 'GET /v1/channels' };
	return [
		[{ ...send, body: JSON.stringify(message) }],
		[{ ...send, body: text }],
		[{ ...list, query: { query: text, type: text, page: text } }],
		[{ ...list, key: text.replace(/[^\x20-\x7e]/g, '-') }],
	];
}

/**
 * Requests to the sandbox, one after the other: whatever they are, the sandbox is not the one that
 * fails.
 */
export const sandboxRoutes: EntryPoint<AnyStep[]> = {
	name: 'sandbox',
	input: fc.array(step, { minLength: 1, maxLength: 8 }),
	check: async (steps) => await (underWay = run(steps)),
	withText,
};
