/** A bot that is answered by another one: when the examples with a table leave a chat alone. */
import { evaluate, nodeOf } from './evaluate.mts';
import { at, type Row as Kept, whatIsNext } from './shopRows.mts';

type Row = [who: string, minutesAgo: number];
const [ANSWERS, TELLS, IS_SILENT] = [0, 1, 2] as const;
/** A message every so many seconds, each answered, and some without an answer. The last is now. */
function chat(answers: number, seconds: number, unanswered = 1): Row[] {
	const count = answers + unanswered;
	return Array.from({ length: count }, (_, index): Row[] => {
		const ago = ((count - 1 - index) * seconds) / 60;
		const answer: Row[] = index < answers ? [['Assistant', ago]] : [];
		return [['Customer', ago], ...answer];
	}).flat();
}
const afterTen = (who: string): Row[] => [...chat(10, 6), [who, 0.09], ...chat(10, 6)];

const HUMAN: Record<string, string> = { Customer: 'customer', Assistant: 'answer', Word: 'bot' };
/** What the switch of an example gives. */
function switched(example: string, rows: Row[]): unknown {
	const { output } = nodeOf(example, 'Answered Too Often?').parameters;
	// Of n8n Agent, a row is a message: each is answered.
	const own = rows.filter(([who]) => example !== 'n8n-agent' || who === 'Customer');
	const items = own.map(([who, ago], index) => {
		const writtenAt = at(ago / 60);
		const kind = { who, answers: HUMAN[who] ?? 'colleague' };
		return { json: { id: index + 1, ...kind, writtenAt, firstAt: writtenAt } };
	});
	const last = items.at(-1)!.json;
	const kept = { 'Keep the Message': last, 'Keep When the Customer Wrote': last };
	const given = { ...kept, Settings: { automaticSeconds: 5 }, 'What Was Said': { isHeard: true } };
	const all = { all: () => items };
	const read = { 'Read the Chat': all, 'Who Answers in This Chat?': all };
	return evaluate(String(output), {}, given, read);
}

/** The same of Shop Assistant, whose code says more. */
function nextOf(rows: Row[]): number {
	const kept = rows.map(([who, ago], index) => {
		const [entry, text] = who === 'Word' ? ['C', '/bot'] : [who === 'Customer' ? 'N' : 'A', 'Hi'];
		const id = index === rows.length - 1 ? 'M2' : `${entry}${index}`;
		return [id, who === 'Word' ? 'Colleague' : who, text, ago / 60] as Kept;
	});
	return ['Ask the Model', 'Tell a Colleague', 'Done'].indexOf(whatIsNext(kept).next);
}

const CASES: Array<[what: string, Row[], number]> = [
	['19 answers in two minutes', chat(19, 6), ANSWERS],
	['20 answers in two minutes', chat(20, 6), TELLS],
	['20 answers, and then a second message', chat(20, 6, 2), IS_SILENT],
	['20 answers in twenty minutes', chat(20, 60), ANSWERS],
	[
		'ten minutes of silence',
		[...chat(20, 6).map(([who, ago]): Row => [who, ago + 10]), ['Customer', 0]],
		ANSWERS,
	],
	['half an hour without silence', chat(20, 29, 60), IS_SILENT],
];
const WITH_ANSWERS: typeof CASES = [['a customer who writes fast', chat(5, 6, 40), ANSWERS]];
const WITH_COLLEAGUE: typeof CASES = [
	['a colleague who hands back', afterTen('Word'), ANSWERS],
	["the phone's greeting", afterTen('Colleague'), TELLS],
];

const EXAMPLES = ['ai-agent', 'voice-notes', 'n8n-agent', 'human-takeover', 'shop-assistant'];
describe.each(EXAMPLES)('%s', (example) => {
	const more = example === 'n8n-agent' ? [] : WITH_ANSWERS;
	const hasColleague = /human|shop/.test(example);
	const cases = [...CASES, ...more, ...(hasColleague ? WITH_COLLEAGUE : [])];
	test.each(cases)('%s', (_, rows, expected) => {
		const found = example === 'shop-assistant' ? nextOf(rows) : switched(example, rows);
		expect(found).toBe(expected);
	});
});
