/** Which texts *Template After a Refusal* follows up, by the rows of its table. */
import type { IDataObject } from 'n8n-workflow';

import { assignedBy, runCode } from './evaluate.mts';

const EXAMPLE = 'template-after-a-refusal';
const DEFAULT_REASONS = JSON.parse(assignedBy(EXAMPLE, 'Settings', 'reasons')) as string[];

const DAY = '2026-07-15T19:00:00.000Z';
const CLOSED = JSON.stringify({ code: 131047, message: 'Re-engagement message' });
type Row = [kind: string, messageId: string, more?: IDataObject];
const text: Row = ['text', 'M', { channelId: 'C', customer: '55119', recipient: '+55 11 9' }];
const failedFor = (details: string | null, more: IDataObject = {}): Row => [
	...(['FAILED', 'M', { details, ...more }] as const),
];
const failed = failedFor(CLOSED);
const COLLEAGUE = { M: 'a colleague' };

/** Runs the node's code. @returns what it says of each text, by message */
function follows(rows: Row[], reasons = DEFAULT_REASONS): IDataObject {
	const items = rows.map(([kind, messageId, more], index) => ({
		...{ id: index + 1, kind, messageId, at: DAY },
		...more,
	}));
	const found = runCode(EXAMPLE, 'What Follows', { Settings: [{ reasons }], '': items });
	return Object.fromEntries(
		found.map(({ messageId, isKnown, key }) => [messageId, isKnown ? key : 'a colleague']),
	) as IDataObject;
}
const another: Row = ['text', 'N', text[2]];
const NEXT = '2026-07-16T01:00:00.000Z';
const KEY = 'C 55119 2026-07-15';

test.each<[what: string, rows: Row[], found: IDataObject]>([
	['a text that failed', [text, failed], { M: KEY }],
	['a status that was kept before its text', [failed, text], { M: KEY }],
	['FAILED twice', [text, failed, failed], { M: KEY }],
	['an empty table', [['', '', {}]], {}],
	['a text on its way', [text, ['SENT', 'M']], {}],
	['FAILED, then DELIVERED', [text, failed, ['DELIVERED', 'M']], {}],
	['FAILED, then READ', [text, failed, ['READ', 'M']], {}],
	['a text that was followed up', [text, failed, ['followed', 'M']], {}],
	['a text of which a colleague knows', [text, failed, ['told', 'M']], {}],
	['a message that it did not send, of a person or as a template', [failed], {}],
	['FAILED of its template', [text, ['FAILED', 'T', { details: CLOSED }]], {}],
	['another reason', [text, failedFor('{"code":131026}')], COLLEAGUE],
	['no reason', [text, failedFor(null)], COLLEAGUE],
	['a longer number', [text, failedFor('{"code":1310470}')], COLLEAGUE],
	['two to one customer', [text, failed, another, ['FAILED', 'N', failed[2]]], { M: KEY, N: KEY }],
	['FAILED on the next day, too', [text, failed, failedFor(CLOSED, { at: NEXT })], { M: KEY }],
])('%s', (_what, rows, found) => {
	expect(follows(rows)).toEqual(found);
});

test('goes by words of the list, whatever their case, and by none that is empty', () => {
	expect(follows([text, failed], ['re-engagement MESSAGE'])).toEqual({ M: KEY });
	expect(follows([text, failed], ['', ' '])).toEqual(COLLEAGUE);
});
