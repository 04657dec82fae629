/** Channel → Check: why a trigger gets nothing. */
import { Container } from '@n8n/di';
import { InstanceSettings } from 'n8n-core';

import { lastReceived, rememberReceived } from '#nodes/shared/node/reachability.ts';
import { byId, CHANNEL } from '../support/constants.mts';
import { answer, run } from './harness/operations.mts';
import { respondJson } from './harness/scriptedService.mts';

const channelId = byId(CHANNEL);
const parameters = { resource: 'channel', operation: 'check', channelId };
const HERE = 'http://127.0.0.1/';
const AWAY = 'https://old.example/';
const EVENTS = ['MESSAGE_RECEIVED_STATUS'];

const { instanceId } = Container.get(InstanceSettings);
const webhook = (path: string, changes: object = {}, mark: object = {}) => ({
	...{ id: path, url: `${HERE}webhook/${path}`, description: `Of ${path}`, events: EVENTS },
	...{ status: 'ENABLED', signing: true, auth: { type: 'NONE', configured: false } },
	customAttributes: { n8n: { instanceId, workflowId: 'workflow', ...mark } },
	...changes,
});
const own = webhook('own');
const PAID = { id: CHANNEL, name: 'Support', phoneConnected: true, paymentStatus: 'PAID' };

const checked = async (channel: object, listed: object[]) => {
	const { items, sent } = await run(parameters, ({ url }, response) =>
		respondJson(response, 200, url.endsWith('/webhooks') ? listed : channel),
	);
	expect(sent.map(([method]) => method)).toEqual(['GET', 'GET']);
	return items[0] as { webhooks: object[]; problems: Array<{ problem: string; remedy: string }> };
};

test("a channel that is well has no problems, and others' addresses stay hidden", async () => {
	rememberReceived(CHANNEL.toLowerCase());
	const others = webhook('T0/secret', {
		customAttributes: {},
		url: 'https://hooks.example/T0/secret',
	});
	const question = webhook('q', {
		url: `${HERE}webhook-waiting/7?signature=aaaa1111`,
		customAttributes: { ...own.customAttributes, n8nWait: {} },
	});
	expect(await checked(PAID, [own, others, question])).toEqual({
		...{ channelId: CHANNEL, name: 'Support', connected: true, paymentStatus: 'PAID' },
		webhooks: [
			{ id: 'own', url: own.url, status: 'ENABLED', events: EVENTS, of: 'workflow' },
			expect.objectContaining({ url: 'https://hooks.example/…', of: 'others' }),
			expect.objectContaining({ url: `${HERE}webhook-waiting/7?signature=[hidden]` }),
		],
		lastReceivedAt: lastReceived(CHANNEL),
		problems: [],
	});
});

test.each<[string, object, object[], problem: RegExp, remedy: RegExp]>([
	['not connected', { ...PAID, phoneConnected: false }, [own], /not connected/, /Connect/],
	[
		'not paid for',
		{ ...PAID, paymentStatus: 'CANCELED' },
		[own],
		/not paid for.*CANCELED/,
		/Subscribe/,
	],
	['no webhook', PAID, [], /No trigger of this workflow/, /publish this workflow/],
	[
		'statuses only',
		PAID,
		[webhook('own', { events: ['STATUS'] })],
		/No trigger/,
		/Message Received/,
	],
	[
		'a test alone',
		PAID,
		[webhook('t', { url: `${HERE}webhook-test/t` })],
		/No trigger/,
		/publish this workflow/,
	],
	[
		'not enabled',
		PAID,
		[webhook('own', { status: 'DISABLED' })],
		/Of own: it is not enabled/,
		/publish/,
	],
	[
		'at a former address',
		PAID,
		[own, webhook('former', { url: `${AWAY}webhook/own` })],
		/Of former: it goes to another address, https:\/\/old\.example\/…:/,
		/moved, unpublish and publish/,
	],
	[
		'two workflows',
		PAID,
		[own, webhook('b', {}, { workflowId: 'b' })],
		/2 workflows.*Of own; Of b/,
		/all but one/,
	],
])('a channel with %s', async (_, channel, listed, problem, remedy) => {
	const { problems } = await checked(channel, listed);
	expect(problems).toEqual([
		{ problem: expect.stringMatching(problem), remedy: expect.stringMatching(remedy) },
	]);
});

test('the payment comes last, because a channel on trial can bring messages', async () => {
	const { problems } = await checked({ ...PAID, paymentStatus: 'TRIAL' }, []);
	expect(problems.map(({ problem }) => problem)).toEqual([
		expect.stringMatching(/^No trigger/),
		expect.stringMatching(/not paid for.*TRIAL/),
	]);
});

test('an account without the role hears so', async () => {
	const error = 'This action requires ENTERPRISE role';
	const { items } = await run(parameters, answer({ error }, 422));
	expect(items).toEqual([
		{
			...{ channelId: CHANNEL, webhooks: [] },
			problems: [
				{ problem: expect.stringContaining('ENTERPRISE'), remedy: expect.stringMatching(/./) },
			],
		},
	]);
});
