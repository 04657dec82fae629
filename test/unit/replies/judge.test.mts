/** What a message says, and what it means for a question: case by case. */
import * as fc from 'fast-check';

import {
	approvalInChat,
	approvalOptions,
} from '#nodes/resources/message/sendAndWait/kinds/approval.ts';
import { TAPS_CARRY_IDS } from '#nodes/service/contract/index.ts';
import { quotedIdsIn, readTap } from '#nodes/delivery/event/tap.ts';
import { factsOf, judge, sinceThen, wouldTake } from '#nodes/replies/judge.ts';
import { markerOf, type WaitingQuestion } from '#nodes/replies/questionMark.ts';
import { choiceOfTap } from '#nodes/resources/message/sendAndWait/inChat/questionButtons.ts';
import type { ChatQuestion } from '#nodes/resources/message/sendAndWait/kinds/index.ts';
import { formsOfLabels } from '#nodes/shared/texts/sameWords.ts';

const OWN = ['n8n-question:q1:1', 'n8n-question:q1:2'];
const QUESTION = { id: 'q1', choices: ['Yes', 'No'] } as unknown as ChatQuestion;
/** Words, a tap without an ID, on something else, or on the question's own button: its choice. */
function meaning(message: object): 'words' | 'bare' | 'foreign' | number {
	const tap = readTap(message);
	if (!tap) return 'words';
	if (tap.question !== 'q1') return tap.isBare ? 'bare' : 'foreign';
	return choiceOfTap(QUESTION, 0, tap, null)?.chosen ?? 'foreign';
}
const content = (fields: object) => ({
	contents: [{ type: 'INTERACTIVE_BUTTON', message: 'Approve', ...fields }],
});

test.each<[string, object, 'words' | 'bare' | 'foreign' | number]>([
	['a text', content({ type: 'TEXT' }), 'words'],
	['an image', { contents: [], attachments: [{ type: 'IMAGE', caption: 'Approve' }] }, 'words'],
	['contents that are none', { contents: 'x' }, 'words'],
	['a text with empty IDs', content({ type: 'TEXT', id: '', payload: ' ' }), 'words'],
	['a text that holds an ID', content({ type: 'TEXT', message: OWN[0] }), 'words'],
	["the writer's name", { ...content({ type: 'TEXT' }), sender: { name: OWN[0] } }, 'words'],
	['a text with a button object', content({ type: 'TEXT', button: {} }), 'bare'],
	['a content without a type', { contents: [{ message: 'Approve' }] }, 'bare'],
	['another type', content({}), 'bare'],
	['a contact', { contents: [{ type: 'CONTACT_ARRAY', contacts: [] }] }, 'bare'],
	['the title as ID', content({ button: { id: 'Approve', title: 'Approve' } }), 'bare'],
	['the title as ID, without a title', content({ button: { id: 'Approve' } }), 'bare'],
	['the title as payload', content({ button: { payload: 'Approve', title: 'Approve' } }), 'bare'],
	['an ID in other case', content({ button: { id: 'approve', title: 'Approve' } }), 'foreign'],
	['an ID beside the title', content({ payload: 'x', button: { id: 'Approve' } }), 'foreign'],
	['an ID that is a number', content({ button: { id: 7, title: 'Approve' } }), 'foreign'],
	['an ID on a text', content({ type: 'TEXT', id: 'x', title: 'Approve' }), 'foreign'],
	['the ID of the first button', content({ button: { id: OWN[0], title: 'x' } }), 0],
	['the ID of the second button', content({ payload: OWN[1] }), 1],
	['an ID in an unknown field', content({ more: [{ deep: OWN[1] }] }), 1],
	['the same ID twice', content({ id: OWN[1], payload: OWN[1] }), 1],
	['an ID without its choice', content({ id: 'n8n-question:q1:3' }), 'foreign'],
	['an ID with more behind it', content({ id: 'n8n-question:q1:1234' }), 'foreign'],
	['an ID of a longer question', content({ id: 'n8n-question:q11:1' }), 'foreign'],
	['the beginning of an ID', content({ id: 'n8n-question:' }), 'foreign'],
	['both buttons', content({ more: [OWN[0], OWN[1]] }), 'foreign'],
	['this and another question', content({ more: [OWN[0], 'n8n-question:q2:1'] }), 'foreign'],
	['a button beside others', content({ button: { id: OWN[1] }, more: OWN }), 1],
	['offered buttons', content({ buttons: [{ id: OWN[0] }] }), 'bare'],
	['a quoted ID', content({ quoted: { id: OWN[0] } }), 'bare'],
	['a quoted ID in the metadata', { ...content({}), metadata: { context: OWN[0] } }, 'bare'],
	['a quoted button', content({ reply_to: { button: { id: 'x', title: 'y' } } }), 'bare'],
])('%s', (_what, message, expected) => expect(meaning(message)).toBe(expected));

