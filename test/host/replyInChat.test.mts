import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { CREDENTIAL_TYPE } from '../../scripts/n8n/provision.mts';
import { until } from '../../scripts/until.mts';
import { clearFaults, number } from './harness/conversations.mts';
import { Host, hostUnderTest } from './harness/host.mts';
import { createAccount } from './harness/listener.mts';
import {
	ask,
	type Customers,
	firstTextsTo,
	IN_DOUBT_MS,
	limitSeconds,
	listWebhooks,
	noWebhooks,
	open,
	reply,
	startAsking,
	textsTo,
	untilWordsCount,
	waiting,
} from './harness/questions.mts';

const servers = hostUnderTest();
const [ana, ben, cleo] = [number(1), number(2), number(3)] as const;
const LIMIT_MS = 30_000;

let customers: Customers;
let otherChannel: Customers;
let host: Host;

beforeAll(async () => {
	const shared = new Host();
	const { secretKey, channels } = await createAccount(shared, ['Questions', 'Another']);
	const credential = await shared.client.createCredential('Questions', CREDENTIAL_TYPE, {
		baseUrl: servers.sandboxUrl,
		secretKey,
	});
	host = new Host({ ...servers, credential });
	customers = { host, channelId: channels[0] ?? '', secretKey };
	otherChannel = { ...customers, channelId: channels[1] ?? '' };
	for (const customer of [ana, ben, cleo]) await reply(customers, customer, 'Hello');
	await reply(otherChannel, ana, 'Hello');
});

afterEach(async () => {
	await clearFaults(host);
	await noWebhooks(customers);
});

afterAll(async () => await host?.cleanUp());

const inChat = { askIn: 'chat', responseType: 'replyInChat' };
/** More choices than buttons: the person replies with the number or the words. */
const days = {
	...inChat,
	choices: {
		values: ['Monday', 'Tuesday', 'Wednesday', 'Thursday'].map((choice) => ({ choice })),
	},
};
const DAYS = '1. Monday\n2. Tuesday\n3. Wednesday\n4. Thursday';
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown;

/** Waits until n8n has responded to every delivery. */
async function delivered(): Promise<void> {
	await until(
		'everything to be delivered',
		async () =>
			(await host.sandbox.get<{ counts: Record<string, number> }>('/_sandbox/deliveries?limit=1'))
				.counts.PENDING === 0,
		LIMIT_MS,
	);
}

test("takes the recipient's reply in the trigger's simplified form, and ignores what others write", async () => {
	const question = await ask(customers, ana, inChat);
	const [webhook] = await listWebhooks(customers);
	expect(webhook).toMatchObject({
		events: ['MESSAGE_RECEIVED'],
		signing: true,
		customAttributes: { n8nWait: { executionId: question.executionId, deadline: time } },
	});
	// The list must not show a person's number to its readers.
	expect(JSON.stringify(webhook?.customAttributes)).not.toContain(ana);

	await reply(customers, ben, 'Me too!');
	await reply(otherChannel, ana, 'On another channel');
	await host.callService(`/v1/channels/${customers.channelId}/messages`, customers.secretKey, {
		method: 'POST',
		body: {
			recipient: { identifier: ana },
			content: { type: 'TEXT', body: { message: 'By the way' } },
		},
	});
	await delivered();
	expect(await question.status()).toBe('waiting');

	await reply(customers, ana, 'Tuesday is fine');
	const { status, items } = await question.outcome();
	expect(status).toBe('success');
	expect(items).toEqual([
		{
			event: 'MESSAGE_RECEIVED',
			channelId: customers.channelId,
			messageId: expect.stringMatching(/^[0-9A-F]{32}$/) as string,
			timestamp: time,
			fromMe: false,
			forwarded: false,
			sender: { identifier: ana, key: ana, name: 'Customer' },
			recipient: expect.anything() as unknown,
			type: 'TEXT',
			text: 'Tuesday is fine',
			status: expect.any(String) as string,
			attachments: [],
			data: {
				text: 'Tuesday is fine',
				choice: null,
				choiceNumber: null,
				outcome: 'answered',
				respondedAt: time,
			},
		},
	]);
	await noWebhooks(customers);
});

test('choices: asks again after a wrong reply, and takes a right one by its number or its words', async () => {
	const question = await ask(customers, ana, days);
	expect((await question.sent()).at(-1)).toBe(`May we deliver on Tuesday?\n\n${DAYS}`);
	await reply(customers, ana, 'Sunday');
	await until(
		'to be asked again',
		async () => (await question.sent()).at(-1) === `Please reply with one of these:\n\n${DAYS}`,
		LIMIT_MS,
	);
	expect(await question.status()).toBe('waiting');
	await reply(customers, ana, ' 2. ');
	expect((await question.outcome()).items).toMatchObject([
		{ text: ' 2. ', data: { choice: 'Tuesday', choiceNumber: 2, outcome: 'answered' } },
	]);

	const byWords = await ask(customers, ana, days);
	await reply(customers, ana, 'MONDAY!');
	expect((await byWords.outcome()).items).toMatchObject([
		{ data: { choice: 'Monday', choiceNumber: 1, outcome: 'answered' } },
	]);
});

