/** What a reply in the chat says: a choice, or nothing that was asked for, which is asked for again. In n8n's own context of a waiting execution. */
import { hashOfLink } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/links.ts';
import {
	type ReplyQuestion,
	seal,
} from '../../nodes/BusinessMessaging/resources/message/sendAndWait/question.ts';
import { until } from '../../scripts/until.mts';
import { messageBody, signed } from './harness/deliveries.mts';
import { type FakeService, startFakeService } from './harness/fakeService.mts';
import { logged } from './harness/logged.mts';
import { delivered, receive, type Received, URL_SIGNATURE } from './harness/replies.mts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';
const WEBHOOK = '019E4C54B1B375A28970B605CA9B0AAA';
/** Who writes in `messageBody`. */
const CUSTOMER = '5511999990000';
const SECRET = 'a1'.repeat(32);

let service: FakeService;
/** The response to a message of the node. */
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
/** A question with its webhook at the service, which says how many replies were none of the choices. */
function question(changes: Partial<ReplyQuestion> = {}, counted: object = {}): ReplyQuestion {
	const id = `choices-${++asked}`;
	const deadline = new Date(Date.now() + 60_000).toISOString();
	const n8nWait = { executionId: '7', recipient: 'v2:', deadline, wrongAnswers: 0, ...counted };
	service.add(CHANNEL, { id: WEBHOOK, customAttributes: { n8n: { nodeId: 'node' }, n8nWait } });
	return {
		kind: 'replyInChat',
		id,
		links: [hashOfLink(id, {}, URL_SIGNATURE)],
		message: 'Which size?',
		answeredText: '',
		channelId: CHANNEL,
		recipient: CUSTOMER,
		choices: ['Small', 'Large'],
		askAgain: 1,
		askAgainText: 'One of these, please:',
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
])('names a choice by its words or its number: %s', async (text, choice, choiceNumber) => {
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

it('that names no choice is asked for again, and counted', async () => {
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

it('goes on as it is, once it was asked for often enough', async () => {
	const waiting = question();
	await reply(waiting, 'What?');
	const { item } = await reply(waiting, 'Why?');
	expect(item).toMatchObject({
		data: { text: 'Why?', choice: null, choiceNumber: null, outcome: 'invalid' },
	});
	expect(messages()).toHaveLength(1);
	expect(mark()).toMatchObject({ wrongAnswers: 1 });
});

it('is never asked for again where the option says so', async () => {
	const { item } = await reply(question({ askAgain: 0 }), 'What?');
	expect(item).toMatchObject({ data: { outcome: 'invalid' } });
	expect([messages(), mark()]).toMatchObject([[], { wrongAnswers: 0 }]);
});

it('that was counted before counts once, when the service delivers it again to another process', async () => {
	const id = newMessage();
	const { item, body } = await reply(question({}, { wrongAnswers: 1, lastWrong: id }), 'What?', id);
	expect([item, body]).toEqual([undefined, { message: 'Asked again' }]);
	expect(mark()).toMatchObject({ wrongAnswers: 1 });
});

it('is asked for again once, when the service delivers it again to this process', async () => {
	const waiting = question();
	const id = newMessage();
	await reply(waiting, 'What?', id);
	expect((await reply(waiting, 'What?', id)).body).toEqual({ message: 'Received before' });
	expect(messages()).toHaveLength(1);
});

it('goes on as it is when nothing counts it any more', async () => {
	const waiting = question({ webhookId: 'B'.repeat(32) });
	expect((await reply(waiting, 'What?')).item).toMatchObject({ data: { outcome: 'invalid' } });
});

it('comes again when it certainly could not be asked for again', async () => {
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

it('is not asked for again when it may have been', async () => {
	onMessage = { status: 502, body: 'Bad Gateway' };
	const { item, status, body } = await reply(question(), 'What?');
	expect([item, status, body]).toEqual([undefined, 200, { message: 'Asked again' }]);
});

it('is the only one: what comes later starts nothing, and the webhook is removed', async () => {
	const waiting = question();
	expect((await reply(waiting, 'Small')).item).toBeDefined();
	expect(await reply(waiting, 'Large')).toMatchObject({
		item: undefined,
		body: { message: 'Received before' },
	});
	await until('the webhook to be removed', () => service.webhooks(CHANNEL).length === 0, 5000);
});

it('goes on when the webhook cannot be removed', async () => {
	const waiting = question();
	service.intercept = ({ method }) =>
		method === 'DELETE' ? { status: 500, body: { error: 500, message: 'No' } } : undefined;
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
	['opened by a browser', { method: 'GET' }],
	['sent without its bytes', { method: 'POST' }],
	[
		'nested beyond reason',
		delivered(signed('['.repeat(5000) + ']'.repeat(5000), { secret: SECRET })),
	],
])('is no event when it is %s', async (_what, request) => {
	expect(await receive(question(), service.url, request)).toMatchObject({
		item: undefined,
		status: 422,
		body: { message: 'Unprocessable' },
	});
});

it('is refused when it does not come by the address that the question was registered with', async () => {
	const waiting = question({ links: ['0'.repeat(64)] });
	expect(await reply(waiting, 'Small')).toMatchObject({
		item: undefined,
		status: 401,
		body: { message: 'Unauthorized' },
	});
	// Version 0.1.0 kept no hashes with its questions: n8n's own signature decides.
	const { links: _links, ...without } = question();
	expect(await reply(without, 'Small')).toMatchObject({ item: undefined, status: 401 });
});

it('comes again when the credential cannot be used at the moment', async () => {
	const id = newMessage();
	const delivery = delivered(signed(messageBody({ text: 'Small', id }), { secret: SECRET }));
	expect(await receive(question(), 'no address', delivery)).toMatchObject({
		item: undefined,
		status: 503,
		body: { message: 'Temporarily unavailable' },
	});
});
