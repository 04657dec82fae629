/** Each subscription is charged, so none is asked for twice on its own. */
import type { ServerResponse } from 'node:http';

import { steadyClock } from '#nodes/shared/tools/clock.ts';
import { byId, CHANNEL, OTHER_CHANNEL } from '../support/constants.mts';
import { runInEngine, type EngineSettings } from './harness/engine.mts';
import { answer, run } from './harness/operations.mts';
import { respondJson, startScriptedService } from './harness/scriptedService.mts';

const subscribe = { resource: 'channel', operation: 'subscribe', channelId: byId(CHANNEL) };
const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

type Respond = (response: ServerResponse, count: number, url: string) => void;
const isRead = (url: string) => !url.endsWith('/subscribe');
const read = (response: ServerResponse, paymentStatus?: unknown) =>
	respondJson(response, 200, { id: CHANNEL, name: 'Support', paymentStatus });

/** @param respond to subscriptions. `count`: of these */
async function tryTo(
	respond: Respond,
	settings: Partial<EngineSettings> = {},
	respondToRead: Respond = (response) => read(response, 'PENDING'),
) {
	let subscriptions = 0;
	let reads = 0;
	const service = await startScriptedService(({ url }, response) =>
		isRead(url) ? respondToRead(response, ++reads, url) : respond(response, ++subscriptions, url),
	);
	const result = await runInEngine({
		baseUrl: service.url,
		parameters: subscribe,
		settings: RETRY,
		...settings,
	});
	await service.close();
	const { error, items } = result;
	const all = service.requests.map(({ method, url }) => `${method} ${url}`);
	const asked = all.filter((request) => !isRead(request));
	return { error, items: items.map(({ json }) => json), asked, all };
}

const done = (response: ServerResponse) =>
	respondJson(response, 200, { type: 'SUBSCRIPTION_UPDATED', message: 'Subscribed' });
const ofChannel = (id: string) => `GET /v1/channels/${id}/subscribe`;

test('Channel → Subscribe', async () => {
	const { items, sent } = await run(subscribe, ({ url }, response) =>
		isRead(url) ? read(response, 'TRIAL') : done(response),
	);
	expect(sent).toEqual([
		['GET', `/v1/channels/${CHANNEL}`, ''],
		['GET', `/v1/channels/${CHANNEL}/subscribe`, ''],
	]);
	expect(items).toEqual([{ subscribed: true, channelId: CHANNEL, message: 'Subscribed' }]);
});

test.each([...['PENDING', 'CANCELED', 'SOMETHING_NEW', 'constructor', undefined, null]])(
	'asks for the subscription of a channel with paymentStatus %s',
	async (paymentStatus) => {
		const { items, all } = await tryTo(done, {}, (response) => read(response, paymentStatus));
		expect(items).toMatchObject([{ subscribed: true }]);
		expect(all).toEqual([`GET /v1/channels/${CHANNEL}`, ofChannel(CHANNEL)]);
	},
);

test.each([
	['PAID', /^Could not subscribe the channel: it is subscribed already/, /no other subscription/],
	['paid', /it is subscribed already/, /no other subscription/],
	[
		'CANCELLATION_PROCESS',
		/its subscription was cancelled, and the paid time has not ended/,
		/works until the end of the paid time/,
	],
])(
	'refuses a channel with paymentStatus %s, which is charged nothing',
	async (status, what, hint) => {
		const { error, asked } = await tryTo(done, { settings: {} }, (response) =>
			read(response, status),
		);
		expect(asked).toEqual([]);
		expect(error?.message).toMatch(what);
		expect(error?.description).toMatch(hint);
		expect(error?.description).toMatch(/^Nothing was charged\./);
		expect(error?.context).toMatchObject({ data: { reason: 'rejected' } });
	},
);

const refused =
	(status: number, error: string): Respond =>
	(response) =>
		respondJson(response, status, { error });
test.each<[string, Respond, string]>([
	['that is unknown', refused(404, 'Channel not found'), 'not_found'],
	['of an account without the role', refused(422, 'requires ENTERPRISE role'), 'role_required'],
	['while the service fails', refused(502, 'Integration error'), 'service_error'],
	['whose response is lost', (response) => response.destroy(), 'connection_lost'],
	['behind another server', (response) => response.end('<p>Hello</p>'), 'unexpected_response'],
])('refuses a channel %s, which is charged nothing', async (_what, respond, reason) => {
	const { error, asked } = await tryTo(done, { settings: {} }, respond);
	expect(asked).toEqual([]);
	expect(error?.message).toMatch(
		/^Could not subscribe the channel: its "paymentStatus" could not be read first: /,
	);
	expect(error?.description).toMatch(/^Nothing was charged\./);
	expect(error?.context).toMatchObject({ data: { reason } });
});

