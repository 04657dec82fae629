/** The counting of `npm run test:chaos -- once`, which must see the faults that it looks for. */
import { accountForTexts } from '../../load/texts.mts';

const sent = { messageId: '1' };
const alreadySent = { messageId: null, alreadySent: true };
const inDoubt = { error: 'Could not tell', details: { reason: 'unknown_outcome' } };

test('counts each text as sent, sent before, or of unknown outcome', () => {
	expect(
		accountForTexts(
			['a', 'b', 'c', 'd'],
			[sent, alreadySent, inDoubt, inDoubt],
			['a', 'b', 'c', 'of another run'],
		),
	).toEqual({
		sent: 1,
		alreadySent: 1,
		inDoubt: 2,
		failed: [],
		acceptedTwice: [],
		neverAccepted: [],
		inDoubtAndAccepted: 1,
	});
});

test('names texts that were accepted twice, or reported as sent and never accepted', () => {
	const account = accountForTexts(['a', 'b', 'c'], [sent, sent, alreadySent], ['a', 'a']);
	expect(account.acceptedTwice).toEqual(['a']);
	expect(account.neverAccepted).toEqual(['b', 'c']);
});

test('does not account for items with another error, or missing ones', () => {
	const closed = { error: 'The window is closed', details: { reason: 'window_closed' } };
	expect(accountForTexts(['a', 'b'], [closed], []).failed).toEqual(['The window is closed', 'b']);
});
