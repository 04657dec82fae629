import type { Webhook } from '#nodes/service/contract/webhooks.ts';
import { isOver, markerOf, marksOf, readWaiting, writeMark } from '#nodes/replies/questionMark.ts';

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
		node: OWNED,
		mark: { ...MARK, wrongAnswers: 0, sent: [] },
	});
	const span = { from: 1, until: 2 };
	const full = {
		...MARK,
		approvers: ['v2:bb'],
		wrongAnswers: 2,
		lastWrong: 'message 1',
		sent: [span, null],
		again: { 0: null, 1: { span, messageId: 'message 2' }, 2: {} },
		againForTap: { 0: {} },
	};
	expect(read(full)?.mark).toEqual(full);
	expect(marksOf(read(full)!)).toEqual(['v2:aa', 'v2:bb']);
	expect(marksOf(read(MARK)!)).toEqual(['v2:aa']);
});

test.each([
	...[undefined, 'v2:aa', [[MARK]]],
	...[undefined, 7].map((executionId) => ({ ...MARK, executionId })),
	...[undefined, 5511900000001].map((recipient) => ({ ...MARK, recipient })),
	...[undefined, 1, 'tomorrow'].map((deadline) => ({ ...MARK, deadline })),
])('a webhook with the mark %j belongs to no question', (mark) => {
	expect(read(mark)).toBeUndefined();
	expect(read(MARK, 'instance')).toBeUndefined();
	expect(readWaiting(webhookWith())).toBeUndefined();
});

test('ignores what a stranger wrote beside the mark', () => {
	const strange = {
		...MARK,
		approvers: ['v2:bb'],
		wrongAnswers: 'many',
		lastWrong: 7,
		sent: ['now', { from: 1 }, { from: '1', until: 2 }, { from: 1, until: 2, more: true }],
		again: { 0: null, 1: { span: 'now', messageId: 7 } },
		more: true,
	};
	expect(read(strange)?.mark).toEqual({
		...MARK,
		approvers: ['v2:bb'],
		wrongAnswers: 0,
		sent: [null, null, null, { from: 1, until: 2 }],
		again: { 0: null, 1: {} },
	});
	const without = read({ ...MARK, sent: 'now', again: [1] })?.mark;
	expect(without).toEqual({ ...MARK, wrongAnswers: 0, sent: [] });
	expect(read({ ...MARK, approvers: 'v2:bb' })?.mark.approvers).toBeUndefined();
});

test('a question is over at its deadline', () => {
	const question = read(MARK)!;
	expect(isOver(question, Date.parse(DEADLINE) - 1)).toBe(false);
	expect(isOver(question, Date.parse(DEADLINE))).toBe(true);
});

test('a mark of another version says neither what its question takes nor which key made it', () => {
	const kind = { question: 'q', words: ['w'], takesBareTaps: false, tapsCarryIds: true };
	const takes = { ...kind, messageIds: [null] };
	const whole = { ...MARK, key: 'k', takes, wrongAnswers: 0, sent: [] };
	expect(read(writeMark(whole))?.mark).toEqual(whole);
	const older = { ...writeMark(whole), version: 3 };
	expect(read(older)?.mark).toEqual({ ...MARK, wrongAnswers: 0, sent: [] });
	const unreadable = { ...writeMark(whole), takes: { ...takes, words: 'w' } };
	expect(read(unreadable)?.mark.takes).toBeUndefined();
});

test('marks of people and words take the secret key, which they name', () => {
	const [one, other] = [markerOf('one'), markerOf('other')];
	expect(one.person('aB-1', '5511999990000')).toBe(one.person('AB1', '551199990000'));
	expect(one.person('a', 'ana')).not.toBe(one.person('b', 'ana'));
	expect(one.person('a', 'ana')).not.toBe(other.person('a', 'ana'));
	expect(one.words('q', 'yes')).not.toBe(one.words('r', 'yes'));
	expect(one.words('q', 'yes')).not.toBe(other.words('q', 'yes'));
	expect(one.key).not.toBe(other.key);
	expect(one.key).toBe(markerOf('one').key);
});

test.each(['approvers', 'sent'])('a mark with thousands of faults in %s is none', (field) => {
	expect(read({ ...MARK, [field]: Array<object>(50).fill([]) })).toBeDefined();
	expect(read({ ...MARK, [field]: Array<object>(20_000).fill([]) })).toBeUndefined();
});
