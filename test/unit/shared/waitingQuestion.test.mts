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

test('the mark of a webhook tells whose reply is awaited, until when, and for whom', () => {
	expect(read(MARK)).toEqual({
		webhook: webhookWith({ n8n: OWNED, n8nWait: MARK }),
		owner: OWNED,
		mark: { ...MARK, wrongAnswers: 0 },
	});
	const full = { ...MARK, approvers: ['v2:bb'], wrongAnswers: 2, lastWrong: 'message 1' };
	expect(read(full)?.mark).toEqual(full);
	expect(marksOf(read(full)!)).toEqual(['v2:aa', 'v2:bb']);
	expect(marksOf(read(MARK)!)).toEqual(['v2:aa']);
});

test.each([
	['nothing', undefined],
	['a text', 'v2:aa'],
	['a list', [MARK]],
	['no execution', { ...MARK, executionId: undefined }],
	['an execution that is a number', { ...MARK, executionId: 7 }],
	['no recipient', { ...MARK, recipient: undefined }],
	['a recipient that is a number', { ...MARK, recipient: 5511900000001 }],
	['no deadline', { ...MARK, deadline: undefined }],
	['a deadline that is a number', { ...MARK, deadline: 1 }],
	['a deadline that is no date', { ...MARK, deadline: 'tomorrow' }],
])('a webhook whose mark is or has %s is none of a question', (_what, mark) => {
	expect(read(mark)).toBeUndefined();
});

test('a webhook that names no owner, or carries nothing, is none of a question', () => {
	expect(read(MARK, 'instance')).toBeUndefined();
	expect(readWaiting(webhookWith())).toBeUndefined();
});

test('what a stranger wrote beside is left out', () => {
	const strange = {
		...MARK,
		approvers: ['v2:bb', 7, null],
		wrongAnswers: 'many',
		lastWrong: 7,
		more: true,
	};
	expect(read(strange)?.mark).toStrictEqual({ ...MARK, approvers: ['v2:bb'], wrongAnswers: 0 });
	expect(read({ ...MARK, approvers: 'v2:bb' })?.mark).not.toHaveProperty('approvers');
});

test('a question is over at its deadline', () => {
	const question = read(MARK)!;
	expect(isOver(question, Date.parse(DEADLINE) - 1)).toBe(false);
	expect(isOver(question, Date.parse(DEADLINE))).toBe(true);
});
