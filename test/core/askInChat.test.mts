/**
 * What *Send and Wait* registers, sends and keeps when the reply comes in the chat. In n8n's own
 * engine.
 */
import type { IDataObject, INode } from 'n8n-workflow';

import { unseal } from '#nodes/resources/message/sendAndWait/links.ts';
import type { ChatQuestion } from '#nodes/resources/message/sendAndWait/kinds/index.ts';
import { until } from '#scripts/until.mts';
import { CHANNEL } from '../support/constants.mts';
import { asking, askingOfEachTest, PAGE } from './harness/asking.mts';
import { logged } from './harness/logged.mts';
import type { FakeWebhook } from './harness/webhookStore.mts';

const [ANA, BEN, CLEO] = ['1', '2', '3'].map((end) => `551199999000${end}`) as [
	string,
	string,
	string,
];
const IN_CHAT = {
	responseType: 'approval',
	askIn: 'chat',
	approvalOptions: { values: { approvalType: 'double' } },
};

const SPAN = { from: expect.any(Number) as number, until: expect.any(Number) as number };

/** The log's fields beside its words. */
const OF_NODE = { workflowId: 'workflow', node: 'Business Messaging' };

const service = askingOfEachTest();

const QUESTION = {
	askIn: 'chat',
	responseType: 'replyInChat',
	recipient: ANA,
	message: 'Which size?',
};
const ask = async (parameters: IDataObject = {}, settings: Partial<INode> = {}) => {
	const result = await asking(service, { ...QUESTION, ...parameters }, settings);
	return { ...result, question: result.question as ChatQuestion };
};
const approval = async (approvers: string[]) =>
	await ask({ ...IN_CHAT, message: 'A discount?', approvers });
const registered = () => service.store.of(CHANNEL);
const waitMark = (webhook: FakeWebhook | undefined) =>
	webhook?.customAttributes.n8nWait as IDataObject;
const calls = () => service.requests.map(({ method }) => method);

it("asks beside somebody's webhook that cannot be read, and leaves it alone", async () => {
	const said = logged('warn');
	const stranger = service.store.add(CHANNEL, { events: ['BLOCK'] });
	Object.assign(stranger, { url: undefined });
	await ask();
	expect(service.messages).toHaveLength(1);
	expect(registered()).toMatchObject([{ id: stranger.id }, { url: expect.any(String) }]);
	const logs = said.map(([words]) => String(words));
	expect(logs).toContainEqual(expect.stringContaining(`left out: "url" of "${stranger.id}"`));
});

it('registers a signed webhook at its resume URL before it sends, and checks for an older question', async () => {
	let registeredBefore = 0;
	let sentBefore: unknown;
	service.fail = () => {
		registeredBefore = registered().length;
		sentBefore = waitMark(registered()[0]).sent;
		return undefined;
	};
	const before = Date.now();
	const { run, question } = await ask();
	expect([registeredBefore, calls()]).toEqual([1, ['GET', 'POST', 'GET', 'PATCH']]);
	expect(service.messages).toMatchObject([{ recipient: ANA, text: 'Which size?' }]);
	const [webhook] = registered();
	expect(webhook).toMatchObject({
		url: expect.stringMatching(/^http:\/\/127\.0\.0\.1\/webhook-waiting\/1.*signature=\w+/),
		events: ['MESSAGE_RECEIVED'],
		signing: true,
		payloadFormat: 'DEFAULT',
		description: expect.stringMatching(
			/^n8n workflow "", node "Business Messaging": waits for a reply until 20\d\d-.*Z$/,
		),
		customAttributes: {
			n8n: { instanceId: expect.any(String), workflowId: 'workflow', nodeId: 'node' },
			n8nWait: {
				executionId: '1',
				recipient: expect.stringMatching(/^v2:[0-9a-f]{32}$/),
				deadline: question.deadline,
				wrongAnswers: 0,
			},
		},
	});
	expect(waitMark(webhook)).not.toHaveProperty('approvers');
	expect(JSON.stringify(webhook)).not.toContain(ANA);
	// Triggers see first that it is being sent, then when it was sent.
	expect(sentBefore).toEqual([]);
	expect(waitMark(webhook).sent).toEqual(question.sent);
	const [{ from, until }] = question.sent as [{ from: number; until: number }];
	const createdAt = Date.parse(webhook?.createdAt ?? '');
	expect(from).toBeGreaterThanOrEqual(createdAt);
	// Whole seconds, plus the time of the creation, the list and the send.
	expect(until - from).toBeGreaterThan(1000);
	expect(until).toBeLessThan(createdAt + 1000 + Date.now() - before);
	// The deadline by the service's clock, by which triggers and the question judge.
	const ends = createdAt + 24 * 3_600_000 + 1000;
	expect(question.ends).toBeGreaterThanOrEqual(ends - (Date.now() - before));
	expect(question.ends).toBeLessThanOrEqual(ends + 1);
	expect(waitMark(webhook).ends).toBe(question.ends);
	const day = Date.parse(question.deadline) - before - 24 * 3_600_000;
	expect(day).toBeGreaterThanOrEqual(0);
	expect(day).toBeLessThan(60_000);
	expect([run.status, new Date(run.waitTill ?? 0).toISOString()]).toEqual([
		'waiting',
		question.deadline,
	]);
});

