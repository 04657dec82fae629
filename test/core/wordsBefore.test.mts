/**
 * Words from before a question, or from the same moment, by the service's clock. They do not reply
 * to it. In n8n's own contexts.
 */
import type { IDataObject } from 'n8n-workflow';

import { hashOfLink } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/links.ts';
import { seal } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/inChat/seal.ts';
import {
	type ApprovalInChat,
	type ChatQuestion,
	type ReplyQuestion,
} from '../../nodes/BusinessMessaging/resources/message/sendAndWait/question.ts';
import { WAIT_ATTRIBUTE } from '../../nodes/BusinessMessaging/shared/waitingQuestion.ts';
import { messageBody, signed } from './harness/deliveries.mts';
import { type FakeService, startFakeService } from './harness/fakeService.mts';
import { logged } from './harness/logged.mts';
import { delivered, receive, URL_SIGNATURE } from './harness/replies.mts';

const SECRET = 'a1'.repeat(32);
const WEBHOOK = '019E4C54B1B375A28970B605CA9B0AAA';
const [ANA, BEN, STRANGER] = ['1', '2', '3'].map((end) => `551199999000${end}`) as [
	string,
	string,
	string,
];
/** Long before the webhook's own times, because the store begins in 2026. */
const SENT = { from: 1_700_000_000_000, until: 1_700_000_002_000 };
const NOT_AWAITED = { item: undefined, status: 200, body: { message: 'Not the awaited answer' } };
const ASKED_AGAIN = { item: undefined, status: 200, body: { message: 'Asked again' } };

let service: FakeService;
/** The response to the node's message. */
let onMessage: { status: number; body: unknown; headers?: Record<string, string> };
let tests = 0;
let channel: string;
beforeEach(async () => {
	service = await startFakeService();
	onMessage = { status: 200, body: { messageId: '0'.repeat(32) } };
	service.intercept = ({ path }) => (path.endsWith('/messages') ? onMessage : undefined);
	// Each test has a channel of its own, because a pause of a channel holds for the whole process.
	channel = `019E4C54B1B375A28970B605CA9B${String(++tests).padStart(4, '0')}`;
});
afterEach(async () => {
	jest.restoreAllMocks();
	await service.close();
});

let asked = 0;
/** A question, with its webhook at the service. */
function common(counted: object = {}) {
	const id = `words-${++asked}`;
	const deadline = new Date(Date.now() + 60_000).toISOString();
	const mark = { executionId: '7', recipient: 'v2:a', approvers: ['v2:b'], deadline, ...counted };
	const customAttributes = { n8n: { nodeId: 'node' }, [WAIT_ATTRIBUTE]: mark };
	service.add(channel, { id: WEBHOOK, customAttributes });
	return {
		id,
		links: [hashOfLink(id, URL_SIGNATURE)],
		message: 'A discount?',
		answeredText: '',
		channelId: channel,
		recipient: ANA,
		sent: [SENT] as ChatQuestion['sent'],
		webhookId: WEBHOOK,
		sealedSecret: seal(SECRET, URL_SIGNATURE),
		deadline,
	};
}
const approval = (changes: Partial<ApprovalInChat> = {}, counted = {}): ApprovalInChat => ({
	...common(counted),
	kind: 'approvalInChat',
	choices: ['Approve', 'Decline'],
	buttons: true,
	tellOthers: '',
	...changes,
});
const replyQuestion = (changes: Partial<ReplyQuestion> = {}, counted = {}): ReplyQuestion => ({
	...common(counted),
	kind: 'replyInChat',
	choices: [],
	buttons: false,
	askAgain: 1,
	askAgainText: 'One of these, please:',
	...changes,
});

interface Written {
	text?: string;
	from?: string;
	/** Milliseconds by the service's clock. */
	at?: number | null;
	/** Fields of the content beside the text. */
	content?: IDataObject;
}

let written = 0;
function messageOf({ text = 'Approve', from = ANA, at = null, content = {} }: Written) {
	const { message, ...rest } = messageBody({ text, id: String(++written).padStart(32, '0') });
	const [only] = message.contents;
	return {
		...rest,
		message: {
			...message,
			channel_id: channel,
			created: at,
			metadata: { ...message.metadata, moment: at },
			sender: { identifier: from, name: 'X' },
			contents: [{ ...only, ...content }],
		},
	};
}
const reply = async (question: ChatQuestion, said: Written) =>
	await receive(question, service.url, delivered(signed(messageOf(said), { secret: SECRET })));