test('executions that subscribe a channel at the same time charge it once', async () => {
	let status = 'PENDING';
	let charges = 0;
	const service = await startScriptedService(({ url }, response) => {
		if (isRead(url)) return read(response, status);
		charges++;
		status = 'PAID';
		setTimeout(() => done(response), 20);
	});
	const results = await Promise.all(
		[1, 2, 3, 4].map(
			async () => await runInEngine({ baseUrl: service.url, parameters: subscribe }),
		),
	);
	await service.close();
	expect(charges).toBe(1);
	expect(results.filter(({ error }) => error === undefined)).toHaveLength(1);
});

describe('a later execution, while the service does not show that it is paid for', () => {
	const cancel = { ...subscribe, operation: 'cancelSubscription' };
	/**
	 * Runs the operations one after the other, and calls functions in between.
	 * @param shown the channel's status for each reading, the last one for all others
	 * @returns for each, whether it asked for a subscription, and its error
	 */
	async function oneByOne(
		operations: Array<object | (() => void)>,
		shown: string[],
		respond: Respond = done,
	) {
		let reads = 0;
		let asked = 0;
		const service = await startScriptedService(({ method, url }, response) => {
			if (method === 'DELETE') return void response.writeHead(204).end();
			if (isRead(url)) return read(response, shown[Math.min(reads++, shown.length - 1)]);
			respond(response, ++asked, url);
		});
		const results: Array<[asked: number, error: string]> = [];
		for (const parameters of operations) {
			if (typeof parameters === 'function') {
				parameters();
				continue;
			}
			const before = asked;
			const { error } = await runInEngine({
				...{ baseUrl: service.url, parameters: { ...parameters } },
				workflowSettings: { timezone: 'America/Sao_Paulo' },
			});
			results.push([asked - before, error ? `${error.message} | ${error.description}` : '']);
		}
		await service.close();
		return results;
	}
	const REFUSED = [
		0,
		expect.stringMatching(
			/less than ten minutes ago \| Nothing was charged now\. Look at "paymentStatus".* try again after \d\d:\d\d\.$/,
		),
	];

	test.each(['PENDING', 'BOLETO_PENDING', 'TRIAL', 'CANCELED'])(
		'charges nothing more: %s',
		async (status) => {
			const lower = { ...subscribe, channelId: byId(CHANNEL.toLowerCase()) };
			expect(await oneByOne([subscribe, lower], [status])).toEqual([[1, ''], REFUSED]);
		},
	);

	test('charges nothing more if the outcome is unknown, and asks again after a refusal', async () => {
		const failing: Respond = (response, count) =>
			count === 1
				? respondJson(response, 422, { error: 422, message: 'CREDIT_LIMIT_EXCEEDED' })
				: response.destroy();
		const results = await oneByOne([subscribe, subscribe, subscribe], ['PENDING'], failing);
		expect(results.map(([asked]) => asked)).toEqual([1, 1, 0]);
		expect(results[2]).toEqual(REFUSED);
	});

	test('asks once it is cancelled, here or elsewhere', async () => {
		const states = ['PENDING', 'PENDING', 'CANCELED'];
		expect(await oneByOne([subscribe, cancel, subscribe, subscribe, subscribe], states)).toEqual([
			[1, ''],
			[0, ''],
			[1, ''],
			[1, ''],
			REFUSED,
		]);
	});

	test('asks again after ten minutes', async () => {
		const now = steadyClock.now();
		const clock = jest.spyOn(steadyClock, 'now').mockReturnValue(now);
		const after = (milliseconds: number) => () => void clock.mockReturnValue(now + milliseconds);
		const results = await oneByOne(
			[subscribe, after(599_999), subscribe, after(600_000), subscribe, subscribe],
			['PENDING'],
		);
		expect(results).toEqual([[1, ''], REFUSED, [1, ''], REFUSED]);
		clock.mockRestore();
	});
});

