import type { SimplifiedMessage } from '../../../nodes/BusinessMessaging/delivery/event/simplify.ts';
import {
	findChoice,
	isAboutAnother,
	withChoices,
} from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/inChat/buttons.ts';
import { chatKinds } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/kinds/index.ts';
import { fitButtons } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/kinds/choices.ts';
import type {
	ApprovalInChat,
	ChatQuestion,
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
	links: [],
	sent: [],
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
const chosen = (message: SimplifiedMessage, question: ChatQuestion) =>
	findChoice(message, question, chatKinds[question.kind].matchWords);
const wrote = (text: string | null, reply?: { id: string; title: string }) =>
	({ text, ...(reply ? { reply } : {}) }) as SimplifiedMessage;

test('shows up to three choices of at most 20 characters as buttons, and others not', () => {
	expect(fitButtons(['A'.repeat(20), 'B', 'C'])).toBe(true);
	expect(fitButtons(['A'.repeat(21)])).toBe(false);
	expect(fitButtons(['A', 'B', 'C', 'D'])).toBe(false);
	expect(fitButtons([])).toBe(false);
});

test('sends choices as buttons, as numbered lines, or not at all', () => {
	expect(withChoices('Which?', inChat)).toMatchObject({
		type: 'INTERACTIVE_BUTTON',
		body: { message: 'Which?' },
		attachments: [{ title: 'Approve' }, { title: 'Decline' }],
	});
	expect(withChoices('Which?', { ...inChat, buttons: false })).toEqual({
		type: 'TEXT',
		body: { message: 'Which?\n\n1. Approve\n2. Decline' },
	});
	expect(withChoices('Which?', { id: 'q1', choices: [], buttons: false })).toEqual({
		type: 'TEXT',
		body: { message: 'Which?' },
	});
});

test('finds a choice by its button, title or words, and by its number unless it is an approval', () => {
	const [, decline] = buttonsOf('q1');
	// The id decides, whatever the button's title is now.
	expect(chosen(wrote('Approve', { id: decline!.id, title: 'Approve' }), approval)).toBe(1);
	// In case the service gives an id of its own.
	expect(chosen(wrote('Decline', { id: '9', title: 'Decline' }), approval)).toBe(1);
	expect(chosen(wrote('approve!'), approval)).toBe(0);
	expect(chosen(wrote('2'), approval)).toBeUndefined();
	expect(chosen(wrote('2'), choice)).toBe(1);
	expect(chosen(wrote('I approve of it'), approval)).toBeUndefined();
	expect(chosen(wrote(null), approval)).toBeUndefined();
});

test('ignores a button of another question, even with the same text', () => {
	const [ofAnother] = buttonsOf('q2');
	const [longer] = buttonsOf('q11');
	const [own] = buttonsOf('q1');
	expect(isAboutAnother(wrote('Approve', ofAnother), approval)).toBe(true);
	expect(isAboutAnother(wrote('Approve', longer), approval)).toBe(true);
	expect(isAboutAnother(wrote('Approve', own), approval)).toBe(false);
	expect(isAboutAnother(wrote('Approve', { id: '1', title: 'Approve' }), approval)).toBe(false);
	expect(isAboutAnother(wrote('Approve'), approval)).toBe(false);
});
