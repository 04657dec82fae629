/** Which appointment a reply is about, in Confirm Appointments. */
import type { IDataObject } from 'n8n-workflow';

import { runCode } from './evaluate.mts';

const NOW = '2026-03-02T09:00:00.000Z';
const appointment = (appointmentId: string, more: IDataObject = {}): IDataObject => ({
	id: appointmentId.length,
	appointmentId,
	state: 'asked',
	startsAt: '2026-03-04T09:00:00.000Z',
	key: '019E:ana',
	...more,
});
const tapped = (id: string): IDataObject => ({ reply: { id, title: 'x' }, text: 'x' });

/** Runs the node's code. @returns `appointment: state`, `unclear`, or undefined */
function meant(message: IDataObject, rows: IDataObject[]): string | undefined {
	const json = { timestamp: NOW, messageId: 'M1', sessionId: '019E:ana' };
	const given = { 'When a Customer Replies': [{ ...json, ...message }], '': rows };
	const [item, ...others] = runCode('confirm-appointments', 'Which One Is Meant?', given);
	if (others.length > 0) return 'unclear';
	if (item?.state === '') return 'reported';
	return item && `${String(item.appointmentId)}: ${String(item.state)}`;
}

const T = Date.parse('2026-03-04T09:00:00.000Z');
/** The ID of a button, of this time. */
const button = (state: string, id: string, time = T) =>
	tapped(`appointment:${state}:${time}:${id}`);
const two = [appointment('A-1'), appointment('A:2:x')];
const one = (more: IDataObject = {}) => [appointment('A-1', more)];
const confirms = button('confirmed', 'A-1');
const cancels = { text: 'Please cancel it' };
const person = { reply: { id: 'person' }, text: 'Another time' };
const yes = { reply: { title: 'Yes, I will come' }, text: 'Yes, I will come' };
const past = { startsAt: '2026-03-01T09:00:00.000Z' };
const replied = { repliedAt: '2026-03-02T09:00:01.000Z' };
const confirmed = { state: 'confirmed' };

type Case = [what: string, message: IDataObject, rows: IDataObject[], expected?: string];

test.each<Case>([
	['a tap', confirms, two, 'A-1: confirmed'],
	['an ID with colons', button('another time', 'A:2:x'), two, 'A:2:x: another time'],
	['a second tap', button('cancelled', 'A-1'), one(confirmed), 'A-1: cancelled'],
	["a tap on somebody else's", button('confirmed', 'B-1'), two, undefined],
	['a made-up state', button('paid', 'A-1'), two, undefined],
	[
		'an old button, and it has another time',
		button('confirmed', 'A-1', T - 60_000),
		one(),
		'reported',
	],
	[
		'an old button, and it is to be asked anew',
		button('cancelled', 'A-1', 1),
		one({ state: 'to ask' }),
		'reported',
	],
	["another message's button", person, one(), undefined],
	['words, and one is open', { text: ' another TIME. ' }, one(), 'A-1: another time'],
	['a tap without an ID', yes, [...one(), appointment('A-2', confirmed)], 'A-1: confirmed'],
	['words, and several are open', cancels, two, 'unclear'],
	['the last word, and it is answered', cancels, one(confirmed), 'A-1: cancelled'],
	['a word that takes an answer back', { text: 'no' }, one(confirmed), 'reported'],
	['a word of thanks afterwards', { text: 'ok' }, one({ state: 'cancelled' }), undefined],
	['words, and none was asked', cancels, one({ state: 'to ask' }), undefined],
	['a row of an older spelling', confirms, one({ key: '019e-:ana' }), 'A-1: confirmed'],
	["another customer's row", confirms, one({ key: '019E:Ana' }), undefined],
	...[
		'yes',
		'Ok!',
		'👍',
		'1',
		'Yes please',
		'2',
		'No',
		'3.',
		'cancel',
		'👎',
		'Another time?',
		'Please cancel it？',
	].map((text): Case => [`${text}, and one is open`, { text }, one(), 'reported']),
	['other words, and one is open', { text: 'Where are you?' }, one(), 'reported'],
	['a file without words', { text: null }, one(), 'reported'],
	['a long text', { text: `${cancels.text}${'\u0301'.repeat(200)}` }, one(), 'reported'],
	['other words, and several are open', { text: 'Where are you?' }, two, 'unclear'],
	['a tap on one that is over', confirms, one(past), undefined],
	['an older reply that arrives late', confirms, one(replied), undefined],
])('%s', (_what, message, rows, expected) => {
	expect(meant(message, rows)).toBe(expected);
});
