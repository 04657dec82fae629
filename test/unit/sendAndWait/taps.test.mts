/** What a tap says, and what it means for a question: case by case. */
import { approvalOptions } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/kinds/approvalFields.ts';
import { TAPS_CARRY_IDS } from '../../../nodes/BusinessMessaging/service/contract/index.ts';
import { readTap } from '../../../nodes/BusinessMessaging/delivery/event/tap.ts';
import {
	judgeDoubtful,
	meaningOf,
} from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/inChat/taps.ts';

const OWN = ['n8n-question:q1:1', 'n8n-question:q1:2'];
const meaning = (message: object) => meaningOf(readTap(message), OWN);
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
])('finds what %j quotes', (fields, quotes) => {
	expect(readTap(content(fields))?.quotes).toEqual(quotes);
	expect(readTap({ ...content({}), metadata: fields })?.quotes).toEqual(quotes);
});

const FIRST = { from: 10, until: 20 };
const AGAIN = { from: 30, until: 40, messageId: 'again' };
const [early, between, late] = [15, 25, 41];
/** Written, quotes (undefined: words), asked once more, and what else differs. */
type State = [
	number | undefined,
	string[] | undefined,
	typeof AGAIN | null | undefined,
	'isReply' | 'ask' | 'ignored',
	{ endsSoon?: true; withoutIds?: true; hasOthers?: true; firstId?: null }?,
];
const judge =
	(takesBareTaps: boolean) =>
	(...[written, quotes, again, expected, more = {}]: State) => {
		const { endsSoon = false, withoutIds = false, hasOthers = false, firstId = 'first' } = more;
		const judged = judgeDoubtful(
			{ written, quotes },
			{ first: FIRST, firstId, again, hasOthers },
			{ takesBareTaps, tapsCarryIds: !withoutIds, endsSoon },
		);
		expect(judged).toBe(expected);
	};

const WORDS: State[] = [
	[early, undefined, undefined, 'ask'],
	[undefined, undefined, undefined, 'ask'],
	[early, undefined, undefined, 'ask', { endsSoon: true }],
	[between, undefined, undefined, 'isReply'],
	[early, undefined, AGAIN, 'ignored'],
	[undefined, undefined, AGAIN, 'ignored'],
	[undefined, undefined, null, 'ignored'],
	[late, undefined, AGAIN, 'isReply'],
];
test.each(WORDS)('words for an approval: %j, %j, asked again %j: %s', judge(false));
test.each(WORDS)('words for a reply: %j, %j, asked again %j: %s', judge(true));

test.each<State>([
	[early, [], undefined, 'ask'],
	[late, [], undefined, 'ask'],
	[late, ['first'], undefined, 'ask'],
	[late, ['other'], undefined, 'ask'],
	[late, [], undefined, 'ask', { withoutIds: true }],
	[late, [], undefined, 'ignored', { endsSoon: true }],
	[late, [], null, 'ignored'],
	[late, [], null, 'ignored', { withoutIds: true }],
	[between, [], AGAIN, 'ignored'],
	[late, [], AGAIN, 'ignored'],
	[undefined, ['again'], AGAIN, 'ignored'],
	[between, ['again'], AGAIN, 'ignored'],
	[late, ['again'], AGAIN, 'isReply'],
	[late, ['first'], AGAIN, 'ignored'],
	[late, ['other'], AGAIN, 'ignored'],
	[between, [], AGAIN, 'ignored', { withoutIds: true }],
	[late, [], AGAIN, 'isReply', { withoutIds: true }],
	[late, ['other'], AGAIN, 'ignored', { withoutIds: true }],
	[late, ['again'], AGAIN, 'isReply', { withoutIds: true }],
])('a tap without an ID for an approval: %j, quotes %j, asked again %j: %s', judge(false));

test.each<State>([
	[between, [], undefined, 'isReply'],
	[early, [], undefined, 'ask'],
	[early, [], undefined, 'ignored', { endsSoon: true }],
	[between, ['first'], undefined, 'isReply'],
	[between, ['other'], undefined, 'ignored'],
	[early, ['other'], undefined, 'ignored'],
	[between, ['other'], undefined, 'isReply', { hasOthers: true }],
	[between, ['other'], undefined, 'isReply', { firstId: null }],
	[late, ['again'], AGAIN, 'isReply'],
	[late, ['other'], AGAIN, 'ignored'],
	[early, [], AGAIN, 'ignored'],
])('a tap without an ID for a reply: %j, quotes %j, asked again %j: %s', judge(true));

test('the option "Taps Carry IDs" begins as the contract assumes', () => {
	const option = approvalOptions.find(({ name }) => name === 'tapsCarryIds');
	expect(option?.default).toBe(TAPS_CARRY_IDS);
});
