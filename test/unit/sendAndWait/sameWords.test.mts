/** The one comparison for choices, labels of an approval and quick replies of a template. */
import * as fc from 'fast-check';

import {
	checkChoices,
	checkLabels,
	listChoices,
	matchChoice,
	matchLabel,
} from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/kinds/choices.ts';
import { keysOfLabels, keysOfMessage } from '../../../nodes/BusinessMessaging/shared/sameWords.ts';

const TIMES = ['Manhã', 'Tarde', 'Noite', 'Amanhã'];

it.each<[string, string[], number | undefined]>([
	// The very line that the question showed, and what people make of it.
	['2. Tarde', TIMES, 1],
	['2 - Tarde', TIMES, 1],
	['2) tarde', TIMES, 1],
	['2: TARDE!', TIMES, 1],
	['2 tarde', TIMES, 1],
	['(2) Tarde', TIMES, 1],
	['*2. Tarde*', TIMES, 1],
	['2️⃣ Tarde', TIMES, 1],
	['2. Tarde 👍', TIMES, 1],
	['👉 2. Tarde', TIMES, 1],
	['٤. Amanhã', TIMES, 3],
	['2. Manhã', TIMES, undefined],
	['2Tarde', TIMES, undefined],
	['7. Tarde', TIMES, undefined],
	['2. Tarde ou Noite', TIMES, undefined],
	// Numbers in other scripts.
	['٢', TIMES, 1],
	['۲', TIMES, 1],
	['२', TIMES, 1],
	['２', TIMES, 1],
	['②', TIMES, 1],
	['๒.', TIMES, 1],
	['2 👍', TIMES, 1],
	['👍 2', TIMES, 1],
	// A number that is none.
	...['-2', '+2', '2.0', '2,5', '2%', '2/3', '22', '०', '٥', '1 ou 2', '2?3', '0002'].map(
		(text): [string, string[], undefined] => [text, TIMES, undefined],
	),
	['-1', ['1', '2'], undefined],
	['1.0', ['0', '7'], undefined],
	['10', ['5', '10%'], undefined],
	['10 👍', ['5', '10'], 1],
	['1', ['2%', '1%'], 0],
	// Accents, emoji, signs, case.
	['Amanha', TIMES, 3],
	['AMANHÃ', TIMES, 3],
	['amanha\u0303', TIMES, 3],
	['manha 🌞', TIMES, 0],
	['"Manhã"...', TIMES, 0],
	['nao', ['Sim', 'Não'], 1],
	['Sim 👍', ['Sim', 'Não'], 0],
	['👍🏽 sim!!', ['Sim', 'Não'], 0],
	['…sim…', ['Sim', 'Não'], 0],
	['s-i-m', ['Sim', 'Não'], undefined],
	['sim sim', ['Sim', 'Não'], undefined],
	['sim ou não?', ['Sim', 'Não'], undefined],
	['não sei se sim', ['Sim', 'Não'], undefined],
	['sim', ['👍 Sim', '👎 Não'], 0],
	['HAYIR', ['Evet', 'Hayır'], 1],
	['Hayir', ['Evet', 'Hayır'], 1],
	['ΟΧΙ', ['Ναι', 'Όχι'], 1],
	['ναι', ['Ναί', 'Όχι'], 0],
	['еще', ['Ещё', 'Нет'], 0],
	['lodz', ['Łódź', 'Kraków'], 0],
	["d'accord", ['D’accord', 'Non'], 0],
	['п’ять', ['Пʼять', 'Шість'], 0],
	['\u200Fنعم\u200F', ['نعم', 'لا'], 0],
	// Marks of other scripts are letters of their own.
	['की', ['का', 'की'], 1],
	['क', ['का', 'की'], undefined],
	['が', ['か', 'が'], 1],
	['ไม', ['ไม่', 'ใช่'], undefined],
	// A phone that signs.
	['*Ana:*\n2', TIMES, 1],
	['*Ana*:\r\n\r\ntarde', TIMES, 1],
	['*Ana Souza:*\n2. Tarde', TIMES, 1],
	['*Ana:*', TIMES, undefined],
	['*Ana:*\nsim ou não?', ['Sim', 'Não'], undefined],
	['Talvez:\nsim', ['Sim', 'Não'], undefined],
	['*Ana:*\n*Rui:*\n2', TIMES, undefined],
	['não\nsim', ['Sim', 'Não'], undefined],
	// Words before the number.
	['2', ['5', '2'], 1],
	['२', ['5', '2'], 1],
	// Choices that become equal, or empty, compare exactly.
	['c', ['C', 'C++'], 0],
	['C++', ['C', 'C++'], 1],
	['2. c++', ['C', 'C++'], 1],
	['2. c', ['C', 'C++'], undefined],
	['C#', ['C', 'C++'], undefined],
	['Pao', ['Pão', 'Pao'], 1],
	['pão', ['Pão', 'Pao'], 0],
	['👍', ['👍', '👎'], 0],
	['👍️', ['👍', '👎'], 0],
	['👎', ['👍', '👎'], 1],
	['2 👎', ['👍', '👎'], 1],
	['🤷', ['👍', '👎'], undefined],
	['sim 👎', ['Sim 👍', 'Sim 👎'], 1],
	['sim', ['Sim 👍', 'Sim 👎'], undefined],
	['+', ['+', '-'], 0],
	['ℹ️', ['I', 'II'], undefined],
])('%j among %j is %p', (text, choices, index) => {
	expect(() => checkChoices(choices)).not.toThrow();
	expect(matchChoice(text, choices)).toBe(index);
});

