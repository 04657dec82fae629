import type { IDataObject } from 'n8n-workflow';

import type { ApprovalInChat } from '#nodes/resources/message/sendAndWait/kinds/approval.ts';
import { outputSchemas } from '#scripts/outputSchemas.mts';
import { until } from '#scripts/until.mts';
import { WEBHOOK_SECRET } from '../support/constants.mts';
import { signed } from './harness/deliveries.mts';
import { delivered, receive } from './harness/replies.mts';
import {
	ANA,
	BEN,
	CLEO,
	NOT_AWAITED,
	STRANGER,
	WaitingInChat,
	type Written,
} from './harness/waitingInChat.mts';

const chat = new WaitingInChat();
const { messageOf, reply } = chat;
const approval = (changes: Partial<ApprovalInChat> = {}) =>
	chat.approval({ approvers: [BEN, CLEO], tellOthers: '{name} said {answer}.', ...changes });
const sentTo = () =>
	chat.messages().sort((left, right) => JSON.stringify(left).localeCompare(JSON.stringify(right)));
const told = async (count: number) => {
	await until('the others to be told', () => sentTo().length === count, 5000);
	return sentTo();
};

test('tells nobody of their own decision, however their number was entered', async () => {
	await reply(approval({ recipient: '+55 11 99999-0000' }), { text: 'approve' });
	const recipients = (await told(2)).map(({ recipient }) => recipient);
	expect(recipients).toEqual([BEN, CLEO].map((identifier) => ({ identifier })));
});

test('takes the first decision, and tells n8n by its own event and the others by a message', async () => {
	const question = approval();
	const words = { from: BEN, text: 'approve', name: 'Ben {answer}' };
	const { item, approvals } = await reply(question, words);
	expect(item).toMatchObject({
		sender: { identifier: BEN },
		data: {
			approved: true,
			responder: { identifier: BEN, name: 'Ben {answer}' },
			outcome: 'answered',
		},
	});
	expect(approvals).toMatchObject([{ approved: true, authorized: true, executionId: '7' }]);
	expect(await told(2)).toEqual(
		[ANA, CLEO].map((identifier) => ({
			recipient: { identifier },
			content: { type: 'TEXT', body: { message: 'Ben {answer} said Approve.' } },
		})),
	);
	const late = await reply(question, { text: 'Decline' });
	expect(late).toMatchObject({ item: undefined, approvals: [] });
	expect(sentTo()).toHaveLength(2);
});

test('finishes the work after a decision even if the service disconnects first, so it does not come again', async () => {
	const question = approval();
	const body = messageOf({ from: BEN, text: 'Approve' });
	const { item, approvals } = await receive(question, chat.service.url, {
		...delivered(signed(body, { secret: WEBHOOK_SECRET })),
		isAbandoned: true,
	});
	expect(item).toMatchObject({ data: { approved: true } });
	expect(approvals).toMatchObject([{ approved: true }]);
	await told(2);
	await until('the webhook to be paused', () => chat.webhook()?.status === 'DISABLED', 5000);
});

test.each<[string, Written, boolean]>([
	['a tap of a stranger', { from: STRANGER, text: 'Approve' }, true],
	['the words of a stranger', { from: STRANGER, text: 'Approve' }, false],
	['other words of an approver', { from: BEN, text: 'What is this about?' }, false],
	['a number', { from: BEN, text: '1' }, false],
	['nothing', { from: BEN, text: '' }, false],
])('%s decides nothing, and starts nothing', async (_what, words, isTap) => {
	const question = approval();
	const id = `n8n-question:${question.id}:1`;
	const content = isTap ? { button: { id, title: 'Approve' } } : {};
	const received = await reply(question, { ...words, content });
	expect(received).toMatchObject({ ...NOT_AWAITED, approvals: [] });
	expect(sentTo()).toEqual([]);
});

test('shows in the editor, before the first reply, the fields that come out', async () => {
	const schema = outputSchemas().get('__schema__/v2.0.0/message/sendAndWait.json');
	const data = schema?.properties?.data?.properties ?? {};
	const { item } = await reply(approval({ tellOthers: '' }), { text: 'Approve' });
	const given = item?.data as IDataObject;
	expect(Object.keys(data)).toEqual(expect.arrayContaining(Object.keys(given)));
	expect(Object.keys(data.responder?.properties ?? {})).toEqual(Object.keys(given.responder ?? {}));
	expect(sentTo()).toEqual([]);
});