const mark = () => service.webhooks(channel)[0]?.customAttributes[WAIT_ATTRIBUTE] as IDataObject;
const calls = () => service.requests.map(({ method }) => method);
const messages = () =>
	service.requests.filter(({ path }) => path.endsWith('/messages')).map(({ body }) => body);
const changes = () => service.requests.filter(({ method }) => method === 'PATCH');

describe.each<[string, (changes?: object, counted?: object) => ChatQuestion]>([
	['an approval', approval],
	['a reply', replyQuestion],
])('for %s', (_kind, question) => {
	it('ignores words from before it was sent, without a request', async () => {
		expect(await reply(question(), { at: SENT.from - 1 })).toMatchObject(NOT_AWAITED);
		expect(service.requests).toEqual([]);
	});

	it('takes the earlier of the two times', async () => {
		const body = messageOf({ at: SENT.until + 1 });
		body.message.metadata.moment = SENT.from - 1;
		const delivery = delivered(signed(body, { secret: SECRET }));
		expect(await receive(question(), service.url, delivery)).toMatchObject(NOT_AWAITED);
		expect(service.requests).toEqual([]);
	});

	it('takes words from after it as the reply', async () => {
		const { item } = await reply(question(), { at: SENT.until + 1 });
		expect(item).toMatchObject({ text: 'Approve', data: { outcome: 'answered' } });
		expect(messages()).toEqual([]);
	});

	it.each<[string, Written, object]>([
		['of the moment in which it was sent', { at: SENT.from }, {}],
		['of the last moment in which it may have been sent', { at: SENT.until }, {}],
		['without a time', {}, {}],
		[
			'to a question of which nobody knows when it was sent',
			{ at: Date.UTC(2026, 0, 1) },
			{ sent: [null] },
		],
	])('does not count words %s, and asks once more, once', async (_what, said, when) => {
		const waiting = question(when);
		expect(await reply(waiting, said)).toMatchObject(ASKED_AGAIN);
		expect(messages()).toMatchObject([{ recipient: { identifier: ANA } }]);
		expect(JSON.stringify(messages())).toContain('A discount?');
		// Claimed before it left, and dated after.
		expect(calls().filter((method) => method !== 'GET')).toEqual(['PATCH', 'POST', 'PATCH']);
		const [claim, dated] = changes().map(({ body }) => body.customAttributes as IDataObject);
		expect(claim?.[WAIT_ATTRIBUTE]).toMatchObject({ again: { 0: null } });
		const span = { from: expect.any(Number) as number, until: expect.any(Number) as number };
		expect(dated?.[WAIT_ATTRIBUTE]).toMatchObject({ again: { 0: span }, wrongAnswers: 0 });
		expect(service.webhooks(channel)[0]?.customAttributes.n8n).toEqual({ nodeId: 'node' });
		service.requests.length = 0;
		expect(await reply(waiting, said)).toMatchObject(NOT_AWAITED);
		expect(messages()).toEqual([]);
	});

	it('counts words after the second sending, by the time of the change before it', async () => {
		const waiting = question({ sent: [null] });
		const before = Date.parse(service.webhooks(channel)[0]?.createdAt ?? '');
		await reply(waiting, { at: before });
		const { from, until } = (mark().again as IDataObject)[0] as { from: number; until: number };
		expect(from).toBeGreaterThan(before);
		expect(await reply(waiting, { at: until })).toMatchObject(NOT_AWAITED);
		expect((await reply(waiting, { at: until + 1 })).item).toMatchObject({ text: 'Approve' });
	});

	it('takes words from after the first sending, even if it was asked once more', async () => {
		const waiting = question();
		expect(await reply(waiting, { at: SENT.until })).toMatchObject(ASKED_AGAIN);
		expect((await reply(waiting, { at: SENT.until + 1 })).item).toBeDefined();
	});

	it('asks once more, once, for several words at once', async () => {
		service.delay = ({ method }) => (method === 'GET' ? 50 : 0);
		const waiting = question();
		await Promise.all([1, 2, 3, 4].map(async () => await reply(waiting, {})));
		expect(messages()).toHaveLength(1);
	});

	it('asks for words to come again if the question could not leave, and does not claim it', async () => {
		onMessage = { status: 429, body: { message: 'Slow' }, headers: { 'retry-after': '30' } };
		const waiting = question();
		expect(await reply(waiting, {})).toMatchObject({ item: undefined, status: 503 });
		expect(mark()).not.toHaveProperty('again.0');
	});

	it('does not send again what may have left', async () => {
		onMessage = { status: 502, body: 'Bad Gateway' };
		const waiting = question();
		expect(await reply(waiting, {})).toMatchObject(ASKED_AGAIN);
		expect(mark()).toMatchObject({ again: { 0: null } });
		expect(await reply(waiting, {})).toMatchObject(NOT_AWAITED);
		expect(messages()).toHaveLength(1);
	});

	it('goes on waiting if the time of the sending cannot be kept, and logs so', async () => {
		const said = logged('warn');
		service.intercept = ({ method, path }) => {
			if (path.endsWith('/messages')) return onMessage;
			return method === 'PATCH' && changes().length > 1
				? { status: 500, body: { error: 500, message: 'No' } }
				: undefined;
		};
		expect(await reply(question(), {})).toMatchObject(ASKED_AGAIN);
		expect(said).toMatchObject([[expect.stringMatching(/^Could not update the webhook/), {}]]);
	});

	it('ignores doubtful words if its webhook is gone', async () => {
		const waiting = question();
		service.webhooks(channel).length = 0;
		expect(await reply(waiting, {})).toMatchObject(NOT_AWAITED);
		expect(messages()).toEqual([]);
	});
});

