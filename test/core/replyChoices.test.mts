/**
 * What a reply in the chat means: a choice, or something else, which brings the question again. In
 * n8n's own context of a waiting execution.
 */
import { hashOfLink } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/links.ts';
import { seal } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/inChat/seal.ts';
import { type ReplyQuestion } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/question.ts';
import { until } from '../../scripts/until.mts';
import { messageBody, signed } from './harness/deliveries.mts';
import { type FakeService, startFakeService } from './harness/fakeService.mts';
import { logged } from './harness/logged.mts';
import {
	delivered,
	receive,
	type Received,
	SENT_BEFORE,
	URL_SIGNATURE,
} from './harness/replies.mts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';
const WEBHOOK = '019E4C54B1B375A28970B605CA9B0AAA';
/** The sender in `messageBody`. */
const CUSTOMER = '5511999990000';
const SECRET = 'a1'.repeat(32);

let service: FakeService;
/** The response to the node's message. */
let onMessage: { status: number; body: unknown };
beforeEach(async () => {
	service = await startFakeService();
	onMessage = { status: 200, body: { messageId: '0'.repeat(32) } };
	service.intercept = ({ path }) => (path.endsWith('/messages') ? onMessage : undefined);
});
afterEach(async () => {
	jest.restoreAllMocks();
	await service.close();
});

let asked = 0;
/** A question with its webhook at the service, which tells how many replies matched no choice. */
function question(changes: Partial<ReplyQuestion> = {}, counted: object = {}): ReplyQuestion {
	const id = `choices-${++asked}`;
	const deadline = new Date(Date.now() + 60_000).toISOString();
	const n8nWait = { executionId: '7', recipient: 'v2:', deadline, wrongAnswers: 0, ...counted };
	service.add(CHANNEL, { id: WEBHOOK, customAttributes: { n8n: { nodeId: 'node' }, n8nWait } });
	return {
		kind: 'replyInChat',
		id,
		links: [hashOfLink(id, URL_SIGNATURE)],
		message: 'Which size?',
		answeredText: '',
		channelId: CHANNEL,
		recipient: CUSTOMER,
		choices: ['Small', 'Large'],
		buttons: false,
		askAgain: 1,
		askAgainText: 'One of these, please:',
		sent: [SENT_BEFORE],
		webhookId: WEBHOOK,
		sealedSecret: seal(SECRET, URL_SIGNATURE),
		deadline,
		...changes,
	};
}

let written = 0;
const newMessage = () => String(++written).padStart(32, '0');
const reply = async (waiting: ReplyQuestion, text: string, id = newMessage()): Promise<Received> =>
	await receive(
		waiting,
		service.url,
		delivered(signed(messageBody({ text, id }), { secret: SECRET, key: `messages:0:${id}` })),
	);
const mark = () => service.webhooks(CHANNEL)[0]?.customAttributes.n8nWait;
const messages = () =>
	service.requests.filter(({ path }) => path.endsWith('/messages')).map(({ body }) => body);

it.each([
	['Small', 'Small', 1],
	['large!', 'Large', 2],
	['2', 'Large', 2],
])('a reply names a choice by its words or its number: %s', async (text, choice, choiceNumber) => {
	const { item, body } = await reply(question(), text);
	expect(item).toMatchObject({
		event: 'MESSAGE_RECEIVED',
		data: {
			text,
			choice,
			choiceNumber,
			outcome: 'answered',
			respondedAt: expect.stringMatching(/^\d{4}-.*Z$/),
		},
	});
	expect(body).toEqual({ message: 'Answered' });
	expect(messages()).toEqual([]);
});

it('a reply that names no choice is counted, and the question is asked again', async () => {
	const waiting = question();
	const id = newMessage();
	const { item, status, body } = await reply(waiting, 'What?', id);
	expect([item, status, body]).toEqual([undefined, 200, { message: 'Asked again' }]);
	expect(messages()).toEqual([
		{
			recipient: { identifier: CUSTOMER },
			content: {
				type: 'TEXT',
				body: { message: 'One of these, please:\n\n1. Small\n2. Large' },
			},
		},
	]);
	expect(mark()).toMatchObject({ executionId: '7', wrongAnswers: 1, lastWrong: id });
	expect(service.webhooks(CHANNEL)[0]?.customAttributes.n8n).toEqual({ nodeId: 'node' });
});

it('a wrong reply goes on as it is once the question was asked often enough', async () => {
	const waiting = question();
	await reply(waiting, 'What?');
	const { item } = await reply(waiting, 'Why?');
	expect(item).toMatchObject({
		data: { text: 'Why?', choice: null, choiceNumber: null, outcome: 'invalid' },
	});
	expect(messages()).toHaveLength(1);
	expect(mark()).toMatchObject({ wrongAnswers: 1 });
});

