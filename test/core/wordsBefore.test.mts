/**
 * Words from before a question, or from the same moment, by the service's clock. They do not reply
 * to it. In n8n's own contexts.
 */
import type { IDataObject } from 'n8n-workflow';

import type { ChatQuestion } from '#nodes/resources/message/sendAndWait/kinds/index.ts';
import { WAIT_ATTRIBUTE } from '#nodes/replies/questionMark.ts';
import { until } from '#scripts/until.mts';
import { logged } from './harness/logged.mts';
import {
	ANA,
	ASKED_AGAIN,
	BEN,
	NOT_AWAITED,
	SENT,
	STRANGER,
	WaitingInChat,
	type Written,
} from './harness/waitingInChat.mts';

const chat = new WaitingInChat();
const { approval, calls, mark, messages } = chat;
/** Without a time, unless it is given. */
const reply = async (question: ChatQuestion, written: Written) =>
	await chat.reply(question, { text: 'Approve', at: null, ...written });
const changes = () => chat.service.requests.filter(({ method }) => method === 'PATCH');

describe.each<[string, (changes?: { sent: ChatQuestion['sent'] }) => ChatQuestion]>([
	['an approval', approval],
	['a reply', chat.replyQuestion],
])('for %s', (_kind, question) => {
	it('ignores words from before it was sent, by the earlier of their two times, without a request', async () => {
		const message = { metadata: { from_me: false, moment: SENT.from - 1 } };
		const said = { at: SENT.until + 1, message };
		expect(await reply(question(), said)).toMatchObject(NOT_AWAITED);
		expect(await reply(question(), { at: SENT.from - 1 })).toMatchObject(NOT_AWAITED);
		expect(calls()).toEqual([]);
	});

	it('takes words from after it as the reply', async () => {
		const { item } = await reply(question(), { at: SENT.until + 1 });
		expect(item).toMatchObject({ text: 'Approve', data: { outcome: 'answered' } });
		expect(messages()).toEqual([]);
	});

	it.each<[string, Written, { sent: ChatQuestion['sent'] } | undefined]>([
		['of the moment in which it was sent', { at: SENT.from }, undefined],
		['of the last moment in which it may have been sent', { at: SENT.until }, undefined],
		['without a time', {}, undefined],
		['to one sent at an unknown time', { at: Date.UTC(2026, 0, 1) }, { sent: [null] }],
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
		expect(dated?.[WAIT_ATTRIBUTE]).toMatchObject({ again: { 0: { span } }, wrongAnswers: 0 });
		expect(dated?.n8n).toEqual({ nodeId: 'node' });
		expect(await reply(waiting, said)).toMatchObject(NOT_AWAITED);
		expect(messages()).toHaveLength(1);
	});
});

it('counts words after the second sending, by the time of the change before it', async () => {
	const waiting = approval({ sent: [null] });
	const before = Date.parse(chat.webhook()?.createdAt ?? '');
	await reply(waiting, { at: before });
	const { span } = (mark().again as IDataObject)[0] as { span: { from: number; until: number } };
	const { from, until } = span;
	expect(from).toBeGreaterThan(before);
	expect(await reply(waiting, { at: until })).toMatchObject(NOT_AWAITED);
	expect((await reply(waiting, { at: until + 1 })).item).toMatchObject({ text: 'Approve' });
});

it('takes words from after the first sending, even if it was asked once more', async () => {
	const waiting = approval();
	expect(await reply(waiting, { at: SENT.until })).toMatchObject(ASKED_AGAIN);
	expect((await reply(waiting, { at: SENT.until + 1 })).item).toBeDefined();
});

it('asks once more, once, for several words at once', async () => {
	chat.service.delay = ({ method }) => (method === 'GET' ? 50 : 0);
	const waiting = approval();
	await Promise.all([1, 2, 3, 4].map(async () => await reply(waiting, {})));
	expect(messages()).toHaveLength(1);
});

