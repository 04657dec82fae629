/** Who answers in a chat, by the rows of Human Takeover. */
import type { IDataObject } from 'n8n-workflow';

import { readExample } from '#scripts/n8n/provision.mts';
import { assignedBy, conditionOf, evaluate, rulesOf } from './evaluate.mts';

/** Whether an If node says that a colleague answers. */
function isColleagueAt(node: string, rows: IDataObject[], now: number): boolean {
	const given = { Settings: { timestamp: at(now), silentMinutes: 30, automaticSeconds: 5 } };
	const all = { all: () => rows.map((json) => ({ json })) } as unknown as IDataObject;
	const read = { 'Who Answers in This Chat?': all, 'Look Once More': all };
	return evaluate(conditionOf('human-takeover', node), {}, given, read) !== 'bot';
}

const at = (seconds: number): string =>
	new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
const customer = (first: number, last = first) => ({
	...{ answers: 'customer', firstAt: at(first), writtenAt: at(last) },
});
const colleague = (seconds: number) => ({ answers: 'colleague', writtenAt: at(seconds) });
const person = (seconds: number) => ({ answers: 'person', writtenAt: at(seconds) });
const word = (seconds: number) => ({ answers: 'bot', writtenAt: at(seconds) });

/** Eight seconds of a customer, with a message of the business two seconds after each start. */
const bursts = (...starts: number[]) =>
	starts.flatMap((start) => [customer(start, start + 8), colleague(start + 2)]);
const MINUTES = [0, 20, 40, 60];

describe.each(['Is a Colleague at It?', 'Has One Come Meanwhile?'])('%s', (node) => {
	test.each<[string, IDataObject[], boolean, now?: number]>([
		['nothing but what the customer wrote', [customer(0)], false],
		['a colleague wrote before', [colleague(0), customer(60)], true],
		['a colleague answered after some seconds', [customer(0), colleague(5.1)], true],
		["the phone's greeting", [customer(0), colleague(0.7)], false],
		['a greeting in the same second', [colleague(0), customer(0)], false],
		['a greeting between several messages', [customer(0, 7), colleague(0.7)], false],
		['an away message after the last of several', [customer(0, 7), colleague(11.9)], false],
		['an earlier greeting', [customer(0), colleague(0.7), customer(600)], false],
		['a greeting, and a colleague', [colleague(-60), customer(0), colleague(1)], true],
		['a colleague handed back', [colleague(-60), word(-30), customer(0)], false],
		['a colleague handed back at once', [colleague(-60), customer(0), word(1)], false],
		['a greeting, and a colleague at once', [customer(0), colleague(0.7), colleague(4)], true],
		['a colleague who writes in bursts', [...bursts(0, 12), ...bursts(12, 24)], true],
		['bursts for more than half an hour', bursts(0, 1790), true, 1795],
		['answers at once, every twenty minutes', MINUTES.flatMap((at) => bursts(at * 60)), true, 3601],
		['a greeting after half an hour', [customer(0), colleague(1), ...bursts(1900)], false, 1910],
		["a greeting after a colleague's word", [word(-30), customer(0), colleague(1)], false],
		['a colleague half an hour ago', [colleague(0), customer(1801)], false, 1801],
		['the customer asked for a person', [customer(0), person(1)], true],
		['asked half an hour ago', [person(0), customer(1801)], false, 1801],
		['asked, and a colleague hands back', [customer(0), person(1), word(30)], false],
		['asked, and the phone greets', [customer(0), person(0), colleague(1)], true],
		['rows in any order', [customer(90), word(0), colleague(30)], true],
	])('%s', (_, rows, expected, now = 600) => {
		expect(isColleagueAt(node, rows, now)).toBe(expected);
	});
});

const EXAMPLES = ['human-takeover', 'shop-assistant'];
/** As far as both examples read it. */
const settingsOf = (example: string, given: IDataObject) => ({
	...given,
	messages: evaluate(assignedBy(example, 'Settings', 'messages'), given) as IDataObject[],
});
const WORDS = Object.fromEntries(
	['personWords', 'aroundWords'].map((name) => [
		name,
		assignedBy('human-takeover', 'Settings', name),
	]),
);
const asks = (given: IDataObject): unknown =>
	evaluate(
		conditionOf('human-takeover', 'Asks for a Person?'),
		{},
		{ Settings: { ...WORDS, ...settingsOf('human-takeover', given) } },
	);
const ORDER = { text: 'Where is my order?' };
const TAP = { text: 'Menschen', reply: { id: 'person' } };

