/** Taps on the buttons of other messages. They decide nothing. In n8n's own contexts. */
import type { IDataObject } from 'n8n-workflow';

import type { ChatQuestion } from '#nodes/resources/message/sendAndWait/kinds/index.ts';
import { logged } from './harness/logged.mts';
import {
	ANA,
	ASKED_AGAIN,
	BEN,
	NOT_AWAITED,
	SENT,
	WaitingInChat,
	type Written,
} from './harness/waitingInChat.mts';

const FIRST = 'A'.repeat(32);
const AGAIN = 'B'.repeat(32);

const chat = new WaitingInChat();
beforeEach(() => (chat.onMessage = { status: 200, body: { messageId: AGAIN } }));

const asked = { message: 'Refund 900 EUR?', approvers: [BEN], messageIds: [FIRST, null] };
const approval = (changes: object = {}) => chat.approval({ ...asked, ...changes });
const replyQuestion = () => chat.replyQuestion({ messageIds: [FIRST] });

const tap = async (question: ChatQuestion, { content, ...tapped }: Written = {}) =>
	await chat.reply(question, {
		...{ text: 'Approve', at: SENT.until + 1 },
		content: { type: 'INTERACTIVE_BUTTON', ...content },
		...tapped,
	});
const again = () => (chat.mark().again as [{ span: { until: number }; messageId: string }])[0];
/** The time after the second sending. */
const afterwards = () => ({ at: again().span.until + 1 });

const BARE = { button: { id: 'Approve', title: 'Approve' } };

// The unit tests of taps have the forms that name no question, and what quotes mean.
describe('a tap on a quick reply of a template, which names no question', () => {
	it.each<[string, IDataObject]>([
		['with its title as ID', BARE],
		['without an ID, as a text', { type: 'TEXT', button: { title: 'Approve' } }],
	])(
		'does not approve: the question comes with its own buttons, once: %s',
		async (_how, content) => {
			const question = approval();
			expect(await tap(question, { content })).toMatchObject(ASKED_AGAIN);
			const attachments = [{ id: `n8n-question:${question.id}:1` }, {}];
			const sent = { body: { message: 'Refund 900 EUR?' }, attachments };
			expect(chat.messages()).toMatchObject([{ recipient: { identifier: ANA }, content: sent }]);
			expect(again()).toMatchObject({ messageId: AGAIN });
			expect(await tap(question, { content })).toMatchObject(NOT_AWAITED);
			expect(await tap(question, { content, ...afterwards() })).toMatchObject(NOT_AWAITED);
			expect(chat.messages()).toHaveLength(1);
		},
	);
});

describe('a tap with an ID', () => {
	it.each<[string, () => ChatQuestion]>([
		['an approval', approval],
		['a reply', replyQuestion],
	])('of another message never answers %s', async (_kind, question) => {
		const content = { button: { id: 'n8n-question:another:1', title: 'Approve' } };
		expect(await tap(question(), { content })).toMatchObject(NOT_AWAITED);
		expect(chat.calls()).toEqual([]);
	});

	it.each<[string, (id: string) => Written]>([
		['in its button', (id) => ({ content: { button: { id, title: 'Ablehnen' } } })],
		['in the metadata', (id) => ({ message: { metadata: { from_me: false, postback: id } } })],
		['in a text of JSON', (id) => ({ content: { data: JSON.stringify({ id }) } })],
	])('of this question decides by it alone, %s, whenever it was made', async (_where, of) => {
		const question = approval();
		const tapped = of(`n8n-question:${question.id}:2`);
		expect((await tap(question, { at: 1, ...tapped })).item).toMatchObject({
			data: { approved: false },
		});
	});
});

describe('a tap on the button of the template that asked, which carries the ID', () => {
	const titled = (more: object = {}) =>
		approval({ templateTitles: [['Approve', 'Decline'], []], ...more });
	const tapOn = (question: ChatQuestion, choice: number, title: string): Written => ({
		content: { button: { payload: `n8n-question:${question.id}:t${choice}`, title } },
	});

	it('is in doubt if it shows another one: asked again with own buttons, once, beside words', async () => {
		const question = titled();
		const said = logged('warn');
		expect(await tap(question, tapOn(question, 1, 'Decline'))).toMatchObject(ASKED_AGAIN);
		expect(chat.mark()).toMatchObject({ againForTap: { 0: { messageId: AGAIN } } });
		expect(await tap(question, tapOn(question, 1, 'Decline'))).toMatchObject(NOT_AWAITED);
		const logs = said.map(([words]) => String(words));
		expect(logs).toContainEqual(expect.stringMatching(/shows other words/));
		expect(chat.messages()).toHaveLength(1);
		expect(await tap(question, { content: BARE })).toMatchObject(ASKED_AGAIN);
		const own = { content: { button: { id: `n8n-question:${question.id}:1`, title: 'No' } } };
		expect((await tap(question, own)).item).toMatchObject({ data: { approved: true } });
	});

	it('does not decide before a certain reply behind it in a delivery', async () => {
		const question = titled();
		const { content } = tapOn(question, 1, 'Decline');
		const at = SENT.until + 1;
		const doubtful = { text: 'Decline', at, content: { type: 'INTERACTIVE_BUTTON', ...content } };
		const both = [doubtful, { text: 'Approve', at }].map((said) => chat.messageOf(said));
		expect((await chat.deliver(question, both)).item).toMatchObject({ data: { approved: true } });
		expect(chat.messages()).toEqual([]);
	});

	it('makes no request in the last minute before the deadline', async () => {
		const question = titled({ deadline: new Date(Date.now() + 59_000).toISOString() });
		expect(await tap(question, tapOn(question, 1, 'Decline'))).toMatchObject(NOT_AWAITED);
		expect(chat.messages()).toEqual([]);
	});
});