test('choices: goes on with an outcome of its own after the set number of wrong replies', async () => {
	const question = await ask(customers, ana, {
		...days,
		options: { askAgain: 1, askAgainText: 'Say a number:' },
	});
	const before = (await question.sent()).length;
	// The service delivers the first one twice. It counts once, and brings one more question.
	await host.sandbox.post('/_sandbox/faults', { on: 'webhook', kind: 'dropAfter', times: 1 });
	await reply(customers, ana, 'Sunday');
	await until(
		'to be asked again',
		async () => (await question.sent()).at(-1) === `Say a number:\n\n${DAYS}`,
		LIMIT_MS,
	);
	await delivered();
	expect(await question.status()).toBe('waiting');
	await reply(customers, ana, 'Never');
	expect((await question.outcome()).items).toMatchObject([
		{ text: 'Never', data: { choice: null, choiceNumber: null, outcome: 'invalid' } },
	]);
	expect(await textsTo(customers, ana)).toHaveLength(before + 1);
});

test('does not take words written before the question arrived, even if they are delivered again', async () => {
	await host.sandbox.post('/_sandbox/faults', {
		on: 'route',
		operation: 'sendMessage',
		kind: 'latency',
		ms: 1500,
	});
	const { executionId } = await startAsking(customers, ana, inChat);
	await until('the webhook', async () => (await listWebhooks(customers)).length === 1, LIMIT_MS);
	await reply(customers, ana, 'Not seen yet');
	await waiting(host, executionId);
	await untilWordsCount(customers);
	await clearFaults(host);
	await delivered();
	expect((await host.client.getExecution(executionId)).status).toBe('waiting');
	await reply(customers, ana, 'Seen');
	const { resultData } = await host.client.finishedExecution(executionId);
	expect(resultData.runData.After?.[0]?.data?.main[0]?.[0]?.json).toMatchObject({
		text: 'Seen',
		data: { outcome: 'answered' },
	});
});

test('keeps a reply that comes before the execution waits', async () => {
	// The customer reads the question while n8n is still busy with it.
	await host.sandbox.post('/_sandbox/faults', {
		on: 'route',
		operation: 'updateChannelWebhook',
		kind: 'latency',
		ms: 4500,
	});
	const before = (await textsTo(customers, ana)).length;
	const { executionId } = await startAsking(customers, ana, inChat);
	await firstTextsTo(customers, ana, before + 1);
	await sleep(IN_DOUBT_MS);
	await reply(customers, ana, 'At once');
	const { deliveries } = await until(
		'the first attempt',
		async () => {
			const found = await host.sandbox.get<{
				deliveries: Array<{ id: number; attempts: number; state: string }>;
			}>('/_sandbox/deliveries?state=PENDING');
			return found.deliveries.some(({ attempts }) => attempts > 0) && found;
		},
		LIMIT_MS,
	);
	const { attemptList } = await host.sandbox.get<{ attemptList: Array<{ status: number }> }>(
		`/_sandbox/deliveries/${deliveries[0]?.id}`,
	);
	// n8n itself refuses the reply, so the service delivers it again. If the execution has not waited
	// before, n8n responds 500, because nothing is stored that it could read.
	expect([409, 500]).toContain(attemptList[0]?.status);
	const { resultData } = await host.client.finishedExecution(executionId);
	expect(resultData.runData.After?.[0]?.data?.main[0]?.[0]?.json).toMatchObject({
		text: 'At once',
		data: { outcome: 'answered' },
	});
});

test('takes one of two simultaneous replies', async () => {
	const question = await ask(customers, ana, inChat);
	await Promise.all([reply(customers, ana, 'One'), reply(customers, ana, 'Two')]);
	const { resultData } = await question.finished();
	expect(resultData.runData.After).toHaveLength(1);
});

test('gives each of two executions on one channel the reply of its own recipient', async () => {
	const [first, second] = await Promise.all([
		ask(customers, ana, inChat),
		ask(customers, ben, days),
	]);
	expect(await listWebhooks(customers)).toHaveLength(2);
	await reply(customers, ben, 'Monday');
	expect((await second.outcome()).items).toMatchObject([
		{ sender: { identifier: ben }, data: { choice: 'Monday' } },
	]);
	await delivered();
	expect(await first.status()).toBe('waiting');
	await reply(customers, ana, 'Here I am');
	expect((await first.outcome()).items).toMatchObject([
		{ sender: { identifier: ana }, text: 'Here I am' },
	]);
});