test.each([
	'PERSON|Talk to a person|can I talk to a person please?|A person, please|agent|Hello, I want to speak with an agent, thanks|Can I talk to a human?|A person, a human, please',
	'Kann ich bitte mit einem Menschen sprechen?|Mitarbeiter bitte|Je voudrais parler à une personne, s’il vous plaît|un conseiller svp',
	'Quiero hablar con una persona, por favor|AGENTE|Olá, quero falar com um atendente|atendente por favor|Vorrei parlare con un operatore|operatore, grazie',
	'Можно поговорить с оператором?|оператор, пожалуйста|أريد التحدث مع موظف من فضلك|转人工|請轉人工，謝謝|人工客服|オペレーターお願いします|担当者と話したい',
])('a message of nothing else asks for a person: %s', (all) => {
	const texts = all.split('|');
	expect(texts.filter((text) => !asks({ text }))).toEqual([]);
	expect(texts.filter((text) => !asks({ messages: [ORDER, { text }] }))).toEqual([]);
});

test.each([
	'How much is the tour per person?|1 person|2 people, one person each|My personal order|How many persons?|I met a person',
	'Is there a human error?|What does your agent cost?|The person at the door was rude|Hello|please|I want to talk to|?|👍',
	'Personne|Ich bin eine Person|für eine Person|1 personne|una persona y un niño|2 pessoas|человек|1 شخص|3人|人',
])('other words ask for nobody: %s', (all) => {
	const texts = all.split('|');
	expect(texts.filter((text) => asks({ text }))).toEqual([]);
	expect([asks({}), asks({ messages: [ORDER, {}] })]).toEqual([false, false]);
	expect(asks({ text: 'person '.repeat(10_000) })).toBe(false);
});

test('a tap asks by its ID, whatever its words, alone or below others', () => {
	expect([asks(TAP), asks({ messages: [ORDER, TAP] })]).toEqual([true, true]);
});

test.each(EXAMPLES)('%s: what a question took starts nothing, and asks for nobody', (example) => {
	const { nodes } = readExample(example);
	const triggers = nodes.filter(({ type }) => type.endsWith('.businessMessagingTrigger'));
	// Ignore Replies is on by default.
	expect(triggers.map(({ parameters }) => parameters.options)).toEqual([
		{ chatFields: true, personLimit: expect.anything() as unknown },
	]);
	expect(settingsOf(example, ORDER)).toEqual({ ...ORDER, messages: [ORDER] });
	const group = { messages: [ORDER, TAP] };
	expect(settingsOf(example, group)).toEqual(group);
});

const [ofColleagues = '', ofCustomers = ''] = rulesOf('human-takeover', 'Who Wrote?');
const [ofBoth = ''] = rulesOf('shop-assistant', 'A Customer or a Colleague?');
const TAKEN = {
	'human-takeover': ofColleagues,
	'shop-assistant': ofBoth,
	'scheduled-follow-ups': conditionOf('scheduled-follow-ups', 'Did a Colleague Answer?'),
};
const text = (type: string | null, words: string | null) => ({
	type,
	text: words,
	attachments: [],
});

const isTaken = (condition: string, message: IDataObject): boolean =>
	evaluate(
		condition,
		{ sessionId: 'C:1', recipient: { key: '2' }, ...message },
		{},
		{ 'Set Up': { isExecuted: false } },
	) === true;

test.each([ofCustomers, ofBoth])('takes what a customer writes', (condition) => {
	expect(isTaken(condition, { event: 'MESSAGE_RECEIVED' })).toBe(true);
	expect(isTaken(condition, { event: 'MESSAGE_DELIVERY' })).toBe(false);
});

test.each(Object.entries(TAKEN))('%s: words and files of a colleague count', (_, condition) => {
	const counts = (message: IDataObject, fromApi = false) =>
		isTaken(condition, { fromMe: true, fromApi, event: 'MESSAGE_DELIVERY', ...message });
	const file = { ...text('IMAGE', null), attachments: [{ type: 'IMAGE' }] };
	for (const one of [text('TEXT', 'I look'), file]) {
		expect(counts(one)).toBe(true);
		expect(counts(one, true)).toBe(false);
	}
	for (const one of [
		text('REACTION', '👍'),
		text('TEXT', ' '),
		text('EDIT', 'I look'),
		text('REVOKE', null),
		text(null, null),
		text('SYSTEM', 'The phone was changed'),
	])
		expect(counts(one)).toBe(false);
});
