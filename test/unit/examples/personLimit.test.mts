/** A customer who writes without end, such as another machine, and what it costs. */
import { readExample } from '#scripts/n8n/provision.mts';
import type { Workflow, WorkflowNode } from '#scripts/n8n/types.mts';
import { assignedBy, conditionOf, evaluate, nodeOf, rulesOf } from './evaluate.mts';

/** What each example does with the message that says that the limit is reached: the next nodes. */
const BEYOND: Array<[example: string, gate: string, ...next: string[]]> = [
	['ai-agent', 'Below the Limit?'],
	['n8n-agent', 'Below the Limit?'],
	['voice-notes', 'Below the Limit?'],
	['human-takeover', 'Who Wrote?', 'Left to the Colleague'],
	['shop-assistant', 'A Customer or a Colleague?'],
	['refund-with-approval', 'Asks for a Refund?'],
];
/** What one sentence ends, because nothing before it counts or costs. */
const ANSWERED = ['auto-reply', 'ask-with-choices'];

const triggerOf = ({ nodes }: Workflow): WorkflowNode =>
	nodes.find(({ type }) => type.endsWith('.businessMessagingTrigger'))!;

test.each([...BEYOND.map(([example]) => example), ...ANSWERED])(
	'%s: one person starts 20 executions in ten minutes',
	(example) => {
		const { options } = triggerOf(readExample(example)).parameters;
		expect(options).toMatchObject({ personLimit: { limit: { executions: 20, minutes: 10 } } });
	},
);

test('Opt-Out has no limit, because it must hear STOP', () => {
	const { options } = triggerOf(readExample('opt-out')).parameters;
	expect(options).not.toHaveProperty('personLimit');
});

/** The output of a Filter or Switch. */
function outputOf(example: string, gate: string, limit?: { reached: boolean }): number {
	const { type } = nodeOf(example, gate);
	const message = { text: 'A refund, please', words: 'refund', otherWords: '', fromMe: false };
	const of = { sessionId: 'C:1', recipient: { key: '2' }, event: 'MESSAGE_RECEIVED' };
	const json = { ...message, ...of, ...(limit ? { limit } : {}) };
	const value = (expression: string) =>
		evaluate(expression, json, {}, { 'Set Up': { isExecuted: false } });
	if (type.endsWith('.filter')) return value(conditionOf(example, gate)) === true ? 0 : -1;
	return rulesOf(example, gate).findIndex((condition) => value(condition) === true);
}

test.each(BEYOND)('%s: what is beyond the limit is left out at %s', (example, gate, ...next) => {
	const { connections, nodes } = readExample(example);
	const after = (output: number) =>
		(connections[gate]?.main?.[output] ?? []).map(({ node }) => node);
	expect(after(outputOf(example, gate))).not.toEqual(next);
	expect(after(outputOf(example, gate, { reached: true }))).toEqual(next);
	// Before it, nothing costs: only a number is read and settings are made.
	const reached = [triggerOf(readExample(example)).name];
	for (const name of reached)
		if (name !== gate)
			reached.push(...(connections[name]?.main ?? []).flat().map(({ node }) => node));
	const before = nodes.filter(({ name }) => reached.includes(name) && name !== gate).slice(1);
	const costly = before.filter(
		({ type, parameters }) =>
			!type.endsWith('.set') && parameters.operation !== 'normalizeRecipient',
	);
	expect(costly).toEqual([]);
});

test.each(['ai-agent', 'voice-notes', 'shop-assistant'])(
	'%s: about the newest 50 rows of a chat stay, and none for longer than a day',
	(example) => {
		const { parameters } = nodeOf(example, 'Remove What Is Over');
		const { conditions } = parameters.filters as {
			conditions: Array<{ keyName: string; condition: string; keyValue: string }>;
		};
		expect(parameters.matchType).toBe('anyCondition');
		expect(conditions.map(({ keyName, condition }) => `${keyName} ${condition}`)).toEqual([
			...['writtenAt lt', 'id eq', 'id eq'],
		]);
		if (example === 'shop-assistant')
			expect(assignedBy(example, 'Settings', 'rememberDays')).toBe(1);
		else expect(conditions[0]?.keyValue).toContain('minus({ days: 1 })');
		/** Of so many messages, each with its answer, in any order. */
		let rows: number[] = [];
		for (let id = 1; id <= 500; id += 2) {
			rows = [id + 1, ...rows, id];
			const all = () => rows.map((one) => ({ json: { id: one } }));
			const removed = conditions
				.slice(1)
				.map(({ keyValue }) => evaluate(keyValue, {}, {}, { 'Read the Chat': { all } }));
			rows = rows.filter((one) => !removed.includes(one));
			expect(rows.length).toBeLessThanOrEqual(50);
		}
		expect(rows.sort((one, other) => one - other)).toEqual(
			Array.from({ length: 50 }, (_, index) => 453 + index - 2),
		);
	},
);

test.each<[asks: boolean, ...texts: string[]]>([
	[true, 'It is broken. I want a refund!', 'Refund, please', "I'd like my money back", 'REFUND'],
	[
		true,
		'I want a refund, thanks',
		'The 5" screen is broken, refund please',
		'Where is my refund?',
	],
	[false, 'Thanks for the refund!', 'I got my refund, thank you', 'Thank you for my refund.'],
	[false, 'Hello! Thank you for your message: "I want a refund". We will answer within the hour.'],
	[false, 'You wrote: „Refund, please“', '«Refund»', '> I want a refund\nWe are closed', ''],
	[false, 'Hello Ana! We look into your refund, and answer here today.', 'Is it refundable?'],
])('Refund With Approval: that a message asks for one is %s: %s', (asks, ...texts) => {
	const [words, otherWords] = ['words', 'otherWords'].map((name) =>
		assignedBy('refund-with-approval', 'Settings', name),
	);
	for (const text of texts) {
		const condition = conditionOf('refund-with-approval', 'Asks for a Refund?');
		const found = evaluate(condition, { text, words, otherWords });
		expect({ text, asks: found }).toEqual({ text, asks });
	}
});

test.each<[what: string, json: object, next: string]>([
	['a yes', { data: { outcome: 'answered', approved: true } }, 'Pay It Back'],
	['a no', { data: { outcome: 'answered', approved: false } }, 'Say No'],
	['no reply', { data: { outcome: 'timedOut', approved: false } }, 'Nobody Decided'],
	['the same words', { data: { outcome: 'alreadyAsked' } }, 'Say That It Is Known'],
	['other words', { details: { reason: 'key_reused' } }, 'Say That It Is Known'],
	['a question in doubt', { details: { reason: 'unknown_outcome' } }, 'Nobody Decided'],
	['another question', { details: { reason: 'question_waiting' } }, 'Wait Without a Place'],
	['a closed window', { details: { reason: 'window_closed' } }, 'Nobody Decided'],
])('Refund With Approval after %s', (_, json, next) => {
	const rules = rulesOf('refund-with-approval', 'What Was Decided?');
	const at = rules.findIndex(
		(condition) => evaluate(condition.replace('$runIndex', '0'), json as never) === true,
	);
	const outputs = readExample('refund-with-approval').connections['What Was Decided?']?.main ?? [];
	expect(outputs[at < 0 ? rules.length : at]).toMatchObject([{ node: next }]);
});
