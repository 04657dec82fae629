/** What the chat application refuses for certain is refused before it is sent, by its name. */
import { checkDefinition, parameterFormatOf } from '#nodes/service/template/definition.ts';
import { PARTS_OF_LIST } from '#nodes/service/template/mistakes.ts';
import { ACCESS_CODE, listed, NAMED, ORDER } from './samples.mts';

const BODY = { type: 'BODY', text: 'Hello' };
const NAMES = { ...PARTS_OF_LIST, body: '"Body"', header: '"Header"', footer: '"Footer"' };
const check = (components: object[], category = 'UTILITY') =>
	checkDefinition(listed(components).components ?? [], category, NAMES);
const body = (text: string, samples: string[] = ['Ana', '1042', 'x']) => [
	{ type: 'BODY', text, example: { body_text: [samples] } },
];
const header = (text: string, ...samples: string[]) => [
	{ type: 'HEADER', format: 'TEXT', text, example: { header_text: samples } },
	BODY,
];
const NAMED_BODY = {
	...{ type: 'BODY', text: 'Hi {{name}}, hello.' },
	example: { body_text_named_params: [{ param_name: 'name', example: 'Ana' }] },
};
const buttons = (...all: object[]) => [BODY, { type: 'BUTTONS', buttons: all }];
const link = (url: string, example?: string[]) =>
	buttons({ type: 'URL', text: 'Open', url, ...(example ? { example } : {}) });
const urls = (count: number, path = '') =>
	Array.from({ length: count }, () => ({
		...{ type: 'URL', text: 'Open', url: `https://shop.example/o/${path}` },
	}));