it("keeps its webhook's secret so that only the resume URL opens it", async () => {
	const { question, record } = await ask();
	const [webhook] = registered();
	const secret = service.store.secretOf(webhook?.id) ?? '';
	const signature = new URL(webhook?.url ?? '').searchParams.get('signature') ?? '';
	expect(question).toMatchObject({
		channelId: CHANNEL,
		recipient: ANA,
		webhookId: webhook?.id,
		links: [expect.stringMatching(/^[0-9a-f]{64}$/)],
	});
	expect(question).not.toHaveProperty('approvers');
	expect(unseal(question.sealedSecret, signature)).toBe(secret);
	expect(record).not.toContain(secret);
	expect(record).not.toContain(signature);
});

it('leaves an item without a reply for its time limit', async () => {
	const { run } = await ask();
	expect(run.data.executionData?.nodeExecutionStack[0]?.data.main?.[0]?.[0]?.json).toEqual({
		data: {
			text: null,
			choice: null,
			choiceNumber: null,
			outcome: 'timedOut',
			respondedAt: null,
		},
	});
	const timedOut = (await approval([])).run.data.executionData?.nodeExecutionStack[0];
	expect(timedOut?.data.main?.[0]?.[0]?.json).toEqual({
		data: { approved: false, outcome: 'timedOut', respondedAt: null },
	});
});

