import { checkChoices, listChoices, matchChoice } from '../../../nodes/BusinessMessaging/waiting/choices.ts';

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
])('%j is an answer', (answer, index) => {
	expect(matchChoice(answer, days)).toBe(index);
});

test.each(['0', '4', '-1', '1 or 2', 'Tuesday', '', ' ', '!', '12', null])('%j is none of the choices', (answer) => {
	expect(matchChoice(answer, days)).toBeUndefined();
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