describe('an approval by several people', () => {
	const ofBoth = (sent: ChatQuestion['sent']) => approval({ approvers: [BEN], sent });

	it('keeps a time for each of them', async () => {
		const question = ofBoth([SENT, { from: SENT.from + 60_000, until: SENT.until + 60_000 }]);
		const at = SENT.until + 1;
		expect(await reply(question, { from: BEN, at })).toMatchObject(NOT_AWAITED);
		expect((await reply(question, { from: ANA, at })).item).toBeDefined();
	});

	it('asks each of them once more, once', async () => {
		const question = ofBoth([SENT, SENT]);
		for (const from of [BEN, ANA, BEN]) await reply(question, { from });
		expect(messages().map(({ recipient }) => recipient)).toEqual([
			{ identifier: BEN },
			{ identifier: ANA },
		]);
		expect(mark()).toMatchObject({ again: { 0: {}, 1: {} } });
	});

	it('ignores words about something else, whenever they were written', async () => {
		expect(await reply(approval(), { text: 'One moment' })).toMatchObject(NOT_AWAITED);
		expect(messages()).toEqual([]);
	});
});

describe('a tap', () => {
	it.each<[string, (button: IDataObject) => IDataObject]>([
		['in an object', (button) => ({ button })],
		['directly on the content', (button) => ({ ...button })],
	])(
		"that names its button %s counts by the button's id, whenever it was made",
		async (_where, on) => {
			const question = approval();
			const id = `n8n-question:${question.id}:2`;
			const { item } = await reply(question, { at: 1, content: on({ id, title: 'Ablehnen' }) });
			expect(item).toMatchObject({ data: { approved: false }, reply: { id } });
		},
	);

	it("on an earlier question's button, directly on the content, does not approve the later one", async () => {
		const content = { id: 'n8n-question:earlier:1', title: 'Approve' };
		expect(await reply(approval(), { at: SENT.until + 1, content })).toMatchObject(NOT_AWAITED);
	});

	it('without an ID goes by time, if a reply is waited for', async () => {
		const content = { type: 'INTERACTIVE_BUTTON' };
		expect(await reply(replyQuestion(), { at: SENT.from - 1, content })).toMatchObject(NOT_AWAITED);
		expect((await reply(replyQuestion(), { at: SENT.until + 1, content })).item).toBeDefined();
	});
});

it('makes no request for a stranger, however many questions wait', async () => {
	const questions = Array.from({ length: 25 }, () => approval());
	for (let message = 0; message < 10; message += 1)
		await Promise.all(
			questions.map(async (question) => {
				const received = await reply(question, { from: STRANGER, at: SENT.until + 1 });
				expect(received).toMatchObject(NOT_AWAITED);
			}),
		);
	expect(service.requests).toEqual([]);
});

it('sweeps ended questions at most once a minute on each channel, if the sender has an open question', async () => {
	const question = approval();
	const now = jest.spyOn(performance, 'now');
	// In doubt, so each message reads the list itself, too.
	const say = async () => await reply(question, { at: SENT.until });
	const start = Math.ceil(performance.now());
	for (const [after, lists] of [
		[0, 3],
		[59_999, 5],
		[60_000, 8],
	] as const) {
		now.mockReturnValue(start + after);
		await say();
		await say();
		expect({ after, lists: calls().filter((method) => method === 'GET') }).toHaveProperty(
			'lists.length',
			lists,
		);
	}
});
