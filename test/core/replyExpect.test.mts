/** Open questions that expect a number, a date, an address or a phone number. */
import type { ReplyQuestion } from '#nodes/resources/message/sendAndWait/kinds/reply.ts';
import { ANA, ASKED_AGAIN, NOT_AWAITED, WaitingInChat } from './harness/waitingInChat.mts';

const chat = new WaitingInChat();
const { mark, messages } = chat;
const dateQuestion = (changes: Partial<ReplyQuestion> = {}, counted: object = {}) =>
	chat.replyQuestion(
		{ expect: { kind: 'date' }, askAgainText: 'A date, please.', ...changes },
		counted,
	);
const reply = async (waiting: ReplyQuestion, text: string) => await chat.reply(waiting, { text });

it.each<[ReplyQuestion['expect'], string, number | string]>([
	[{ kind: 'number', least: 1, most: 12 }, '4 pessoas', 4],
	[{ kind: 'date' }, 'Ana:\n31.12.2027', '2027-12-31'],
	[{ kind: 'email' }, 'Ana <ana@example.com>', 'ana@example.com'],
	[{ kind: 'phone' }, '+55 11 98765-4321', '5511987654321'],
])('a reply is read as %j: %s', async (expected, text, value) => {
	const waiting = chat.replyQuestion({ expect: expected });
	const { item } = await chat.reply(waiting, { text, name: 'Ana' });
	expect(item).toMatchObject({ data: { text, value, choice: null, outcome: 'answered' } });
	expect(messages()).toEqual([]);
});

it('what is none of the kind is asked again, and goes on as invalid once that was often enough', async () => {
	const waiting = dateQuestion();
	expect(await reply(waiting, 'tomorrow')).toMatchObject(ASKED_AGAIN);
	const content = { type: 'TEXT', body: { message: 'A date, please.' } };
	expect(messages()).toEqual([{ recipient: { identifier: ANA }, content }]);
	expect((await reply(waiting, 'the day after')).item).toMatchObject({
		data: { text: 'the day after', value: null, outcome: 'invalid' },
	});
});

it('what can mean two is asked back with both as buttons, uncounted, and a tap on one answers', async () => {
	const waiting = dateQuestion({ askAgain: 0 });
	expect(await reply(waiting, '3/4/2027')).toMatchObject(ASKED_AGAIN);
	const attachments = [
		{ id: `n8n-question:${waiting.id}:1=2027-04-03`, title: '3 April 2027' },
		{ id: `n8n-question:${waiting.id}:2=2027-03-04`, title: '4 March 2027' },
	];
	const body = { message: 'Which one do you mean?' };
	expect(messages()).toEqual([
		{ recipient: { identifier: ANA }, content: { type: 'INTERACTIVE_BUTTON', body, attachments } },
	]);
	expect(mark()).toMatchObject({ wrongAnswers: 0, askedBack: true });
	const content = { type: 'BUTTON', id: attachments[1]!.id };
	const { item } = await chat.reply(waiting, { text: '4 March 2027', content });
	expect(item).toMatchObject({ data: { value: '2027-03-04', outcome: 'answered' } });
});

it('the title of a button answers, too, and a second reply that can mean two counts as wrong', async () => {
	const typed = dateQuestion({}, { askedBack: true });
	expect((await reply(typed, '4 March 2027')).item).toMatchObject({
		data: { value: '2027-03-04' },
	});
	const again = dateQuestion({ askAgain: 1 }, { askedBack: true });
	expect(await reply(again, '3/4/2027')).toMatchObject(ASKED_AGAIN);
	expect(mark()).toMatchObject({ wrongAnswers: 1 });
	expect((await reply(again, '5/6/2027')).item).toMatchObject({
		data: { value: null, outcome: 'invalid' },
	});
});

it('a picture without a value is left to the workflow, as is a button that has none', async () => {
	const message = { attachments: [{ type: 'IMAGE' }], contents: [] };
	expect(await chat.reply(dateQuestion(), { message })).toMatchObject(NOT_AWAITED);
	const waiting = dateQuestion();
	const content = { type: 'BUTTON', id: `n8n-question:${waiting.id}:1=2027-02-30` };
	expect(await chat.reply(waiting, { text: 'x', content })).toMatchObject(NOT_AWAITED);
	expect(messages()).toEqual([]);
});
