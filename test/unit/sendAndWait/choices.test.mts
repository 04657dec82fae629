/** The one comparison for choices, labels of an approval and quick replies of a template. */
import * as fc from 'fast-check';

import {
	checkChoices,
	checkLabels,
	fitButtons,
	listChoices,
	matchChoice,
	matchLabel,
	matchTitle,
} from '#nodes/resources/message/sendAndWait/kinds/matchChoices.ts';
import {
	idOfButton,
	withChoices,
} from '#nodes/resources/message/sendAndWait/inChat/questionButtons.ts';
import { formsOfLabels, namedBy, readingsOf } from '#nodes/shared/texts/sameWords.ts';

const TIMES = ['Manhã', 'Tarde', 'Noite', 'Amanhã'];
const DAYS = ['Monday', 'Tuesday morning', 'Não'];
const MONTHS = Array.from({ length: 120 }, (_, index) => `Month ${index + 1} of ten years`);
const BOTH = ['Sim', 'Não'];
const LONG = 'word '.repeat(101);
const byAna = (text: string | null) => ({ text, author: 'Ana D’Ávila' });

/** Choices, the index of one, and replies that all name it. */
it.each<[string[], number | undefined, Array<string | null>]>([
	// The very line that the question showed, and what people make of it.
	[TIMES, 1, ['2. Tarde', '2 - Tarde', '2) tarde', '2: TARDE!', '2 tarde', '(2) Tarde']],
	[TIMES, 1, ['*2. Tarde*', '2️⃣ Tarde', '2. Tarde 👍', '👉 2. Tarde']],
	[TIMES, 3, ['٤. Amanhã']],
	[TIMES, undefined, ['2. Manhã', '2Tarde', '7. Tarde', '2. Tarde ou Noite']],
	// Numbers, also in other scripts.
	[DAYS, 1, [' 2 ', '2.', '2️⃣', '(2', '2)…']],
	[TIMES, 1, ['٢', '۲', '२', '２', '②', '๒.', '2 👍', '👍 2', '二', '二。', '㊁', '二、Tarde']],
	[MONTHS, 11, ['12', '十二']],
	[MONTHS, 9, ['十']],
	[MONTHS, 98, ['九十九']],
	[MONTHS, 119, ['120']],
	// A number that is none.
	[TIMES, undefined, ['-2', '+2', '2.0', '2,5', '2%', '2/3', '22', '०', '٥', '2?3', '0002']],
	[DAYS, undefined, ['0', '4', '-1', '1 or 2', '12']],
	[MONTHS, undefined, ['121', '0012', '+1', '0x1', '1e1', '1.0', 'Month1of ten years']],
	[['1', '2', '7'], undefined, ['-1']],
	[['0', '7'], undefined, ['1.0']],
	// Words before the number.
	[['5', '10'], 1, ['10', '10 👍']],
	[['5', '2'], 1, ['2', '२']],
	// Buttons show no numbers: beside digits a number names the only label that has it alone.
	[['5', '10%'], 1, ['10']],
	[['2%', '1%'], 1, ['1']],
	[['3', '2', '1'], 0, ['3', '*Ana:*\n3', '三']],
	[['9 am', '11 am', '2 pm'], 2, ['2', '२', '2️⃣', '2.', '👍 2']],
	[['9 am', '11 am', '2 pm'], undefined, ['1', '3', '2?', '-2', '+2', '2%', '2, 9', '三', '2 am']],
	[['2 people', '1 person', '3 people'], 1, ['1']],
	[['2 pessoas', '9 pessoas'], 0, ['𝟮 pessoas', '𝟮']],
	[['2 kg', '2 l', 'None'], undefined, ['2', '3']],
	[['2–3 people', '4 people'], undefined, ['2', '3', '1']],
	[['-2 °C', '2.5 °C', '9:30'], undefined, ['2', '5', '9', '30']],
	[['-2 °C', '2.5 °C', '9:30'], 1, ['2.5']],
	[['二人', '一人'], undefined, ['1', '2']],
	// In a list they are in sight.
	[['9 am', '2 pm', '11 am', '12 am'], 1, ['2', '2. 2 pm']],
	[['9 am', '2 pm', '11 am', '12 am'], 2, ['3', '3. 11 am']],
	[['9 am', '2 pm', '11 am', '12 am'], undefined, ['9', '12']],
	[['2 kg', '2 l', '3 kg', '3 l'], 2, ['3']],
	// Accents, emoji, signs, case.
	[DAYS, 0, ['monday', 'MONDAY!', '((Monday))', '**Monday**!', 'Monday .', '"Monday"']],
	[DAYS, 0, ['. Monday', '…Monday…']],
	[DAYS, 1, ['“Tuesday   morning”']],
	[DAYS, undefined, ['Tuesday', '', ' ', '!', '"..."', null]],
	[TIMES, 3, ['Amanha', 'AMANHÃ', 'amanha\u0303']],
	[TIMES, 0, ['manha 🌞', '"Manhã"...']],
	[BOTH, 1, ['nao', 'NÃO.']],
	[BOTH, 0, ['Sim 👍', '👍🏽 sim!!', '…sim…']],
	[BOTH, undefined, ['s-i-m', 'sim sim', 'sim ou não?', 'não sei se sim', 'não\nsim']],
	[['👍 Sim', '👎 Não'], 0, ['sim']],
	[['Ναι', 'Όχι'], 1, ['ΟΧΙ']],
	[['Ещё', 'Нет'], 0, ['еще']],
	[['Łódź', 'Kraków'], 0, ['lodz']],
	[['D’accord', 'Non'], 0, ["d'accord"]],
	[['نعم', 'لا'], 0, ['\u200Fنعم\u200F', 'نَعَمْ', 'نعــم']],
	[['Straße', 'Platz'], 0, ['strasse', 'STRASSE']],
	[['Coração', 'Cœur'], 1, ['coeur', 'CŒUR!']],
	[['Cœur', 'Coeur'], 1, ['Coeur', '2']],
	[['Cœur', 'Coeur'], 0, ['cœur']],
	[['col·lecció', 'Non'], 0, ['coŀleccio', 'Colleccio']],
	[['Yoʻq', 'Ha'], 0, ["yo'q", 'yo’q']],
	[['हाँ', 'नहीं'], 0, ['हां']],
	[['അവന്\u200D', 'X'], 0, ['അവൻ']],
	[['はい', 'キャンセル'], 1, ['きゃんせる', 'ｷｬﾝｾﾙ', 'キヤンセル']],
	// What people type for each other in Arabic and Persian.
	[['على', 'کتاب', 'مدرسة'], 0, ['علی', 'علي']],
	[['على', 'کتاب', 'مدرسة'], 1, ['كتاب']],
	[['على', 'کتاب', 'مدرسة'], 2, ['مدرسه']],
	[['ابدأ', 'آری', 'ادامه'], 0, ['ابدا']],
	[['ابدأ', 'آری', 'ادامه'], 1, ['اری']],
	[['ابدأ', 'آری', 'ادامه'], 2, ['إدامه']],
	// "Never" is not "begin": no hamza moves.
	[['ابدأ', 'لا'], undefined, ['أبداً', 'أبدا', 'ٱبدأ']],
	// Marks of other scripts are letters of their own.
	[['का', 'की'], 1, ['की']],
	[['か', 'が'], 1, ['が']],
	// A phone that signs.
	[TIMES, 1, ['*Ana:*\n2', '*Ana*:\r\n\r\ntarde', '*Ana Souza:*\n2. Tarde']],
	[TIMES, 1, ['_Ana:_\n2', 'Ana:\r\ntarde', '*Ana D’Ávila*\n2. Tarde']],
	[TIMES, undefined, ['*Ana:*', '*Ana:*\n*Rui:*\n2', 'Ana\n2', 'at 9:\n2', '二三']],
	[TIMES, undefined, ['Not:\n2', 'Anything but:\ntarde', '*Cancela*\n2', 'Rui:\n2', 'An:\n2']],
	[BOTH, undefined, ['*Ana:*\nsim ou não?', 'Não:\nsim', '*Não*\nsim', '*1*\nnão', '_Não:_\nsim']],
	// Choices that become equal, or empty, compare exactly.
	[['C', 'C++'], 0, ['c']],
	[['C', 'C++'], 1, ['C++', '2. c++']],
	[['C', 'C++'], undefined, ['2. c', 'C#']],
	[['Pão', 'Pao'], 1, ['Pao']],
	[['Pão', 'Pao'], 0, ['pão']],
	[['Maße', 'Masse'], 1, ['MASSE']],
	[['👍', '👎'], 0, ['👍', '👍️']],
	[['👍', '👎'], 1, ['👎', '2 👎']],
	[['👍', '👎'], undefined, ['🤷']],
	[['Sim 👍', 'Sim 👎'], 1, ['sim 👎']],
	[['Sim 👍', 'Sim 👎'], undefined, ['sim']],
	[['+', '-'], 0, ['+']],
	[['I', 'II'], undefined, ['ℹ️']],
	// More than 500 characters name no choice, and are compared unchanged.
	[DAYS, 0, [`Monday${'.'.repeat(494)}`]],
	[DAYS, undefined, [`Monday${'.'.repeat(495)}`]],
	[[LONG, `${LONG}.`], undefined, [LONG]],
	[[LONG, `${LONG}.`], 0, ['1']],
])('of %j, the one at %p is %j', (choices, index, replies) => {
	expect(() => checkChoices(choices)).not.toThrow();
	const found = replies.map((reply) => [reply, matchChoice(byAna(reply), choices, 'reply')]);
	expect(found).toEqual(replies.map((reply) => [reply, index]));
});

