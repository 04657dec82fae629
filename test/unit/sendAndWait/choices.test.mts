import {
	checkChoices,
	checkLabels,
	listChoices,
	matchChoice,
	matchLabel,
} from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/choices.ts';

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
	'%j is none of the choices',
	(reply) => {
		expect(matchChoice(reply, days)).toBeUndefined();
	},
);

test('a text of more than 500 characters names no choice, and is compared as it is', () => {
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
	['. Monday', undefined],
	['…Monday…', undefined],
	['"..."', undefined],
])('punctuation that may stand around a choice: %j', (reply, index) => {
	expect(matchChoice(reply, days)).toBe(index);
});

test('a label that is a number is meant before a place', () => {
	expect(matchChoice('10', ['5', '10'])).toBe(1);
	expect(matchChoice('2', ['5', '10'])).toBe(1);
});

test('choices that nobody could tell apart are refused, and named', () => {
	expect(() => checkChoices(['Yes', 'yes.'])).toThrow('"Choices" holds "yes." twice');
	expect(() => checkChoices(['Yes', '?'])).toThrow('"Choices" holds "?", which nobody can answer');
	expect(() => checkChoices(['2', '1'])).toThrow('"Choices" holds "2" in place 1');
	expect(() => checkChoices(['1', '2', '7'])).not.toThrow();
	expect(() => checkChoices([])).not.toThrow();
});

test('the choices are listed with numbers', () => {
	expect(listChoices(['Yes', 'No'])).toBe('1. Yes\n2. No');
});

test('the words of a label name it, and its number does not', () => {
	expect(matchLabel(' NÃO! ', days)).toBe(2);
	expect(matchLabel('2', days)).toBeUndefined();
	expect(matchLabel('', days)).toBeUndefined();
	expect(matchLabel(null, days)).toBeUndefined();
	expect(matchLabel('Yes', [])).toBeUndefined();
});

test('labels that nobody could reply with, or tell apart, are refused, and their fields named', () => {
	const fields = ['Approve Button Label', 'Disapprove Button Label'];
	expect(() => checkLabels(['Yes', '?'], fields)).toThrow('"Disapprove Button Label" is "?"');
	expect(() => checkLabels(['Yes', 'yes!'], fields)).toThrow(
		'"Approve Button Label" and "Disapprove Button Label" are the same words',
	);
	expect(() => checkLabels(['Yes', 'No'], fields)).not.toThrow();
});