test('refuses a second question to a recipient, says why and what to do, and sends nothing', async () => {
	const first = await ask(customers, ana, inChat);
	const before = await textsTo(customers, ana);
	const { executionId } = await startAsking(customers, `+${ana}`, inChat);
	const { resultData } = await host.client.finishedExecution(executionId);
	expect(resultData.error?.message).toBe(
		'Could not ask the question: another question to this recipient waits for its reply on this channel',
	);
	expect(resultData.error?.description).toContain(
		`in execution ${first.executionId} of workflow ${first.workflow.id}`,
	);
	expect(await textsTo(customers, ana)).toEqual(before);
	await reply(customers, ana, 'Yes');
	expect((await first.outcome()).items).toMatchObject([{ text: 'Yes' }]);
});

test('asks a second question from the queue once the first has its reply', async () => {
	const first = await ask(customers, ana, inChat);
	const second = await startAsking(customers, ana, {
		...inChat,
		whenAnotherWaits: 'queue',
		message: 'And the time?',
	});
	await reply(customers, ana, 'Tuesday');
	expect((await first.outcome()).items).toMatchObject([{ text: 'Tuesday' }]);
	await waiting(host, second.executionId);
	await untilWordsCount(customers);
	expect((await textsTo(customers, ana)).at(-1)).toBe('And the time?');
	await reply(customers, ana, 'Noon');
	const { resultData } = await host.client.finishedExecution(second.executionId);
	expect(resultData.runData.After?.[0]?.data?.main[0]?.[0]?.json).toMatchObject({ text: 'Noon' });
});

test('asks one of several questions to one recipient that start together, and refuses the others', async () => {
	const started = await Promise.all(
		[1, 2, 3].map(async () => await startAsking(customers, cleo, inChat)),
	);
	await until(
		'all but one to be over',
		async () => {
			const states = await Promise.all(
				started.map(
					async ({ executionId }) => (await host.client.getExecution(executionId)).status,
				),
			);
			return (
				states.filter((status) => status === 'error').length === 2 && states.includes('waiting')
			);
		},
		60_000,
	);
	expect(await listWebhooks(customers)).toHaveLength(1);
	await reply(customers, cleo, 'Fine');
	const ends = await Promise.all(
		started.map(
			async ({ executionId }) => (await host.client.finishedExecution(executionId)).status,
		),
	);
	expect(ends.sort()).toEqual(['error', 'error', 'success']);
});

test('leaves no webhook if it cannot send the question', async () => {
	await host.sandbox.post('/_sandbox/faults', {
		on: 'route',
		operation: 'sendMessage',
		kind: 'windowClosed',
		times: 1,
	});
	const { executionId } = await startAsking(customers, ana, inChat);
	const { resultData } = await host.client.finishedExecution(executionId);
	expect(resultData.error?.message).toContain('the 24-hour conversation window is closed');
	expect(await listWebhooks(customers)).toEqual([]);
	// The registration whose response gets lost.
	await host.sandbox.post('/_sandbox/faults', {
		on: 'route',
		operation: 'createChannelWebhook',
		kind: 'dropAfter',
		times: 1,
	});
	const lost = await startAsking(customers, ana, inChat);
	expect((await host.client.finishedExecution(lost.executionId)).status).toBe('error');
	expect(await listWebhooks(customers)).toEqual([]);
});

test('ignores requests to the resume URL that the service did not sign', async () => {
	const question = await ask(customers, ana, inChat);
	const [webhook] = await listWebhooks(customers);
	const url = webhook?.url ?? '';
	const body = JSON.stringify({
		message: {
			_id: 'A',
			channel_id: customers.channelId,
			metadata: { from_me: false },
			sender: { identifier: ana },
			contents: [{ type: 'TEXT', message: 'Forged' }],
		},
	});
	const json = { 'content-type': 'application/json' };
	const proofs = [
		{},
		{ authorization: `Bearer ${customers.secretKey}` },
		{
			'x-webhook-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
			'x-idempotency-key': 'a:0:1',
		},
	];
	for (const proof of proofs)
		expect((await open(url, { method: 'POST', body, headers: { ...json, ...proof } })).status).toBe(
			401,
		);
	expect((await open(url)).body).not.toContain('May we deliver');
	await host.sandbox.post('/_sandbox/faults', {
		on: 'webhook',
		webhookId: webhook?.id,
		kind: 'badSignature',
		times: 1,
	});
	await reply(customers, ana, 'Wrongly signed');
	await until(
		'the refusal',
		async () => {
			const { deliveries } = await host.sandbox.get<{ deliveries: Array<{ attempts: number }> }>(
				`/_sandbox/deliveries?webhookId=${webhook?.id}`,
			);
			return deliveries[0]?.attempts === 1;
		},
		LIMIT_MS,
	);
	expect(await question.status()).toBe('waiting');
	await reply(customers, ana, 'Rightly');
	expect((await question.outcome()).status).toBe('success');
});