it.each<[string[], number | undefined, Array<string | null>]>([
	[BOTH, 1, ['nao', ' NÃO! ', '*Ana:*\nNAO']],
	[BOTH, 0, ['Sim 👍', '_Ana:_\nsim', '*Ana D’Ávila*:\nsim', '*Ana*\nsim', 'ana:\r\n\r\nsim']],
	[BOTH, undefined, ['*Rui:*\nsim', '*An:*\nsim', '*I do NOT:*\nsim', '*🚫:*\nsim', '*:*\nsim']],
	[BOTH, undefined, ['_De jeito nenhum:_\nsim', '*Ana ✗:*\nsim', 'Ana 👎:\nsim', '*Ana?:*\nsim']],
	[BOTH, undefined, ['Ana:\n*Rui:*\nsim', '*Ana:*\n🚫\nsim', '.\nsim', 'sim\nAna']],
	[['✅', '❌'], 0, ['✅', '✅!', '"✅"']],
	[['✅', '❌'], undefined, ['!✅', '✅:', '~✅~', '✅ ❌']],
	[['Pay 100', 'Pay 9'], 1, ['9', ' 9. ', '*Ana D’Ávila*:\n9 👍', 'pay 𝟵']],
	[
		['Pay 100', 'Pay 9'],
		undefined,
		['1', '2', '-9', '9?', '9%', '9 👎', '9:', '1. Pay 100', 'for 9'],
	],
	[BOTH, undefined, ['1', '2', '1. Sim', 'sim ou não?', '', null, '*Não:*\nsim', '*Talvez*\nsim']],
])('of the labels %j, the one at %p is %j: its words, not its place', (labels, index, replies) => {
	expect(() => checkLabels(labels, ['One', 'Other'])).not.toThrow();
	const found = replies.map((reply) => [reply, matchLabel(byAna(reply), labels, 'approval')]);
	expect(found).toEqual(replies.map((reply) => [reply, index]));
});

