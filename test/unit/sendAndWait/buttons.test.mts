import {
	buttonIdsOf,
	withChoices,
} from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/inChat/buttons.ts';
import { fitButtons } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/kinds/choices.ts';
import { chatKinds } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/kinds/index.ts';

const inChat = { id: 'q1', choices: ['Approve', 'Decline'], buttons: true };

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

test('finds a choice by its words, and by its number unless it is an approval', () => {
	const [approval, reply] = [chatKinds.approvalInChat, chatKinds.replyInChat];
	const { choices } = inChat;
	expect(approval.matchWords('approve!', choices)).toBe(0);
	expect(approval.matchWords('2', choices)).toBeUndefined();
	expect(reply.matchWords('2', choices)).toBe(1);
	expect(approval.matchWords('I approve of it', choices)).toBeUndefined();
	expect(approval.matchWords(null, choices)).toBeUndefined();
});

test('gives each button of each question an ID of its own', () => {
	expect(buttonIdsOf(inChat)).toEqual(['n8n-question:q1:1', 'n8n-question:q1:2']);
	expect(withChoices('?', inChat)).toMatchObject({
		attachments: buttonIdsOf(inChat).map((id) => ({ id })),
	});
});