it.each<[string, string[], number | undefined]>([
	['nao', ['Sim', 'Não'], 1],
	['Sim 👍', ['Sim', 'Não'], 0],
	['✅', ['✅', '❌'], 0],
	['*Ana:*\nNAO', ['Sim', 'Não'], 1],
	['1', ['Sim', 'Não'], undefined],
	['1. Sim', ['Sim', 'Não'], undefined],
	['sim ou não?', ['Sim', 'Não'], undefined],
])('%j among the labels %j is %p', (text, labels, index) => {
	expect(() => checkLabels(labels, ['One', 'Other'])).not.toThrow();
	expect(matchLabel(text, labels)).toBe(index);
});

it('a label is named by one of the keys of a message, so that keys can be compared as hashes', () => {
	const labels = keysOfLabels(['Sim', 'Não', 'C', 'C++', '👍']);
	const named = (text: string) => keysOfMessage(text).find((key) => labels.includes(key));
	expect(['nao', 'C++', '👍', '*Ana:*\nSIM!'].map(named)).toEqual([
		labels[1],
		labels[3],
		labels[4],
		labels[0],
	]);
	expect(['talvez', '', '!?', 'sim ou não'].map(named)).toEqual([
		undefined,
		undefined,
		undefined,
		undefined,
	]);
	expect(keysOfMessage('word '.repeat(101))).toEqual([]);
});

const anyText = fc.oneof(
	fc.string({ unit: 'grapheme', maxLength: 12 }),
	fc.string({ unit: 'binary', maxLength: 12 }),
	fc.constantFrom(
		'Sim',
		'sim 👍',
		'Não',
		'nao',
		'1',
		'2.',
		'-1',
		'👍',
		'👎',
		'C',
		'C++',
		'٢',
		'1. Sim',
	),
);
const choiceList = fc.array(anyText, { minLength: 1, maxLength: 6 }).filter((choices) => {
	try {
		checkChoices(choices);
		return true;
	} catch {
		return false;
	}
});

it('each choice that is accepted names itself, in the words and in the line that were shown', () => {
	fc.assert(
		fc.property(choiceList, (choices) => {
			const lines = choices.map((choice, index) => `${index + 1}. ${choice}`);
			expect(listChoices(choices)).toBe(lines.join('\n'));
			for (const [index, choice] of choices.entries()) {
				expect(matchChoice(choice, choices)).toBe(index);
				expect(matchChoice(`  ${choice}\n`, choices)).toBe(index);
				const line = lines[index]!;
				expect(matchChoice(line, choices)).toBe(matchLabel(line, choices) ?? index);
			}
		}),
	);
});

it('a choice and what is named by other words never share a reply', () => {
	const words = fc.constantFrom('sim', 'não', 'talvez', 'nunca', 'amanhã');
	const dressed = fc
		.tuple(words, fc.constantFrom('', ' ', '👍', '!', '"', '…', '*'), fc.boolean(), fc.boolean())
		.map(([word, around, isUpper, isPlain]) => {
			const plain = isPlain ? word.normalize('NFD').replace(/\p{M}/gu, '') : word;
			return { word, text: `${around}${isUpper ? plain.toUpperCase() : plain}${around}` };
		});
	const choices = ['Sim', 'Não', 'Talvez', 'Nunca', 'Amanhã'];
	fc.assert(
		fc.property(dressed, dressed, (one, other) => {
			expect(choices[matchChoice(one.text, choices)!]?.toLowerCase()).toBe(one.word);
			expect(matchChoice(`${one.text} ${other.text}`, choices)).toBeUndefined();
		}),
	);
});
