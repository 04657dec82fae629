/** Which appointment a reply is about, in Confirm Appointments. */
import type { IDataObject } from 'n8n-workflow';

import { runCode } from './evaluate.mts';

const NOW = '2026-03-02T09:00:00.000Z';
const appointment = (appointmentId: string, more: IDataObject = {}): IDataObject => ({
	id: appointmentId.length,
	appointmentId,
	state: 'asked',
	startsAt: '2026-03-04T09:00:00.000Z',
	...more,
});
const tapped = (id: string): IDataObject => ({ reply: { id, title: 'x' }, text: 'x' });

/** Runs the node's code. @returns `appointment: state`, `unclear`, or undefined */
function meant(message: IDataObject, rows: IDataObject[]): string | undefined {
	const json = { timestamp: NOW, messageId: 'M1', channelId: 'C', sender: { identifier: '55' } };
	const given = { 'When a Customer Replies': [{ ...json, ...message }], '': rows };
	const [item, ...others] = runCode('confirm-appointments', 'Which One Is Meant?', given);
	if (others.length > 0) return 'unclear';
	return item && `${String(item.appointmentId)}: ${String(item.state)}`;
}

const two = [appointment('A-1'), appointment('A:2:x')];
const one = (more: IDataObject = {}) => [appointment('A-1', more)];
const confirms = tapped('appointment:confirmed:A-1');
const cancels = { text: 'Please cancel it' };
const person = { reply: { id: 'person' }, text: 'Another time' };
const yes = { reply: { title: 'Yes, I will come' }, text: 'Yes, I will come' };
const past = { startsAt: '2026-03-01T09:00:00.000Z' };
const replied = { repliedAt: '2026-03-02T09:00:01.000Z' };
const confirmed = { state: 'confirmed' };

test.each<[string, IDataObject, IDataObject[], string | undefined]>([
	['a tap', confirms, two, 'A-1: confirmed'],
	['an ID with colons', tapped('appointment:another time:A:2:x'), two, 'A:2:x: another time'],
	['a second tap', tapped('appointment:cancelled:A-1'), one(confirmed), 'A-1: cancelled'],
	["a tap on somebody else's", tapped('appointment:confirmed:B-1'), two, undefined],
	['a made-up state', tapped('appointment:paid:A-1'), two, undefined],
	["another message's button", person, one(), undefined],
	['words, and one is open', { text: ' another TIME. ' }, one(), 'A-1: another time'],
	['a tap without an ID', yes, [...one(), appointment('A-2', confirmed)], 'A-1: confirmed'],
	['words, and several are open', cancels, two, 'unclear'],
	['words, and none is open', cancels, one(confirmed), undefined],
	['a long text', { text: `${cancels.text}${'\u0301'.repeat(200)}` }, one(), undefined],
	['other words', { text: 'Where are you?' }, two, undefined],
	['a tap on one that is over', confirms, one(past), undefined],
	['an older reply that arrives late', confirms, one(replied), undefined],
])('%s', (_what, message, rows, expected) => {
	expect(meant(message, rows)).toBe(expected);
});
