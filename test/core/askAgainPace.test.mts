/**
 * Messages that follow a reply keep to the pace and the count of their channel. In n8n's own
 * contexts.
 */
import { performance } from 'node:perf_hooks';

import type { IDataObject } from 'n8n-workflow';

import { hashOfLink } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/links.ts';
import { seal } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/inChat/seal.ts';
import {
	type ApprovalInChat,
	type ReplyQuestion,
} from '../../nodes/BusinessMessaging/resources/message/sendAndWait/question.ts';
import { WAIT_ATTRIBUTE } from '../../nodes/BusinessMessaging/shared/waitingQuestion.ts';
import { until } from '../../scripts/until.mts';
import { messageBody, signed } from './harness/deliveries.mts';
import { type FakeService, startFakeService } from './harness/fakeService.mts';
import type { FakeResponse } from './harness/webhookStore.mts';
import { delivered, receive, SENT_BEFORE, URL_SIGNATURE } from './harness/replies.mts';

const SECRET = 'a1'.repeat(32);
/** The sender in `messageBody`. */
const ANA = '5511999990000';
const [BEN, CLEO] = ['5511999990001', '5511999990002'];
const TAKEN = { status: 200, body: { messageId: '0'.repeat(32) } };

let service: FakeService;
/** The service's responses to messages: these first, then it accepts. */
let onMessages: FakeResponse[];
/** When messages arrived, and for whom. */
let sent: Array<{ at: number; to: unknown }>;
let tests = 0;
let channel: string;
beforeEach(async () => {
	service = await startFakeService();
	onMessages = [];
	sent = [];
	service.intercept = ({ path, body }) => {
		if (!path.endsWith('/messages')) return undefined;
		sent.push({ at: performance.now(), to: (body.recipient as IDataObject).identifier });
		return onMessages.shift() ?? TAKEN;
	};
	// Each test has a channel of its own, because a pause of a channel holds for the whole process.
	channel = `019E4C54B1B375A28970B605CA9A${String(++tests).padStart(4, '0')}`;
});
afterEach(async () => {
	jest.restoreAllMocks();
	await service.close();
});
const slowDown = (seconds: number): FakeResponse => ({
	status: 429,
	body: { error: 429, message: 'Too many' },
	headers: { 'retry-after': String(seconds) },
});

let asked = 0;
function common() {
	const id = `pace-${++asked}`;
	const deadline = new Date(Date.now() + 60_000).toISOString();
	const mark = { executionId: '7', recipient: 'v2:a', deadline, wrongAnswers: 0 };
	const customAttributes = { n8n: {}, [WAIT_ATTRIBUTE]: mark };
	const { id: webhookId } = service.add(channel, { customAttributes });
	return {
		id,
		links: [hashOfLink(id, URL_SIGNATURE)],
		message: 'Which size?',
		answeredText: '',
		channelId: channel,
		recipient: ANA,
		sent: [SENT_BEFORE, SENT_BEFORE, SENT_BEFORE],
		webhookId,
		sealedSecret: seal(SECRET, URL_SIGNATURE),
		deadline,
	};
}
const question = (): ReplyQuestion => ({
	...common(),
	kind: 'replyInChat',
	choices: ['Small', 'Large'],
	buttons: false,
	askAgain: 2,
	askAgainText: 'One of these, please:',
});
const approval = (): ApprovalInChat => ({
	...common(),
	kind: 'approvalInChat',
	approvers: [BEN, CLEO],
	choices: ['Approve', 'Decline'],
	buttons: false,
	tellOthers: '{name}: {answer}',
});

let written = 0;
const newId = () => String(++written).padStart(32, '0');
async function reply(waiting: ReplyQuestion | ApprovalInChat, text: string, id = newId()) {
	const body = messageBody({ text, id });
	const message = { ...body.message, channel_id: channel };
	return await receive(
		waiting,
		service.url,
		delivered(signed({ ...body, message }, { secret: SECRET, key: `messages:0:${id}` })),
	);
}
const counted = () =>
	(service.webhooks(channel)[0]?.customAttributes[WAIT_ATTRIBUTE] as IDataObject).wrongAnswers;
const LATER = { item: undefined, status: 503, body: { message: 'Could not ask again' } };
const ASKED_AGAIN = { item: undefined, status: 200, body: { message: 'Asked again' } };

it('asks again at the allowed pace after sixteen wrong replies at once, and one reply goes on', async () => {
	service.delay = ({ method }) => (method === 'GET' ? 150 : 0);
	const waiting = question();
	const received = await Promise.all(
		Array.from({ length: 16 }, async () => await reply(waiting, 'What?')),
	);
	expect(sent).toHaveLength(2);
	expect(received.filter(({ item }) => item !== undefined)).toHaveLength(1);
	expect(received.map(({ body }) => body)).toEqual(
		expect.arrayContaining([ASKED_AGAIN.body, { message: 'Answered' }]),
	);
});

it('asks again only on redelivery while the service paused the channel, and does not count that reply', async () => {
	const waiting = question();
	onMessages = [slowDown(6)];
	const start = performance.now();
	const id = newId();
	// It gets the pause itself, and passes it on.
	expect(await reply(waiting, 'What?', id)).toMatchObject(LATER);
	expect(performance.now() - start).toBeLessThan(3000);
	expect([sent.length, counted()]).toEqual([1, 0]);
	// The limiter holds it back for some seconds.
	expect(await reply(waiting, 'What?', id)).toMatchObject(LATER);
	expect([sent.length, counted()]).toEqual([1, 0]);
	expect(performance.now() - start).toBeLessThan(6000);
	expect(await reply(waiting, 'What?', id)).toMatchObject(ASKED_AGAIN);
	expect([sent.length, counted()]).toEqual([2, 1]);
	expect(sent[1]!.at - sent[0]!.at).toBeGreaterThanOrEqual(5900);
}, 20_000);

it('asks again only if enough of its seconds are left after the list', async () => {
	service.delay = ({ method }) => (method === 'GET' ? 2100 : 0);
	const waiting = question();
	const received = await Promise.all([reply(waiting, 'What?'), reply(waiting, 'What?')]);
	expect(received).toMatchObject([ASKED_AGAIN, LATER]);
	expect([sent.length, counted()]).toEqual([1, 1]);
}, 20_000);

it('waits for a short pause', async () => {
	onMessages = [slowDown(1)];
	expect(await reply(question(), 'What?')).toMatchObject(ASKED_AGAIN);
	expect([sent.length, counted()]).toEqual([2, 1]);
	expect(sent[1]!.at - sent[0]!.at).toBeGreaterThanOrEqual(900);
});

it('holds back the message to the others, and all else on the channel, while the service asks for it', async () => {
	onMessages = [slowDown(1), slowDown(1)];
	const { item } = await reply(approval(), 'Approve');
	expect(item).toMatchObject({ data: { approved: true } });
	await until('both to be asked to wait', () => sent.length >= 2, 5000);
	const paused = sent[1]!.at;
	expect(await reply(question(), 'What?')).toMatchObject(ASKED_AGAIN);
	await until('both others to be told', () => sent.length === 5, 5000);
	expect(sent.map(({ to }) => to).sort()).toEqual([ANA, BEN, BEN, CLEO, CLEO].sort());
	for (const { at } of sent.slice(2)) expect(at - paused).toBeGreaterThanOrEqual(900);
});