test.each<[object, string[]]>([
	[{}, []],
	[{ context: { id: 'm1', from: 'Ana' } }, ['m1']],
	[{ quoted_message_id: 'm1' }, ['m1']],
	[{ replyTo: { message: { _id: 'm1', text: 'Approve' } } }, ['m1']],
	[{ quote: { id: '' } }, []],
	[{ quote: { id: 'm1', integration_message_ids: ['i1', 'i2', 3] } }, ['m1', 'i1', 'i2']],
])('finds what %j quotes', (fields, quotes) => {
	expect(quotedIdsIn(content(fields))).toEqual(quotes);
	expect(quotedIdsIn({ ...content({ type: 'TEXT' }), metadata: fields })).toEqual(quotes);
});

const FIRST = { from: 10, until: 20 };
const AGAIN = { span: { from: 30, until: 40 }, messageId: 'again' };
const [before, early, between, late] = [9, 15, 25, 41];
type Verdict = 'yes' | 'ask' | 'no';
/** Written, quotes, asked once more, and what else differs. */
type State = [
	number | undefined,
	string[],
	typeof AGAIN | null | undefined,
	Verdict,
	{ endsSoon?: true; withoutIds?: true; hasOthers?: true; firstId?: null }?,
];
const bareTap = { isBare: true };
const judged =
	(kind: 'approval' | 'reply', by: 'words' | 'tap') =>
	(...[written, quotes, again, expected, more = {}]: State) => {
		const { endsSoon = false, withoutIds = false, hasOthers = false, firstId = 'first' } = more;
		const asked = {
			...{ takesAnyWords: kind === 'reply', takesBareTaps: kind === 'reply' },
			...{ tapsCarryIds: !withoutIds, first: FIRST, firstId },
			deadline: endsSoon ? 59_999 : 60_000,
		};
		const tap = by === 'tap' ? bareTap : undefined;
		const heard = { written, tap, isWords: !tap, quotes, namesChoice: true };
		const since = { registered: undefined, again, hasOthers };
		expect(judge(heard, asked, since, 0)).toBe(expected);
		// Without the webhook it says the same, or that it needs it.
		expect([expected, 'unread']).toContain(judge(heard, asked, undefined, 0));
	};

const WORDS: State[] = [
	[before, [], undefined, 'no'],
	[early, [], undefined, 'ask'],
	[undefined, [], undefined, 'ask'],
	[early, [], undefined, 'ask', { endsSoon: true }],
	[between, [], undefined, 'yes'],
	[early, [], AGAIN, 'no'],
	[undefined, [], AGAIN, 'no'],
	[undefined, [], null, 'no'],
	[late, [], AGAIN, 'yes'],
	[late, ['first'], AGAIN, 'yes'],
	[between, ['FIRST'], undefined, 'yes'],
	[late, ['again'], AGAIN, 'yes'],
	[between, ['other'], undefined, 'ask'],
	[between, ['other', 'first'], undefined, 'yes'],
	[between, ['other'], undefined, 'yes', { firstId: null }],
	[between, ['other'], undefined, 'yes', { hasOthers: true }],
	[before, ['other'], undefined, 'no'],
];
test.each(WORDS)(
	'words for an approval: %j, quotes %j, asked again %j: %s',
	judged('approval', 'words'),
);
test.each(WORDS)('words for a reply: %j, quotes %j, asked again %j: %s', judged('reply', 'words'));
test.each<State>([[late, ['other'], AGAIN, 'no']])(
	'words that quote something else, after it was asked again, are none of an approval',
	judged('approval', 'words'),
);
test.each<State>([
	[late, ['other'], AGAIN, 'yes'],
	[early, ['other'], AGAIN, 'no'],
])('and of a reply by their time: %j', judged('reply', 'words'));

