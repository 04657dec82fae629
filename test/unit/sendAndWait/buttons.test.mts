import type { SimplifiedMessage } from '../../../nodes/BusinessMessaging/delivery/simplify.ts';
import {
	findChoice,
	fitButtons,
	isAboutAnother,
	withChoices,
} from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/buttons.ts';
import type {
	ApprovalInChat,
	ReplyQuestion,
} from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/question.ts';

const inChat = {
	id: 'q1',
	message: '',
	answeredText: '',
	channelId: '',
	recipient: '',
	choices: ['Approve', 'Decline'],
	buttons: true,
	webhookId: '',
	sealedSecret: '',
	deadline: '',
};
const approval: ApprovalInChat = { ...inChat, kind: 'approvalInChat', tellOthers: '' };
const choice: ReplyQuestion = { ...inChat, kind: 'replyInChat', askAgain: 0, askAgainText: '' };

const buttonsOf = (id: string) => {
	const { attachments } = withChoices('?', { ...inChat, id }) as unknown as {
		attachments: Array<{ id: string; title: string }>;
	};
	return attachments;
};
const wrote = (text: string | null, reply?: { id: string; title: string }) =>
	({ text, ...(reply ? { reply } : {}) }) as SimplifiedMessage;

test('up to three choices of at most 20 characters are buttons, others are not', () => {
	expect(fitButtons(['A'.repeat(20), 'B', 'C'])).toBe(true);
	expect(fitButtons(['A'.repeat(21)])).toBe(false);
	expect(fitButtons(['A', 'B', 'C', 'D'])).toBe(false);
	expect(fitButtons([])).toBe(false);
});

test('choices go out as buttons, as lines with numbers, or not at all', () => {
	expect(withChoices('Which?', inChat)).toMatchObject({
		type: 'INTERACTIVE_BUTTON',
		body: { message: 'Which?' },
		attachments: [{ title: 'Approve' }, { title: 'Decline' }],
	});
	expect(withChoices('Which?', { ...inChat, buttons: false })).toEqual({
		type: 'TEXT',
		body: { message: 'Which?\n\n1. Approve\n2. Decline' },
	});
	expect(withChoices('Which?', { id: 'q1', choices: [] })).toEqual({
		type: 'TEXT',
		body: { message: 'Which?' },
	});
});

test('a choice is known by its button, its title or its words; an approval not by a number, a choice of a reply also by that', () => {
	const [, decline] = buttonsOf('q1');
	// The id decides, whatever the button is called by now.
	expect(findChoice(wrote('Approve', { id: decline!.id, title: 'Approve' }), approval)).toBe(1);
	// Should the service give an id of its own.
	expect(findChoice(wrote('Decline', { id: '9', title: 'Decline' }), approval)).toBe(1);
	expect(findChoice(wrote('approve!'), approval)).toBe(0);
	expect(findChoice(wrote('2'), approval)).toBeUndefined();
	expect(findChoice(wrote('2'), choice)).toBe(1);
	expect(findChoice(wrote('I approve of it'), approval)).toBeUndefined();
	expect(findChoice(wrote(null), approval)).toBeUndefined();
});

test("a button of another question is none of this one's, though it says the same", () => {
	const [ofAnother] = buttonsOf('q2');
	const [longer] = buttonsOf('q11');
	const [own] = buttonsOf('q1');
	expect(isAboutAnother(wrote('Approve', ofAnother), approval)).toBe(true);
	expect(isAboutAnother(wrote('Approve', longer), approval)).toBe(true);
	expect(isAboutAnother(wrote('Approve', own), approval)).toBe(false);
	expect(isAboutAnother(wrote('Approve', { id: '1', title: 'Approve' }), approval)).toBe(false);
	expect(isAboutAnother(wrote('Approve'), approval)).toBe(false);
});