test.each<[string, Respond]>([
	['a lost response', (response) => response.destroy()],
	['a failure', refused(500, 'No')],
	['a wait that it asks for', (response) => respondJson(response, 503, {}, { 'retry-after': '0' })],
	['an end of waiting', refused(504, 'No')],
	['another form', (response) => respondJson(response, 200, ['no'])],
	['a redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end()],
])('after %s, Retry On Fail asks no second time, and says to look', async (_what, respond) => {
	const { error, asked } = await tryTo(respond);
	expect(asked).toEqual([ofChannel(CHANNEL)]);
	expect(error?.message).toBe(
		'Could not tell whether the channel was subscribed: the result of an earlier try is unknown',
	);
	expect(error?.description).toContain(
		'Look at "paymentStatus" in the output of the operation Get',
	);
	expect(error?.context).toMatchObject({ data: { reason: 'unknown_outcome' } });
});

test('of a single try, the error says what happened, and to look', async () => {
	const { error } = await tryTo(refused(502, 'Integration error'), { settings: {} });
	expect(error?.message).toBe(
		'Could not subscribe the channel: the service failed (Integration error)',
	);
	expect(error?.description).toMatch(/^Look at "paymentStatus".*each .* is charged/);
});

test('a request that the service certainly refused is made again by Retry On Fail', async () => {
	const { items, asked } = await tryTo((response, count) =>
		count === 1 ? respondJson(response, 429, { error: 429, message: 'Slowly' }) : done(response),
	);
	expect(asked).toHaveLength(2);
	expect(items).toEqual([{ subscribed: true, channelId: CHANNEL, message: 'Subscribed' }]);
});

test('a retry for another item does not charge the first one again', async () => {
	const tries = { [CHANNEL]: 0, [OTHER_CHANNEL]: 0 };
	const { items, asked } = await tryTo(
		(response, _count, url) => {
			const id = url.includes(CHANNEL) ? CHANNEL : OTHER_CHANNEL;
			tries[id] += 1;
			if (id === OTHER_CHANNEL && tries[id] === 1)
				respondJson(response, 422, { error: 422, message: 'CREDIT_LIMIT_EXCEEDED' });
			else done(response);
		},
		{
			parameters: { ...subscribe, channelId: '={{ $json.id }}' },
			items: [{ id: CHANNEL }, { id: OTHER_CHANNEL }],
		},
	);
	expect(asked).toEqual([ofChannel(CHANNEL), ofChannel(OTHER_CHANNEL), ofChannel(OTHER_CHANNEL)]);
	expect(items).toMatchObject([{ channelId: CHANNEL }, { channelId: OTHER_CHANNEL }]);
});

test('items with the same channel are charged once, however its ID is written', async () => {
	const { items, asked } = await tryTo((response) => done(response), {
		parameters: { ...subscribe, channelId: '={{ $json.id }}' },
		items: [{ id: CHANNEL }, { id: CHANNEL.toLowerCase() }],
	});
	expect(asked).toEqual([ofChannel(CHANNEL)]);
	expect(items).toEqual([
		{ subscribed: true, channelId: CHANNEL, message: 'Subscribed' },
		{ subscribed: true, channelId: CHANNEL.toLowerCase(), message: 'Subscribed' },
	]);
});

test.each([
	['CREDIT_LIMIT_EXCEEDED', /^Nothing was charged\. Raise the credit limit/],
	['SUBSCRIPTION_TERMINATED', /Create, connect and subscribe a new channel/],
	['This action requires ENTERPRISE role', /can subscribe channels and cancel subscriptions/],
	['Something else', /fields/],
])('says what to do after %s', async (message, hint) => {
	const { error, asked } = await tryTo(
		(response) => respondJson(response, 422, { error: 422, message }),
		{ settings: {} },
	);
	expect(asked).toHaveLength(1);
	expect(error?.description).toMatch(hint);
});

test.each<[string, object, unknown]>([
	['without a reason, and so without a body', { cancelReason: ' ' }, ''],
	['with a reason', { cancelReason: ' moved ' }, { cancelReason: 'moved' }],
])('Channel → Cancel Subscription %s', async (_how, parameters, body) => {
	const { items, sent } = await run(
		{ ...subscribe, operation: 'cancelSubscription', ...parameters },
		answer(undefined, 204),
	);
	expect(sent).toEqual([['DELETE', `/v1/channels/${CHANNEL}/cancel?cancel=true`, body]]);
	expect(items).toEqual([{ cancelled: true, channelId: CHANNEL }]);
});