const phone = { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+5500000000001' };
const code = (example: string) => ({ type: 'COPY_CODE', example });
const reply = (text: string) => ({ type: 'QUICK_REPLY', text });

test.each<[string, object[], RegExp]>([
	['a long header', header('x'.repeat(61)), /"Header" has 61 characters.*at most 60/],
	['a header of two lines', header('a\nb'), /"Header" has a line break/],
	['a header with two variables', header('{{1}} and {{2}}', 'a', 'b'), /several variables/],
	['a header without an example', header('Order {{1}}'), /"Header" has no example/],
	['a long body', body('x'.repeat(1025)), /"Body" has 1025 characters.*at most 1024/],
	['no example', body('Hi {{1}}, {{2}}.', ['Ana']), /"Body" has no example for \{\{2\}\}/],
	['variables without a blank between', body('Hi {{1}}{{2}}.'), /side by side/],
	['numbering with a gap', body('Hi {{1}}, {{3}}.'), /\{\{3\}\} where \{\{2\}\} is expected/],
	['numbering from 0', body('Hi {{0}}, hello.'), /\{\{0\}\} where \{\{1\}\} is expected/],
	['numbers and names', body('Hi {{1}}, {{name}}.'), /numbered and named/],
	[
		'numbers in the header, names in the body',
		[header('Order {{1}}', '7')[0]!, NAMED_BODY],
		/numbered and/,
	],
	['braces that are no variable', body('Hi {{first name}}.'), /"\{\{" that begins no variable/],
	['a long footer', [BODY, { type: 'FOOTER', text: 'x'.repeat(61) }], /"Footer" has 61/],
	['a footer of two lines', [BODY, { type: 'FOOTER', text: 'a\nb' }], /"Footer" has a line break/],
	['a footer with a variable', [BODY, { type: 'FOOTER', text: 'By {{1}}.' }], /takes none/],
	['a long button', buttons(reply('x'.repeat(26))), /Button 1 of "Components" has 26.*at most 25/],
	[
		'eleven buttons',
		buttons(...Array.from({ length: 11 }, (_, at) => reply(`${at}`))),
		/11 buttons/,
	],
	['a link without an example', link('https://shop.example/{{1}}'), /Button 1.* has no example/],
	['a variable within a link', link('https://{{1}}.example/', ['x']), /one variable, at its end/],
	['two variables in a link', link('https://a.example/{{1}}/{{2}}', ['x']), /one variable, at/],
	['three links', buttons(...urls(3)), /3 buttons of type URL\. A template takes at most 2/],
	['two phones', buttons(phone, phone), /2 buttons of type PHONE_NUMBER.*at most 1/],
	['two codes', buttons(code('A'), code('B')), /2 buttons of type COPY_CODE.*at most 1/],
	['a code of other characters', buttons(code('10 % off')), /Button 1.* the code "10 % off"/],
	['a long code', buttons(code('x'.repeat(21))), /Button 1.*at most 20/],
	['a long link', buttons(...urls(1, 'x'.repeat(2000))), /Button 1.* 2023 .*at most 2000/],
	['replies apart', buttons(reply('a'), ...urls(1), reply('b')), /Button 3 of "Comp.*apart/],
	['others in two groups', buttons(...urls(2), reply('a'), phone), /Button 4 .*apart/],
	['a code without an example', buttons({ type: 'COPY_CODE' }), /Button 1.* has no example/],
])('refuses %s', (_what, components, problem) => {
	expect(() => check(components)).toThrow(problem);
});

test.each<[string, object[]]>([
	['a file in the header', [{ type: 'HEADER', format: 'IMAGE' }, BODY]],
	[
		'60, 1,024 and 25 characters',
		[...header('x'.repeat(60)), ...buttons(reply('x'.repeat(25))).slice(1)],
	],
	['the same variable twice', body('Hi {{1}}, yes {{1}}!')],
	['links, phone, code', buttons(reply('a'), reply('b'), ...urls(2), phone, code('A-_9'))],
	['a code as a list has it', buttons({ type: 'COPY_CODE', example: ['HELLO10'] })],
	['ten buttons', buttons(...Array.from({ length: 10 }, (_, at) => reply(`${at}`)))],
	['cards', [BODY, { type: 'CAROUSEL', cards: [] }]],
])('takes %s', (_what, components) => {
	expect(check(components)).toEqual([]);
});

// The documents of the service contradict themselves there.
test.each<[string, object[], RegExp]>([
	['a variable at the start', body('{{1}}, hello to you'), /"Body" begins or ends with a variable/],
	['a variable at the end', body('Hello to you {{1}} '), /"Body" begins or ends with a variable/],
	[
		'a blank between variables',
		body('Hi and hello to you {{1}} {{2}}, see you soon.'),
		/"Body" has only a blank between two variables/,
	],
	['few words', body('Hi {{1}}, order {{2}} is here.'), /"Body" has few words for 2 variables/],
	['single braces', body('Hello to you, { name }.'), /"Body" has \{ name \}, .* \{\{1\}\}/],
	['single braces in a header', header('Order {1}'), /"Header" has \{1\}/],
	['quick replies behind others', buttons(phone, reply('a')), /BUTTONS.* behind other buttons/],
])('takes %s with a hint', (_what, components, hint) => {
	expect(check(components)).toEqual([expect.stringMatching(hint)]);
});

test('takes one variable among few words, two among seven, and whole templates', () => {
	expect(check(body('Hi {{1}}.'))).toEqual([]);
	expect(check(body('Hi {{1}}, your first order {{2}} is here now.'))).toEqual([]);
	for (const { components } of [ORDER, NAMED])
		expect(() => check([...(components ?? [])])).not.toThrow();
});

test('takes an access code, whose text is not ours', () => {
	expect(check([...(ACCESS_CODE.components ?? [])], 'AUTHENTICATION')).toEqual([]);
});

test.each([
	['Hi {{1}}, hello.', 'POSITIONAL'],
	['Hi {{name}}, hello.', 'NAMED'],
])('the variables of "%s" are %s', (text, format) => {
	expect(parameterFormatOf([{ type: 'BODY', text }])).toBe(format);
	// A link is often numbered where the text has names.
	const parts = listed([{ type: 'BODY', text }, link('https://a.example/{{1}}')[1]!]);
	expect(parameterFormatOf(parts.components ?? [])).toBe(format);
});

test('what has no variables has no form of variables, and links or cards can have the only ones', () => {
	const formatOf = (...components: object[]) =>
		parameterFormatOf(listed(components).components ?? []);
	expect(formatOf(BODY, { type: 'HEADER', format: 'IMAGE' })).toBeUndefined();
	expect(formatOf(...link('https://a.example/{{1}}'))).toBe('POSITIONAL');
	expect(formatOf(...link('https://a.example/{{id}}'))).toBe('NAMED');
	const card = { components: [{ type: 'BODY', text: 'For {{name}} now' }] };
	expect(formatOf(BODY, { type: 'CAROUSEL', cards: [card, card] })).toBe('NAMED');
});