test("keeps the secret key and the signing secret out of n8n's records", async () => {
	const question = await ask(customers, ana, inChat);
	const waits = await host.client.rawExecution(question.executionId);
	const [webhook] = await listWebhooks(customers);
	const resumeSignature = new URL(webhook?.url ?? '').searchParams.get('signature') ?? '';
	await reply(customers, ana, 'Yes');
	await question.finished();
	const records = waits + (await host.client.rawExecution(question.executionId));
	for (const secret of [customers.secretKey, resumeSignature])
		expect(records).not.toContain(secret);

	// The service's signing secrets are 64 hexadecimal characters. None in the records signs what was
	// delivered.
	const { deliveries } = await host.sandbox.get<{ deliveries: Array<{ id: number }> }>(
		`/_sandbox/deliveries?webhookId=${webhook?.id}`,
	);
	const { attemptList } = await host.sandbox.get<{
		attemptList: Array<{ signedText: string; requestHeaders: Record<string, string> }>;
	}>(`/_sandbox/deliveries/${deliveries[0]?.id}`);
	const { signedText = '', requestHeaders = {} } = attemptList[0] ?? {};
	const signature = /v1=([0-9a-f]{64})/.exec(requestHeaders['x-webhook-signature'] ?? '')?.[1];
	expect(signature).toBeDefined();
	const candidates = [...new Set(records.match(/[0-9a-f]{64}/g))];
	for (const candidate of candidates)
		expect(createHmac('sha256', candidate).update(signedText).digest('hex')).not.toBe(signature);
});

test("the next question removes only this n8n's leftovers, no stranger's webhook and none that still waits", async () => {
	const question = await ask(customers, ana, inChat);
	const asked = (await listWebhooks(customers))[0]!;
	const make = async (name: string, instanceId: string, deadline: string) =>
		await host.callService<{ id: string }>(
			`/v1/channels/${customers.channelId}/webhooks`,
			customers.secretKey,
			{
				method: 'POST',
				body: {
					url: new URL(`/webhook-waiting/${name}`, asked.url).href,
					events: ['CONNECTED'],
					customAttributes: {
						n8n: { instanceId, workflowId: 'w', nodeId: 'n' },
						n8nWait: { executionId: '0', recipient: name, deadline, wrongAnswers: 0 },
					},
				},
			},
		);
	const own = asked.customAttributes.n8n as { instanceId: string };
	const past = new Date(Date.now() - 1000).toISOString();
	const later = new Date(Date.now() + 60_000).toISOString();
	const leftover = await make('leftover', own.instanceId, past);
	const stays = [
		await make('waits', own.instanceId, later),
		await make('stranger', 'another-instance', past),
	];
	const unmarked = await host.callService<{ id: string }>(
		`/v1/channels/${customers.channelId}/webhooks`,
		customers.secretKey,
		{
			method: 'POST',
			body: { url: 'http://127.0.0.1:9/', events: ['CONNECTED'] },
		},
	);
	const second = await ask(customers, ben, inChat);
	const listed = (await listWebhooks(customers)).map(({ id }) => id);
	expect(listed).not.toContain(leftover.id);
	expect(listed).toEqual(expect.arrayContaining([...stays, unmarked].map(({ id }) => id)));
	await Promise.all([reply(customers, ana, 'Yes'), reply(customers, ben, 'Yes')]);
	for (const each of [question, second]) expect((await each.outcome()).status).toBe('success');
	for (const { id } of [...stays, unmarked])
		await host.callService(
			`/v1/channels/${customers.channelId}/webhooks/${id}`,
			customers.secretKey,
			{ method: 'DELETE' },
		);
});

test('names the fields that it cannot use, and registers and sends nothing', async () => {
	const cases = [
		{
			parameters: { ...inChat, choices: { values: [{ choice: 'Yes' }, { choice: 'yes!' }] } },
			says: /"Choices" holds "yes!" twice/,
		},
		{ parameters: { ...inChat, message: ' ' }, says: /"Message" is empty/ },
		{ parameters: { ...inChat, options: limitSeconds(0) }, says: /"Amount" in "Limit Wait Time"/ },
	];
	for (const { parameters, says } of cases) {
		const { executionId } = await startAsking(customers, ana, parameters);
		expect((await host.client.finishedExecution(executionId)).resultData.error?.message).toMatch(
			says,
		);
	}
	expect(await listWebhooks(customers)).toEqual([]);
});