test.each<State>([
	[early, [], undefined, 'ask'],
	[late, [], undefined, 'ask'],
	[late, ['first'], undefined, 'ask'],
	[late, ['other'], undefined, 'ask'],
	[late, [], undefined, 'ask', { withoutIds: true }],
	[late, [], undefined, 'no', { endsSoon: true }],
	[late, [], null, 'no'],
	[late, [], null, 'no', { withoutIds: true }],
	[between, [], AGAIN, 'no'],
	[late, [], AGAIN, 'no'],
	[undefined, ['again'], AGAIN, 'no'],
	[between, ['again'], AGAIN, 'no'],
	[late, ['again'], AGAIN, 'yes'],
	[late, ['AGAIN'], AGAIN, 'yes'],
	[late, ['first'], AGAIN, 'no'],
	[late, ['other'], AGAIN, 'no'],
	[between, [], AGAIN, 'no', { withoutIds: true }],
	[late, [], AGAIN, 'yes', { withoutIds: true }],
	[late, ['other'], AGAIN, 'no', { withoutIds: true }],
	[late, ['again'], AGAIN, 'yes', { withoutIds: true }],
])(
	'a tap without an ID for an approval: %j, quotes %j, asked again %j: %s',
	judged('approval', 'tap'),
);

test.each<State>([
	[between, [], undefined, 'yes'],
	[early, [], undefined, 'ask'],
	[early, [], undefined, 'no', { endsSoon: true }],
	[between, ['first'], undefined, 'yes'],
	[between, ['other'], undefined, 'no'],
	[early, ['other'], undefined, 'no'],
	[between, ['other'], undefined, 'yes', { hasOthers: true }],
	[between, ['other'], undefined, 'yes', { firstId: null }],
	[late, ['again'], AGAIN, 'yes'],
	[late, ['other'], AGAIN, 'no'],
	[early, [], AGAIN, 'no'],
])('a tap without an ID for a reply: %j, quotes %j, asked again %j: %s', judged('reply', 'tap'));

const TITLED = { ...QUESTION, templateTitles: [[], ['Yes', 'No, thanks']] };
test.each<[string, object, { chosen: number; isInDoubt: boolean } | undefined]>([
	['own button', { id: 'n8n-question:q1:2', title: 'Anything' }, { chosen: 1, isInDoubt: false }],
	["template's", { payload: 'n8n-question:q1:t1', title: 'yes' }, { chosen: 0, isInDoubt: false }],
	['other title', { payload: 'n8n-question:q1:t1', title: 'No' }, { chosen: 0, isInDoubt: true }],
	['text as title', { payload: 'n8n-question:q1:t1' }, { chosen: 0, isInDoubt: true }],
	['no such choice', { payload: 'n8n-question:q1:t3', title: 'Yes' }, undefined],
])("a tap on the question's ID: %s", (_what, button, expected) => {
	const tap = readTap(content({ button }));
	expect(choiceOfTap(TITLED, 1, tap!, null)).toEqual(expected);
});
test('a tap on a button of a template whose titles nobody knows is in doubt', () => {
	const tap = readTap(content({ button: { payload: 'n8n-question:q1:t1', title: 'Yes' } }));
	expect(choiceOfTap(QUESTION, 0, tap!, null)?.isInDoubt).toBe(true);
});

test('the option "Taps Carry IDs" begins as the contract assumes', () => {
	const option = approvalOptions.find(({ name }) => name === 'tapsCarryIds');
	expect(option?.default).toBe(TAPS_CARRY_IDS);
});