it('no reply names a label that is blank, too long or not there', () => {
	for (const [reply, labels] of [
		['!', ['?']],
		['', ['?']],
		[LONG, [LONG]],
		['Yes', []],
	] as const)
		expect(matchLabel(byAna(reply), labels, 'approval')).toBeUndefined();
});

it.each<[string[], string]>([
	[['Yes', 'yes.'], '"Choices" holds "yes." twice'],
	[[LONG, LONG], 'twice'],
	[['Yes', '?'], '"Choices" holds "?", which nobody can reply with'],
	[['2', '1', '3', '4'], '"Choices" holds "2" in position 1'],
	[['9 am', '11 am', '2 pm', '4 pm'], '"Choices" holds "2 pm" in position 3. As a reply, 2 could'],
	[
		['二', '一', '三', '四'],
		'"Choices" holds "二" in position 1. As a reply, 2 could mean either.',
	],
])('refuses and names choices that nobody can tell apart: %j', (choices, words) => {
	expect(() => checkChoices(choices)).toThrow(words);
});

it.each<[string[], string]>([
	[['Yes', '?'], '"Decline" is "?"'],
	[['Yes', 'yes!'], '"Approve" and "Decline" are the same words'],
])('refuses the labels %j, and names their fields', (labels, words) => {
	expect(() => checkLabels(labels, ['Approve', 'Decline'])).toThrow(words);
});

