import type { Webhook } from '../../../nodes/BusinessMessaging/service/contract/webhooks.ts';
import {
	isOver,
	marksOf,
	readWaiting,
} from '../../../nodes/BusinessMessaging/shared/waitingQuestion.ts';

const DEADLINE = '2026-01-01T00:00:00.000Z';
const OWNED = { instanceId: 'instance', workflowId: 'workflow', nodeId: 'node' };
const MARK = { executionId: '7', recipient: 'v2:aa', deadline: DEADLINE };

const webhookWith = (customAttributes?: Record<string, unknown>): Webhook => ({
	id: 'W',
	url: 'https://n8n.example.com/webhook-waiting/7',
	events: ['MESSAGE_RECEIVED'],
	status: 'ENABLED',
	...(customAttributes ? { customAttributes } : {}),
});
const read = (n8nWait: unknown, n8n: unknown = OWNED) => readWaiting(webhookWith({ n8n, n8nWait }));

test('the mark of a webhook tells who should reply, until when, and for which execution', () => {
	expect(read(MARK)).toEqual({
		webhook: webhookWith({ n8n: OWNED, n8nWait: MARK }),
		owner: OWNED,
		mark: { ...MARK, wrongAnswers: 0, sent: [] },
	});
	const span = { from: 1, until: 2 };
	const full = {
		...MARK,
		approvers: ['v2:bb'],
		wrongAnswers: 2,
		lastWrong: 'message 1',
		sent: [span, null],
		again: { 0: null, 1: { ...span, messageId: 'message 2' } },
	};
	expect(read(full)?.mark).toEqual(full);
	expect(marksOf(read(full)!)).toEqual(['v2:aa', 'v2:bb']);
	expect(marksOf(read(MARK)!)).toEqual(['v2:aa']);
});

test.each([
	...[undefined, 'v2:aa', [[MARK]]],
	...[{ executionId: undefined }, { executionId: 7 }].map((wrong) => ({ ...MARK, ...wrong })),
	...[{ recipient: undefined }, { recipient: 5511900000001 }].map((wrong) => ({
		...MARK,
		...wrong,
	})),
	...[undefined, 1, 'tomorrow'].map((deadline) => ({ ...MARK, deadline })),
])('a webhook with the mark %j belongs to no question', (mark) => {
	expect(read(mark)).toBeUndefined();
});

test('a webhook without an owner or a mark belongs to no question', () => {
	expect(read(MARK, 'instance')).toBeUndefined();
	expect(readWaiting(webhookWith())).toBeUndefined();
});

test('ignores what a stranger wrote beside the mark', () => {
	const strange = {
		...MARK,
		approvers: ['v2:bb', 7, null],
		wrongAnswers: 'many',
		lastWrong: 7,
		sent: ['now', { from: 1 }, { from: '1', until: 2 }, { from: 1, until: 2, more: true }],
		again: { 0: 'now' },
		more: true,
	};
	expect(read(strange)?.mark).toStrictEqual({
		...MARK,
		approvers: ['v2:bb'],
		wrongAnswers: 0,
		sent: [null, null, null, { from: 1, until: 2 }],
		again: { 0: null },
	});
	const without = read({ ...MARK, sent: 'now', again: [1] })?.mark;
	expect(without).toStrictEqual({ ...MARK, wrongAnswers: 0, sent: [] });
	expect(read({ ...MARK, approvers: 'v2:bb' })?.mark).not.toHaveProperty('approvers');
});

test('a question is over at its deadline', () => {
	const question = read(MARK)!;
	expect(isOver(question, Date.parse(DEADLINE) - 1)).toBe(false);
	expect(isOver(question, Date.parse(DEADLINE))).toBe(true);
});
