/**
 * What a reply in the chat means: a choice, or something else, which brings the question again. In
 * n8n's own context of a waiting execution.
 */
import type { ReplyQuestion } from '#nodes/resources/message/sendAndWait/kinds/reply.ts';
import { until } from '#scripts/until.mts';
import { WEBHOOK_SECRET } from '../support/constants.mts';
import { signed } from './harness/deliveries.mts';
import { logged } from './harness/logged.mts';
import { delivered, receive } from './harness/replies.mts';
import {
	ANA,
	ASKED_AGAIN,
	LATER,
	NOT_AWAITED,
	RECEIVED_BEFORE,
	WaitingInChat,
} from './harness/waitingInChat.mts';

const chat = new WaitingInChat();
const { mark, messages, newId, webhook } = chat;
const question = (changes: Partial<ReplyQuestion> = {}, counted: object = {}) =>
	chat.replyQuestion({ choices: ['Small', 'Large'], ...changes }, counted);
const reply = async (waiting: ReplyQuestion, text: string, id = newId()) =>
	await chat.reply(waiting, { text, id, name: 'Ana' });

it.each([
	['Small', 'Small', 1],
	['large!', 'Large', 2],
	['Ana:\n2', 'Large', 2],
])('a reply names a choice by its words or its number: %s', async (text, choice, choiceNumber) => {
	const { item, body } = await reply(question(), text);
	const respondedAt = expect.stringMatching(/^\d{4}-.*Z$/) as string;
	expect(item).toMatchObject({
		event: 'MESSAGE_RECEIVED',
		data: { text, choice, choiceNumber, outcome: 'answered', respondedAt },
	});
	expect(body).toEqual({ message: 'Answered' });
	expect(messages()).toEqual([]);
});

it('a reply that names no choice is counted, and brings one more question, however often it comes', async () => {
	const waiting = question();
	const id = newId();
	expect(await reply(waiting, 'What?', id)).toMatchObject(ASKED_AGAIN);
	const text = 'One of these, please:\n\n1. Small\n2. Large';
	expect(messages()).toEqual([
		{ recipient: { identifier: ANA }, content: { type: 'TEXT', body: { message: text } } },
	]);
	expect(mark()).toMatchObject({ executionId: '7', wrongAnswers: 1, lastWrong: id });
	expect(webhook()?.customAttributes.n8n).toEqual({ nodeId: 'node' });
	expect(await reply(waiting, 'What?', id)).toMatchObject(RECEIVED_BEFORE);
	expect(messages()).toHaveLength(1);
});

it.each<[string, object, object]>([
	['a picture', { attachments: [{ type: 'IMAGE' }], contents: [] }, NOT_AWAITED],
	['a voice note', { attachments: [{ type: 'AUDIO' }], contents: [] }, NOT_AWAITED],
	[
		'a picture with other words',
		{ attachments: [{ type: 'IMAGE', caption: 'It broke' }] },
		NOT_AWAITED,
	],
	['a location', { contents: [{ type: 'LOCATION' }] }, NOT_AWAITED],
	['nothing at all', { contents: [] }, NOT_AWAITED],
	[
		'a picture with the words of a choice',
		{ attachments: [{ type: 'IMAGE', caption: 'Large' }], contents: [] },
		{ item: { data: { choice: 'Large' } } },
	],
])(
	'what is no words and names no choice is left to the workflow: %s',
	async (_what, message, expected) => {
		const given = { contents: [], ...message };
		expect(await chat.reply(question(), { message: given })).toMatchObject(expected);
		expect(chat.calls().filter((method) => method === 'POST')).toEqual([]);
		// Without choices, it is the reply.
		expect((await chat.reply(chat.replyQuestion(), { message: given })).item).toBeDefined();
	},
);

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

it.each<[string, Partial<ReplyQuestion>]>([
	['the option says not to ask again', { askAgain: 0 }],
	['nothing can count it any more', { webhookId: 'B'.repeat(32) }],
])('a wrong reply goes on at once if %s', async (_why, changes) => {
	const { item } = await reply(question(changes), 'What?');
	expect(item).toMatchObject({ data: { outcome: 'invalid' } });
	expect([messages(), mark()]).toMatchObject([[], { wrongAnswers: 0 }]);
});

