/** What a row of the outbox becomes. */
import { conditionOf, evaluate, nextOf, nodeOf } from './evaluate.mts';

interface Filters {
	conditions: Array<{ keyName: string; condition?: string; keyValue: string }>;
}
const conditionsOf = (node: string) =>
	(nodeOf('outbox', node).parameters.filters as unknown as Filters).conditions;

test.each([
	['sent', 'DELIVERED', true],
	['sent', 'FAILED', true],
	['delivered', 'READ', true],
	['read', 'DELIVERED', false],
	['read', 'FAILED', false],
	['delivered', 'FAILED', false],
	['failed', 'DELIVERED', false],
	['failed', 'READ', false],
])('a row that is %s, and the status %s: written is %p', (state, status, isWritten) => {
	const [message, ...others] = conditionsOf('Write the Status');
	expect(message).toMatchObject({ keyName: 'messageId' });
	// A row without a message is nobody's.
	expect(evaluate(message!.keyValue, { messageId: '' })).not.toBe('');
	expect(others.map(({ keyName, condition }) => [keyName, condition])).toEqual([
		['state', 'neq'],
		['state', 'neq'],
	]);
	expect(others.every(({ keyValue }) => evaluate(keyValue, { status }) !== state)).toBe(isWritten);
});

test('a status first asks whether rows are still to be sent: asked after it was written, its row could have come in between', () => {
	const asked = ['Is Anything to Be Sent?', 'Write the Status'];
	expect(nextOf('outbox', 'When a Status Comes')).toEqual(asked);
});

test('a state is written over another one only if the message is known now', () => {
	const [, state] = conditionsOf('Write the State');
	expect(state).toMatchObject({ keyName: 'state', condition: 'like' });
	const of = (json: Parameters<typeof evaluate>[1]) => evaluate(state!.keyValue, json);
	expect(of({ channelId: 'C1', messageId: 'M1' })).toBe('%');
	expect(of({ channelId: 'C1', messageId: null, alreadySent: true })).toBe('to send');
	expect(of({ channelId: 'C1', error: 'Refused', details: {} })).toBe('to send');
});

test.each([
	['a text', { text: 'Hello', template: 'welcome' }, true],
	['a template alone', { text: '', template: 'sale' }, false],
	['a template, and an empty cell', { text: null, template: 'sale' }, false],
])('%s: leaves as a text is %p', (_, row, isText) => {
	expect(evaluate(conditionOf('outbox', 'Has It a Text?'), row)).toBe(isText);
	// Without a template, no other one leaves in its place.
	const { template } = nodeOf('outbox', 'Send the Template').parameters;
	expect(template).toMatchObject({ value: '={{ $json.template }}' });
});

test('a template leaves with the key, the pace and the hours of a text', () => {
	const [text, template] = ['Send to Each', 'Send the Template'].map((name) =>
		nodeOf('outbox', name),
	);
	expect(template?.parameters.options).toEqual(text?.parameters.options);
	expect(template?.onError).toBe(text?.onError);
});