describe('in a message', () => {
	const inChat = { id: 'q1', choices: ['Approve', 'Decline'], buttons: true };
	const body = { message: 'Which?' };
	const lines = { message: 'Which?\n\n1. Approve\n2. Decline' };

	it.each<[string[], boolean]>([
		[['A'.repeat(20), 'B', 'C'], true],
		[['A'.repeat(21)], false],
		[['A', 'B', 'C', 'D'], false],
		[[], false],
	])('%j fit on buttons: %j', (choices, fit) => expect(fitButtons(choices)).toBe(fit));

	it('choices are buttons with an ID of its own each, numbered lines, or not there', () => {
		const [approve, decline] = [0, 1].map((index) => ({ id: idOfButton(inChat.id, index) }));
		expect([approve, decline]).toEqual([{ id: 'n8n-question:q1:1' }, { id: 'n8n-question:q1:2' }]);
		expect(withChoices('Which?', inChat)).toMatchObject({
			...{ type: 'INTERACTIVE_BUTTON', body },
			attachments: [
				{ ...approve, title: 'Approve' },
				{ ...decline, title: 'Decline' },
			],
		});
		const asLines = withChoices('Which?', { ...inChat, buttons: false });
		expect(asLines).toEqual({ type: 'TEXT', body: lines });
		const asked = withChoices('Which?', { id: 'q1', choices: [], buttons: false });
		expect(asked).toEqual({ type: 'TEXT', body });
	});
});

it('a label is named by one of the forms of a text, so that they can be compared as hashes', () => {
	const labels = formsOfLabels(['Sim', 'Não', 'C', 'C++', '👍', 'Certo?', '7 days']);
	const named = (text: string) =>
		namedBy(readingsOf(byAna(text), 'approval'), (form) => {
			const index = labels.findIndex((forms) => forms.includes(form));
			return index < 0 ? undefined : index;
		});
	expect(['nao', 'C++', '👍', '*Ana:*\nSIM!', 'certo?', 'certo', '7'].map(named)).toEqual([
		...[1, 3, 4, 0, 5, 5, 6],
	]);
	for (const text of ['talvez', '', '!?', 'sim ou não', 'sim?', '*Não:*\nsim', LONG])
		expect(named(text)).toBeUndefined();
});