it('a wrong reply goes on at once if the option says not to ask again', async () => {
	const { item } = await reply(question({ askAgain: 0 }), 'What?');
	expect(item).toMatchObject({ data: { outcome: 'invalid' } });
	expect([messages(), mark()]).toMatchObject([[], { wrongAnswers: 0 }]);
});

it('a counted reply counts once, even if the service redelivers it to another process', async () => {
	const id = newMessage();
	const { item, body } = await reply(question({}, { wrongAnswers: 1, lastWrong: id }), 'What?', id);
	expect([item, body]).toEqual([undefined, { message: 'Asked again' }]);
	expect(mark()).toMatchObject({ wrongAnswers: 1 });
});

it('a wrong reply brings one more question, even if the service redelivers it to this process', async () => {
	const waiting = question();
	const id = newMessage();
	await reply(waiting, 'What?', id);
	expect((await reply(waiting, 'What?', id)).body).toEqual({ message: 'Received before' });
	expect(messages()).toHaveLength(1);
});

it('a wrong reply goes on as it is if nothing can count it any more', async () => {
	const waiting = question({ webhookId: 'B'.repeat(32) });
	expect((await reply(waiting, 'What?')).item).toMatchObject({ data: { outcome: 'invalid' } });
});

it('a wrong reply is redelivered if the question certainly could not be asked again', async () => {
	onMessage = { status: 422, body: { error: 422, message: 'Conversation window is closed' } };
	const waiting = question();
	const id = newMessage();
	const { item, status, headers } = await reply(waiting, 'What?', id);
	expect([item, status]).toEqual([undefined, 503]);
	expect(headers['retry-after']).toMatch(/^\d+$/);
	onMessage = { status: 200, body: { messageId: '0'.repeat(32) } };
	expect((await reply(waiting, 'What?', id)).body).toEqual({ message: 'Asked again' });
	expect(mark()).toMatchObject({ wrongAnswers: 1 });
});

it('a wrong reply is not followed by another question if the last one may have left', async () => {
	onMessage = { status: 502, body: 'Bad Gateway' };
	const { item, status, body } = await reply(question(), 'What?');
	expect([item, status, body]).toEqual([undefined, 200, { message: 'Asked again' }]);
});

it('a reply is the only one: later ones start nothing, and nothing more is delivered', async () => {
	const waiting = question();
	expect((await reply(waiting, 'Small')).item).toBeDefined();
	expect(await reply(waiting, 'Large')).toMatchObject({
		item: undefined,
		body: { message: 'Received before' },
	});
	const isPaused = () => service.webhooks(CHANNEL)[0]?.status === 'DISABLED';
	await until('the webhook to be paused', isPaused, 5000);
});

it('a reply goes on even if the webhook cannot be removed', async () => {
	const waiting = question();
	service.intercept = ({ method }) =>
		method === 'DELETE' || method === 'PATCH'
			? { status: 500, body: { error: 500, message: 'No' } }
			: undefined;
	const said = logged('warn');
	expect((await reply(waiting, 'Small')).item).toMatchObject({ data: { choice: 'Small' } });
	await until('the log to be told', () => said.length > 0, 5000);
	expect(said).toEqual([
		[
			expect.stringMatching(/^The webhook of an answered question could not be removed: /),
			expect.anything(),
		],
	]);
});

it.each<[string, Parameters<typeof receive>[2]]>([
	['sent without its bytes', { method: 'POST' }],
	[
		'nested beyond reason',
		delivered(signed('['.repeat(5000) + ']'.repeat(5000), { secret: SECRET })),
	],
])('a delivery is no event if it is %s', async (_what, request) => {
	expect(await receive(question(), service.url, request)).toMatchObject({
		item: undefined,
		status: 422,
		body: { message: 'Unprocessable body' },
	});
});

it("a delivery is refused at another address than the question's", async () => {
	const waiting = question({ links: ['0'.repeat(64)] });
	expect(await reply(waiting, 'Small')).toMatchObject({
		item: undefined,
		status: 401,
		body: { message: 'Unauthorized' },
	});
});

it('a delivery is redelivered if the credential cannot be used at the moment', async () => {
	const id = newMessage();
	const delivery = delivered(signed(messageBody({ text: 'Small', id }), { secret: SECRET }));
	expect(await receive(question(), 'no address', delivery)).toMatchObject({
		item: undefined,
		status: 503,
		body: { message: 'Temporarily unavailable' },
	});
});
