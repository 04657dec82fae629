import {
	checkChoices,
	checkLabels,
	listChoices,
	matchChoice,
	matchLabel,
} from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/kinds/choices.ts';

const days = ['Monday', 'Tuesday morning', 'Não'];

test.each([
	['1', 0],
	[' 2 ', 1],
	['2.', 1],
	['(3)', 2],
	['2️⃣', 1],
	['２', 1],
	['monday', 0],
	['MONDAY!', 0],
	['“Tuesday   morning”', 1],
	['não', 2],
	['NÃO.', 2],
])('%j is a choice', (reply, index) => {
	expect(matchChoice(reply, days)).toBe(index);
});

test.each(['0', '4', '-1', '1 or 2', 'Tuesday', '', ' ', '!', '12', null])(
	'%j is no choice',
	(reply) => {
		expect(matchChoice(reply, days)).toBeUndefined();
	},
);

test('a text of more than 500 characters names no choice, and is compared unchanged', () => {
	expect(matchChoice(`Monday${'.'.repeat(494)}`, days)).toBe(0);
	expect(matchChoice(`Monday${'.'.repeat(495)}`, days)).toBeUndefined();
	const long = 'word '.repeat(101);
	expect(matchChoice(long, [long])).toBeUndefined();
	expect(matchChoice('1', [long])).toBe(0);
	expect(() => checkChoices([long, long])).toThrow('twice');
	expect(() => checkChoices([long, `${long}.`])).not.toThrow();
});

test.each([
	['((Monday))', 0],
	['**Monday**!?', 0],
	['Monday .', 0],
	['"Monday"', 0],
	['(2', 1],
	['2)…', 1],
	['. Monday', 0],
	['…Monday…', 0],
	['"..."', undefined],
])('ignores punctuation around a choice: %j', (reply, index) => {
	expect(matchChoice(reply, days)).toBe(index);
});

test('a number means the label with that number before the place', () => {
	expect(matchChoice('10', ['5', '10'])).toBe(1);
	expect(matchChoice('2', ['5', '10'])).toBe(1);
});

test('refuses and names choices that nobody can tell apart', () => {
	expect(() => checkChoices(['Yes', 'yes.'])).toThrow('"Choices" holds "yes." twice');
	expect(() => checkChoices(['Yes', '?'])).toThrow(
		'"Choices" holds "?", which nobody can reply with',
	);
	expect(() => checkChoices(['2', '1'])).toThrow('"Choices" holds "2" in position 1');
	expect(() => checkChoices(['1', '2', '7'])).not.toThrow();
	expect(() => checkChoices([])).not.toThrow();
});

test('lists the choices with numbers', () => {
	expect(listChoices(['Yes', 'No'])).toBe('1. Yes\n2. No');
});

test("takes a label's words, and not its number", () => {
	expect(matchLabel(' NÃO! ', days)).toBe(2);
	expect(matchLabel('2', days)).toBeUndefined();
	expect(matchLabel('', days)).toBeUndefined();
	expect(matchLabel(null, days)).toBeUndefined();
	expect(matchLabel('Yes', [])).toBeUndefined();
});

test('refuses labels that nobody can reply with or tell apart, and names their fields', () => {
	const fields = ['Approve Button Label', 'Decline Button Label'];
	expect(() => checkLabels(['Yes', '?'], fields)).toThrow('"Decline Button Label" is "?"');
	expect(() => checkLabels(['Yes', 'yes!'], fields)).toThrow(
		'"Approve Button Label" and "Decline Button Label" are the same words',
	);
	expect(() => checkLabels(['Yes', 'No'], fields)).not.toThrow();
});
