/** The counting of `npm run test:chaos -- once`: that it sees what that is there to find. */
import { accountForTexts } from '../../load/texts.mts';

const sent = { messageId: '1' };
const alreadySent = { messageId: null, alreadySent: true };
const inDoubt = { error: 'Could not tell', details: { reason: 'unknown_outcome' } };

test('each text is sent, sent before, or in doubt', () => {
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

test('what was accepted twice, or is called sent and was never accepted, is named', () => {
	const account = accountForTexts(['a', 'b', 'c'], [sent, sent, alreadySent], ['a', 'a']);
	expect(account.acceptedTwice).toEqual(['a']);
	expect(account.neverAccepted).toEqual(['b', 'c']);
});

test('an item with another error, and one that is missing, are not accounted for', () => {
	const closed = { error: 'The window is closed', details: { reason: 'window_closed' } };
	expect(accountForTexts(['a', 'b'], [closed], []).failed).toEqual(['The window is closed', 'b']);
});