it('a counted reply counts once, even if the service redelivers it to another process', async () => {
	const id = newId();
	const waiting = question({}, { wrongAnswers: 1, lastWrong: id });
	expect(await reply(waiting, 'What?', id)).toMatchObject(ASKED_AGAIN);
	expect(mark()).toMatchObject({ wrongAnswers: 1 });
});

it('a wrong reply is redelivered if the question certainly could not be asked again', async () => {
	const accepted = chat.onMessage;
	chat.onMessage = { status: 422, body: { error: 422, message: 'Conversation window is closed' } };
	const waiting = question();
	const id = newId();
	const refused = await reply(waiting, 'What?', id);
	expect(refused).toMatchObject(LATER);
	expect(refused.headers['retry-after']).toMatch(/^\d+$/);
	chat.onMessage = accepted;
	expect(await reply(waiting, 'What?', id)).toMatchObject(ASKED_AGAIN);
	expect(mark()).toMatchObject({ wrongAnswers: 1 });
});

it('a wrong reply that is taken back leaves what another process counted meanwhile', async () => {
	const waiting = question();
	chat.service.intercept = ({ path }) => {
		if (!path.endsWith('/messages')) return undefined;
		Object.assign(mark(), {
			wrongAnswers: 2,
			lastWrong: 'other',
			took: undefined,
			again: { 0: {} },
		});
		return { status: 422, body: { error: 422, message: 'Conversation window is closed' } };
	};
	expect(await reply(waiting, 'What?')).toMatchObject(LATER);
	expect(mark()).toMatchObject({ wrongAnswers: 1, lastWrong: 'other', again: { 0: {} } });
});

it('a wrong reply is not followed by another question if the last one may have left', async () => {
	chat.onMessage = { status: 502, body: 'Bad Gateway' };
	expect(await reply(question(), 'What?')).toMatchObject(ASKED_AGAIN);
});

it('a reply is the only one: later ones start nothing, and nothing more is delivered', async () => {
	const waiting = question();
	expect((await reply(waiting, 'Small')).item).toBeDefined();
	expect(await reply(waiting, 'Large')).toMatchObject(RECEIVED_BEFORE);
	await until('the webhook to be paused', () => webhook()?.status === 'DISABLED', 5000);
});

it('a reply goes on even if the webhook cannot be removed', async () => {
	chat.service.intercept = ({ method }) =>
		method === 'DELETE' || method === 'PATCH'
			? { status: 500, body: { error: 500, message: 'No' } }
			: undefined;
	const said = logged('warn');
	expect((await reply(question(), 'Small')).item).toMatchObject({ data: { choice: 'Small' } });
	// On a busy machine, the log also has what an earlier test left to its ten seconds.
	const words = /^The webhook of an answered question could not be removed: (?!.*nothing listens)/;
	const own = () => said.filter(([message]) => words.test(String(message)));
	await until('the log to be told', () => own().length > 0, 5000);
	expect(own()).toHaveLength(1);
});

it('a delivery sent without its bytes is no event', async () => {
	expect(await receive(question(), chat.service.url, { method: 'POST' })).toMatchObject({
		...{ item: undefined, status: 422 },
		body: { message: 'Unprocessable body' },
	});
});

it('a delivery is redelivered if the credential cannot be used at the moment', async () => {
	const delivery = delivered(signed(chat.messageOf({ text: 'Small' }), { secret: WEBHOOK_SECRET }));
	expect(await receive(question(), 'no address', delivery)).toMatchObject({
		...{ item: undefined, status: 503 },
		body: { message: 'Temporarily unavailable' },
	});
});

it.each<[string, object, object]>([
	['a reply', { text: 'Small' }, { item: { data: { choice: 'Small' } }, status: 200 }],
	['what names no choice', { text: 'What?' }, NOT_AWAITED],
	['words in doubt', { text: 'Small', at: null }, NOT_AWAITED],
])(
	'without its credential, which was deleted, a question takes no more than an answer: %s',
	async (_what, written, expected) => {
		logged('warn');
		const delivery = delivered(signed(chat.messageOf(written), { secret: WEBHOOK_SECRET }));
		const request = { ...delivery, isCredentialDeleted: true };
		expect(await receive(question(), chat.service.url, request)).toMatchObject(expected);
		expect(chat.calls()).toEqual([]);
	},
);