test.each([
	[{ wrongAnswers: 1 }, true],
	[{ wrongAnswers: 0, askedBack: true }, true],
	[{ wrongAnswers: 0 }, false],
])('of a question with the mark %j, other messages asked, too: %s', (mark, hasOthers) => {
	const waiting = { webhook: {}, node: {}, mark } as unknown as WaitingQuestion;
	expect(sinceThen(waiting, 0)).toMatchObject({ hasOthers });
});

describe('the trigger, by the hashes of a mark, and the question, by its labels', () => {
	const marker = markerOf('a key');
	const marked = (labels: string[]) => ({
		webhook: { id: 'C'.repeat(32), url: '', events: [], status: 'ENABLED' as const },
		node: {},
		mark: {
			...{ executionId: '1', key: marker.key, recipient: marker.person('channel', 'ana') },
			takes: {
				...{ question: 'q1', takesBareTaps: false, tapsCarryIds: true, messageIds: [null] },
				words: formsOfLabels(labels)
					.flat()
					.map((form) => marker.words('q1', form)),
			},
			...{ deadline: '2100-01-01T00:00:00Z', wrongAnswers: 0, sent: [FIRST] },
		},
	});
	const raw = { contents: [{ type: 'TEXT' }] };
	const written = { messageId: 'm', identifier: 'ana', author: 'Ana', written: late, raw };
	const LABELS = [
		...[
			['Approve', 'Decline'],
			['Sim', 'Não'],
			['Да', 'Нет'],
			['موافق', 'رفض'],
			['承認', '却下'],
		],
		...[
			['อนุมัติ', 'ปฏิเสธ'],
			['स्वीकार', 'अस्वीकार'],
			['Այո', 'Ոչ'],
			['አዎ', 'አይ'],
			['אישור', 'דחייה'],
		],
		...[
			['✅ Yes, do', '❌ No'],
			['C', 'C++'],
			['Pão', 'Pao'],
			['👍', '👎'],
			['Ана:', 'Ana?'],
		],
	];
	const LINES = ['', '', '*Ana:*\n', '_Ana_:\n', 'Ana:\r\n', '*Rui:*\n', '*🚫:*\n', 'Not:\n', '\n'];
	const SIGNS = Array.from(' *_"«(¡👍✅.!…。،)❌✕≢~〜:+?\u055E\u0336\u0301\u200D\n');
	const signs = fc.string({ unit: fc.constantFrom(...SIGNS), maxLength: 2 });
	const said = fc.record({
		labels: fc.constantFrom(...LABELS),
		...{ index: fc.nat(1), below: fc.nat(1), before: signs, behind: signs },
		line: fc.constantFrom(...LINES, 'label'),
	});

	test('agree about every message, and signs that change nothing change nothing', () => {
		fc.assert(
			fc.property(said, ({ labels, index, below, before, behind, line }) => {
				const first = line === 'label' ? `*${labels[below]}:*\n` : line;
				const text = `${first}${before}${labels[index]}${behind}`;
				const named = approvalInChat.matchWords({ text, author: 'Ana' }, labels, 'approval');
				const facts = factsOf({ ...written, text }, 'channel', marker);
				expect(wouldTake(marked(labels), facts)).toBe(named !== undefined);
				const isOwn = /^(?:$|[*_]?Ana[*_:])/u.test(first) && !labels.includes('Ana?');
				const isHarmless =
					/^[ *_"«(¡👍✅]*$/u.test(before) && /^[ *_"«(¡👍✅.!…。،)]*$/u.test(behind);
				const isPlain =
					/^\p{L}[\p{L}\p{M}]*$/u.test(labels[index]!) && !['C', 'Pão'].includes(labels[0]!);
				if (isOwn && isHarmless && isPlain) expect(named).toBe(index);
				if (/[❌✕≢~〜:?\u055E\u0336]/u.test(before + behind)) expect(named).toBeUndefined();
				if (/[.!…،)]/u.test(before)) expect(named).toBeUndefined();
				if (first.trim() !== '' && !isOwn) expect(named).toBeUndefined();
			}),
			{ numRuns: 2000 },
		);
	});
});