it('asks nothing for words that it asked for already, whose response was lost', async () => {
	const id = chat.newId();
	const counted = { version: 4, askedFor: id, again: { 0: {} } };
	expect(await reply(approval({}, counted), { id })).toMatchObject(ASKED_AGAIN);
	expect(messages()).toEqual([]);
});

it('asks when words come again, if the response to the update of the mark was lost before', async () => {
	// Done, but the response comes after the time that the node waits for it.
	chat.service.delay = ({ method }) => (method === 'PATCH' ? 2500 : 0);
	const waiting = approval();
	const id = chat.newId();
	expect(await reply(waiting, { id })).toMatchObject({ status: 503 });
	expect([messages(), mark().askedFor]).toEqual([[], id]);
	chat.service.delay = () => 0;
	expect(await reply(waiting, { id })).toMatchObject(ASKED_AGAIN);
	expect(messages()).toHaveLength(1);
});

it('leaves the webhook of a question alone that was answered while it asked once more', async () => {
	chat.service.delay = ({ path }) => (path.endsWith('/messages') ? 200 : 0);
	const waiting = approval({ approvers: [BEN] });
	const asking = reply(waiting, { from: BEN });
	await until('the message to leave', () => messages().length > 0, 5000);
	expect((await reply(waiting, { at: SENT.until + 1 })).item).toBeDefined();
	await asking;
	await until('the mark', () => chat.webhook()?.status === 'DISABLED', 5000);
	expect(mark()).toHaveProperty('took');
});

it('asks for words to come again if the question could not leave, and does not claim it', async () => {
	chat.onMessage = { status: 429, body: { message: 'Slow' }, headers: { 'retry-after': '30' } };
	expect(await reply(approval(), {})).toMatchObject({ item: undefined, status: 503 });
	expect(mark()).not.toHaveProperty('again.0');
});

it('does not send again what may have left', async () => {
	chat.onMessage = { status: 502, body: 'Bad Gateway' };
	const waiting = approval();
	expect(await reply(waiting, {})).toMatchObject(ASKED_AGAIN);
	expect(mark()).toMatchObject({ again: { 0: {} } });
	expect(await reply(waiting, {})).toMatchObject(NOT_AWAITED);
	expect(messages()).toHaveLength(1);
});

it('goes on waiting if the time of the sending cannot be kept, and logs so', async () => {
	const said = logged('warn');
	chat.service.intercept = ({ method, path }) => {
		if (path.endsWith('/messages')) return chat.onMessage;
		return method === 'PATCH' && changes().length > 1
			? { status: 500, body: { error: 500, message: 'No' } }
			: undefined;
	};
	expect(await reply(approval(), {})).toMatchObject(ASKED_AGAIN);
	expect(said).toMatchObject([[expect.stringMatching(/^Could not update the webhook/), {}]]);
});

it('ignores doubtful words if its webhook is gone', async () => {
	const waiting = approval();
	chat.service.webhooks(chat.channel).length = 0;
	expect(await reply(waiting, {})).toMatchObject(NOT_AWAITED);
	expect(messages()).toEqual([]);
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
});

it('makes no request for a stranger, however many questions wait', async () => {
	const questions = Array.from({ length: 25 }, () => approval());
	const said = { from: STRANGER, at: SENT.until + 1 };
	for (const question of questions) expect(await reply(question, said)).toMatchObject(NOT_AWAITED);
	expect(calls()).toEqual([]);
});

it('sweeps ended questions at most once a minute on each channel, if the sender has an open question', async () => {
	const question = approval();
	const now = jest.spyOn(performance, 'now');
	// In doubt, so each message reads the list itself, too.
	const say = async () => await reply(question, { at: SENT.until });
	const start = Math.ceil(performance.now());
	for (const [after, lists] of [
		[0, 5],
		[59_999, 7],
		[60_000, 10],
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