it('letters that are the same to Unicode name a label', () => {
	const compare = (sensitivity: 'accent' | 'base') =>
		new Intl.Collator('und', { sensitivity }).compare;
	const all = Array.from({ length: 0x20_000 }, (_, code) => String.fromCodePoint(code));
	const latin = all.filter((sign) => /(?=\p{L})\p{Script=Latin}/u.test(sign));
	const kana = all.filter((sign) => /(?=\p{L})[\p{Script=Hira}\p{Script=Kana}]/u.test(sign));
	const ascii = latin.slice(26, 52);
	const bases = [...ascii, ...ascii.flatMap((one) => ascii.map((other) => one + other))];
	const hiragana = kana.filter((sign) => sign < '\u3097');
	const pairs = (letters: string[], others: string[], isSame: (a: string, b: string) => number) =>
		letters.flatMap((letter) =>
			others.filter((other) => isSame(letter, other) === 0).map((other) => [letter, other]),
		);
	const same = [
		...pairs(latin, bases, compare('base')),
		...pairs(kana, hiragana, compare('accent')),
	];
	expect(same.length).toBeGreaterThan(1000);
	const named = same.filter(
		([letter, other]) => matchChoice(byAna(`x${other}x`), [`x${letter}x`, 'No'], 'reply') === 0,
	);
	expect(named).toEqual(same);
});

it('words also have the form in which an earlier version kept a label', () => {
	const forms = ['CŒUR!', 'ابدأ'].map((text) => readingsOf(byAna(text), 'approval')[0]?.forms);
	expect(forms).toEqual([
		expect.arrayContaining(['~cœur']) as string[],
		expect.arrayContaining(['~ابدأ']) as string[],
	]);
});