it.each([
	['removes its webhook', 0],
	['logs that its webhook cannot be removed', 1],
])('says why the question was refused, and %s', async (_what, left) => {
	service.fail = () => 'refuse';
	service.intercept = ({ method }) =>
		left > 0 && method === 'DELETE'
			? { status: 500, body: { error: 500, message: 'No' } }
			: undefined;
	const said = logged('warn');
	const { run, error, question } = await ask();
	expect([run.status, question]).toEqual(['error', undefined]);
	expect(error?.message).toBe(
		`Could not send the text to ${ANA}: the 24-hour conversation window is closed`,
	);
	expect(error?.description).toMatch(
		/under "When the Window Is Closed"\. If they did write, [^"]*\.identifier\.$/,
	);
	expect(registered()).toHaveLength(left);
	const words =
		/^The webhook of a question that failed could not be removed: Could not delete the webhook/;
	const told = said.filter(([text, fields]) => words.test(text as string) && fields !== undefined);
	expect(told.map(([, fields]) => fields)).toEqual(left > 0 ? [OF_NODE] : []);
});

it.each<[string, (request: { method: string; path: string }) => boolean]>([
	['while its webhook is registered', ({ method }) => method === 'POST'],
	[
		'while the list is read after that',
		({ method }) => method === 'GET' && registered().length > 0,
	],
	['while the message is sent', ({ path }) => path.endsWith('/messages')],
	['while its mark is written', ({ method }) => method === 'PATCH'],
])('cancelled %s: its webhook does not stay', async (_when, isThen) => {
	let cancel = () => {};
	const cancelAt = (request: { method: string; path: string }) => {
		if (isThen(request)) cancel();
		return undefined;
	};
	service.intercept = cancelAt;
	service.fail = () => cancelAt({ method: 'POST', path: '/messages' });
	await asking(
		service,
		QUESTION,
		{},
		{
			onStart: (engine) => {
				const { abortController } = engine as unknown as { abortController: AbortController };
				cancel = () => abortController.abort();
			},
		},
	);
	await until('its webhook to be deleted', () => calls().includes('DELETE'), 5000);
	expect(registered()).toEqual([]);
	expect(calls()).toContain('POST');
});

it('sends nothing if the service gives no secret, and removes the webhook', async () => {
	service.intercept = ({ method, path, body }) => {
		if (method !== 'POST') return undefined;
		const { body: made } = service.store.respond({ method, path, body });
		const { secret: _secret, ...without } = made as IDataObject;
		return { status: 201, body: without };
	};
	const { error } = await ask();
	expect(error?.message).toMatch(
		/^The service registered the webhook without a signing secret\. Ask the service/,
	);
	expect(service.messages).toEqual([]);
	expect(registered()).toEqual([]);
});

describe('an approval by several people', () => {
	it('marks each of them, and sends each the same buttons', async () => {
		const { question } = await approval([BEN, CLEO]);
		expect(service.messages.map(({ recipient }) => recipient).sort()).toEqual([ANA, BEN, CLEO]);
		const ids = [1, 2].map((choice) => ({ id: `n8n-question:${question.id}:${choice}` }));
		for (const { content } of service.messages) expect(content).toMatchObject({ attachments: ids });
		expect(question).toMatchObject({
			kind: 'approvalInChat',
			recipient: ANA,
			approvers: [BEN, CLEO],
			tellOthers: '{answer} was the answer of {name}',
		});
		const { recipient, approvers } = waitMark(registered()[0]) as Record<string, string[]>;
		expect(new Set([recipient, ...(approvers ?? [])]).size).toBe(3);
	});

	it('frees people it could not ask, so they can get another question', async () => {
		await approval([BEN, CLEO]);
		const marks = waitMark(registered()[0]);
		registered().length = 0;
		service.fail = ({ recipient }) => (recipient === ANA ? 'refuse' : undefined);
		const { question, hints } = await approval([BEN, CLEO]);
		expect(question).toMatchObject({ recipient: BEN, approvers: [CLEO] });
		const [ben, cleo] = marks.approvers as string[];
		expect(waitMark(registered()[0])).toMatchObject({ recipient: ben, approvers: [cleo] });
		expect(hints).toMatchObject([{ message: expect.stringMatching(/^Asked 2 of 3 people\. /) }]);
	});

	it('keeps when it asked each of the others while a question waits for the first', async () => {
		await ask();
		const parameters = { ...QUESTION, ...IN_CHAT, approvers: [BEN, CLEO] };
		const { question } = await asking(service, parameters, {}, { executionId: '2' });
		const sent = [SPAN, SPAN];
		expect(question).toMatchObject({ recipient: BEN, approvers: [CLEO], sent });
		expect(waitMark(registered()[1])).toMatchObject({ sent });
	});

	it.each(['cut', PAGE] as const)(
		'waits for people it may have asked, and frees nobody: %j',
		async (how) => {
			service.fail = ({ recipient }) => (recipient === BEN ? how : undefined);
			const { question } = await approval([BEN]);
			expect(question).toMatchObject({ recipient: ANA, approvers: [BEN] });
			const { recipient, approvers, sent } = waitMark(registered()[0]);
			expect([recipient, approvers]).toEqual([expect.any(String), [expect.any(String)]]);
			// Nobody knows when Ben's question left, so his words count only once he is asked again.
			expect(sent).toEqual([SPAN, null]);
			expect(question.sent).toEqual([SPAN, null]);
		},
	);

	it('goes on if the service cannot update the webhook with who was asked', async () => {
		service.fail = ({ recipient }) => (recipient === BEN ? 'refuse' : undefined);
		service.intercept = ({ method }) =>
			method === 'PATCH' ? { status: 500, body: { error: 500, message: 'No' } } : undefined;
		const said = logged('warn');
		const { run, question } = await approval([BEN]);
		expect(said).toContainEqual([
			expect.stringMatching(
				/^The webhook of a question could not be updated: .* Until the question is over, replies may also start the workflows of triggers/,
			),
			OF_NODE,
		]);
		expect(run.status).toBe('waiting');
		expect(question).toMatchObject({ recipient: ANA });
		expect(question).not.toHaveProperty('approvers');
	});
});

it('logs that the address works only on this machine, without its signature', async () => {
	const said = logged('warn');
	await ask();
	expect(said).toEqual([
		[
			expect.stringMatching(
				/^The webhook URL http:\/\/127\.0\.0\.1\/webhook-waiting\/1\S* works only because the service runs on this machine\. Set .* and run the workflow again\.$/,
			),
			expect.objectContaining({ node: 'Business Messaging' }) as object,
		],
	]);
	expect(JSON.stringify(said)).not.toContain('signature');
});