describe('words that may mean no', () => {
	/** With those of Armenian, Ethiopic, Limbu, Coptic, Vai, Bamum, Chakma and Adlam. */
	const QUESTIONS = [
		...Array.from('?¿؟？;;；⁇⁈⁉‽❓❔﹖︖⸘⸮⹔≟⍰'),
		...Array.from('\u055E\u1367\u1945\u2CFA\u2CFB\uA60F\uA6F7\u{11143}\u{1E95F}🙹🙺🙻'),
	];
	const DENIALS = [...Array.from('≠!¬~✗✘✕×⊘∅！￢～'), '=\u0338', '＝\u0338'];
	/** Strokes, rings and bars through each letter, and signs around it. */
	const STRUCK = Array.from(
		'\u0334\u0335\u0336\u0337\u0338\u20D2\u20D8\u20DD\u20E0\u20E5\u20EA\u0489',
	).map((mark) => `S${mark}i${mark}m${mark}`);
	const AGREEING = ['👍', '👌', '🙏', '✅', '✔', '☑', '🆗', '💯', '🙂', '😊', '😀', '❤'];
	const REFUSING = ['👎', '❌', '✖', '🚫', '⛔', '🙅', '🤷', '🤔', '💔', '😡'];
	/** No answer to an approval, but none that refuses a choice either. */
	const OTHERS = ['🤡', '🚀', '😕', '🇩🇪', '❤️‍🔥', '🙂‍↔️', '☒', '✗', '✘'];
	const styles = (sign: string) => [sign, `${sign}\uFE0F`, `${sign}\uFE0E`, `${sign}🏽`];
	const beside = (signs: string[]) =>
		signs.flatMap(styles).flatMap((sign) => [`Sim ${sign}`, `Sim${sign}`, `${sign} sim`]);
	const behind = (sign: string) => [`sim${sign}`, `Sim ${sign}`, `(Sim) ${sign}.`];
	const inFront = (sign: string) => [
		`${sign} sim`,
		`${sign}Sim`,
		`"${sign}sim"`,
		`👍 ${sign} sim`,
		`\u200B${sign} sim`,
	];
	const SIGNED = Array.from(`≠!¬~×！￢～`).flatMap(behind);

	const matched = (texts: readonly string[], answers: 'approval' | 'reply', author = 'Ana') => {
		const match = answers === 'reply' ? matchChoice : matchLabel;
		return texts.map((text) => [text, match({ text, author }, BOTH, answers)]);
	};
	const all = (texts: readonly string[], index: number | undefined) =>
		texts.map((text) => [text, index]);

	it.each(['approval', 'reply'] as const)('name nothing as an answer: %s', (answers) => {
		const asked = QUESTIONS.flatMap((sign) => [...behind(sign), `${sign} sim`, `Sim.${sign}`]);
		const doubtful = [...asked, ...DENIALS.flatMap(inFront), ...beside(REFUSING), ...STRUCK];
		for (const texts of [doubtful, doubtful.map((text) => `*Ana:*\n${text}`)])
			expect(matched(texts, answers)).toEqual(all(texts, undefined));
		expect(matched(beside(AGREEING), answers)).toEqual(all(beside(AGREEING), 0));
		for (const author of ['Ana?', '❌ Ana', '!Ana']) {
			const signature = [`*${author}:*\nsim`, `*${author}*:\nsim`];
			expect(matched(signature, answers, author)).toEqual(all(signature, 0));
		}
	});

	it('are no reply with such a sign in front, but one with it behind', () =>
		expect(matched(SIGNED, 'reply')).toEqual(all(SIGNED, 0)));

	/** What is allowed around an approval, beside the closing brackets behind it. */
	const QUOTES = Array.from('"\'«»‘’‚‛“”„‟‹›⹂「」『』〝〞〟﹁﹂﹃﹄＂＇｢｣');
	const AROUND = [...QUOTES, ...AGREEING, '*', '_', '¡'];
	const ENDS = [
		...Array.from('.。．｡︒﹒۔։።។᠃᠉।॥။၊܀܁܂‥…︙!！﹗՜߹᥄,，﹐︐、､﹑︑،՝߸፣᠂᠈⸲⸴⹁⹉⹌꓾꘍꛵།'),
		'...',
		'!!!',
	];
	const SIGNS = Array.from({ length: 0x2_0000 }, (_, code) => String.fromCodePoint(code)).filter(
		(sign) => /[\p{P}\p{S}]/u.test(sign),
	);
	const approves = (text: string) => matchLabel(byAna(text), BOTH, 'approval') === 0;

	it('are no approval with a sign that is not known to change nothing, and there are few', () => {
		const allowed = [...AROUND, ...SIGNS.filter((sign) => /\p{Ps}/u.test(sign))];
		const inFrontOf = SIGNS.filter((sign) => approves(`${sign} sim`));
		expect(inFrontOf.filter((sign) => !allowed.includes(sign))).toEqual([]);
		const after = SIGNS.filter((sign) => approves(`Sim ${sign}`));
		const closing = /[\p{Pe}\p{Sentence_Terminal}]/u;
		const known = [...allowed, ...ENDS];
		expect(after.filter((sign) => !known.includes(sign) && !closing.test(sign))).toEqual([]);
		for (const sign of [...AROUND, '(', '［'])
			for (const text of [`${sign}Sim`, `Sim ${sign}`, `_${sign}\n sim!${sign}_`])
				expect([text, approves(text)]).toEqual([text, true]);
		for (const sign of [...ENDS, ')', '」', '） ! 👍🏽'])
			expect([sign, approves(`Sim${sign}`)]).toEqual([sign, true]);
	});

	it.each(['Sim :(', 'Sim >:-(', 'sim =)', '〜Sim〜', '~sim~', '`sim`', '≢ sim', '˜sim˜', 'ℹ sim'])(
		'are no approval: %j',
		(text) => expect(approves(text)).toBe(false),
	);

	it('are an approval with the signs of its label, at their place, or without them', () => {
		const labels = ['✕ Não + nunca #', '🚀 Sim / já'];
		const named = (text: string) => matchLabel(byAna(text), labels, 'approval');
		const first = ['não nunca', '✕ nao nunca!', '*NÃO + nunca*', '✕ não + nunca', 'nao nunca # 👍'];
		const second = ['sim/já', 'Sim já', '🚀 SIM ja.', '🚀Sim - já'];
		expect(first.map(named)).toEqual(first.map(() => 0));
		expect(second.map(named)).toEqual(second.map(() => 1));
		const none = [
			'não ✕ nunca',
			'não nunca ✕',
			'🚀🚀 sim já',
			'sim já 🚀',
			'+ nao nunca',
			'sim\njá',
		];
		expect(none.map(named)).toEqual(none.map(() => undefined));
	});

	it('are for an approval those with a pictograph that does not agree', () => {
		const texts = beside(OTHERS);
		expect(matched(texts, 'approval')).toEqual(all(texts, undefined));
		const named = beside(OTHERS.filter((sign) => !DENIALS.includes(sign)));
		expect(matched(named, 'reply')).toEqual(all(named, 0));
	});

	it('name no choice by its number, or its line in the list', () => {
		const lines = ['2', '2. Não'];
		const doubtful = lines.flatMap((line) => [
			...QUESTIONS.map((sign) => `${line}${sign}`),
			...DENIALS.map((sign) => `${sign}${line}`),
			...REFUSING.flatMap((sign) => [`${line} ${sign}`, `${sign} ${line}`]),
		]);
		const between = DENIALS.map((sign) => `2. ${sign}Não`);
		for (const texts of [doubtful, between])
			expect(matched(texts, 'reply')).toEqual(all(texts, undefined));
		const plain = ['2!', '2. Não!', '2 👍', '🚀 2. Não'];
		expect(matched(plain, 'reply')).toEqual(all(plain, 1));
	});

	const DENYING = ['❌ Decline', 'Need help?', '¡Sí!', '≠ 2', '👎'];

	it.each(DENYING)('name the label %j, which has the very same signs', (label) => {
		const labels = ['Approve', label];
		for (const text of [label, ` ${label.toUpperCase()}\n`, `*Ana:*\n${label}`]) {
			expect(matchLabel(byAna(text), labels, 'approval')).toBe(1);
			expect(matchChoice(byAna(text), labels, 'reply')).toBe(1);
		}
		expect(matchChoice(byAna(`2. ${label}`), labels, 'reply')).toBe(1);
	});

	it('name no label that has other signs', () => {
		const texts = ['Decline ❌', '✖ Decline', 'Decline?', 'Need help??', '¿Need help?', '!Sí'];
		for (const text of texts) {
			expect(matchLabel(byAna(text), DENYING, 'approval')).toBeUndefined();
			expect(matchTitle(text, DENYING)).toBeDefined();
		}
		expect(matchLabel(byAna('decline'), DENYING, 'approval')).toBe(0);
	});
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
	const given = { examples: [[['!⻳']] as [string[]]] };
	fc.assert(
		fc.property(choiceList, (choices) => {
			const lines = choices.map((choice, index) => `${index + 1}. ${choice}`);
			expect(listChoices(choices)).toBe(lines.join('\n'));
			for (const [index, choice] of choices.entries()) {
				expect(matchChoice(byAna(choice), choices, 'reply')).toBe(index);
				expect(matchChoice(byAna(`  ${choice}\n`), choices, 'reply')).toBe(index);
				const line = lines[index]!;
				expect(matchChoice(byAna(line), choices, 'reply')).toBe(
					matchLabel(byAna(line), choices, 'reply') ?? index,
				);
			}
		}),
		given,
	);
});

it('a choice and what is named by other words never share a reply', () => {
	const words = fc.constantFrom('sim', 'não', 'talvez', 'nunca', 'amanhã');
	const dressed = fc
		.tuple(words, fc.constantFrom('', ' ', '👍', '.', '"', '…', '*'), fc.boolean(), fc.boolean())
		.map(([word, around, isUpper, isPlain]) => {
			const plain = isPlain ? word.normalize('NFD').replace(/\p{M}/gu, '') : word;
			return { word, text: `${around}${isUpper ? plain.toUpperCase() : plain}${around}` };
		});
	const choices = ['Sim', 'Não', 'Talvez', 'Nunca', 'Amanhã'];
	fc.assert(
		fc.property(dressed, dressed, (one, other) => {
			expect(choices[matchChoice(byAna(one.text), choices, 'reply')!]?.toLowerCase()).toBe(
				one.word,
			);
			expect(matchChoice(byAna(`${one.text} ${other.text}`), choices, 'reply')).toBeUndefined();
		}),
	);
});
