import {
	readMediaSubCode,
	readServiceMessage,
} from '../../../../nodes/BusinessMessaging/service/errors/serviceMessage.ts';

test.each<[string, unknown, string | undefined]>([
	['of the first shape', { error: 404, message: 'Not found' }, 'Not found'],
	['of the second shape', { error: 'Not found' }, 'Not found'],
	['blank', { error: 404, message: '  ' }, undefined],
	['blank in the second shape', { error: '' }, undefined],
	['of no shape', { code: 1 }, undefined],
	['a text', 'Not found', undefined],
	['nothing', undefined, undefined],
])('reads the message of an error body %s', (_name, body, words) =>
	expect(readServiceMessage(body)).toBe(words),
);

const C = { timestamp: 1779980473342, code: 404, message: 'Not found' };

test.each<[string, unknown, string | undefined]>([
	['of the third shape', C, 'Not found'],
	['of the third shape, with a code that is text', { ...C, code: 'E4' }, 'Not found'],
	['of the third shape, about media', { ...C, subCode: 'MEDIA_TOO_LARGE' }, 'Not found'],
	['like it, of another server', { code: 404, message: 'Not found' }, undefined],
	[
		'of the fourth shape',
		{
			error: {
				errors: [
					'One',
					{ message: 'Two', code: 132001 },
					{ message: 'Three', code: 'X' },
					{ message: 'Four' },
				],
			},
		},
		'One; Two (132001); Three (X); Four',
	],
	[
		'of the fourth shape, some of them without words or code',
		{ error: { errors: [' ', { message: 'One', code: null }, {}, 'Two'] } },
		'One; Two',
	],
	['of the fourth shape, with nothing in it', { error: { errors: [] } }, undefined],
	[
		'of the fourth shape, without words',
		{ error: { errors: [1, null, {}, ' ', { code: 100, subCode: 1 }] } },
		undefined,
	],
	[
		'of a list at the top',
		{ errors: [{ message: 'One', code: 132001 }, { description: 'Two' }] },
		'One (132001); Two',
	],
	['of a list at the top, with nothing in it', { errors: [] }, undefined],
	['of an object at the top that is no list', { errors: { message: 'No' } }, undefined],
	['of an object that is no list', { error: { errors: { message: 'No' } } }, undefined],
	[
		'of the second shape with more beside it',
		{ error: 'Template refused', value: { errors: [{ message: 'Name is taken', code: 2388024 }] } },
		'Template refused: Name is taken (2388024)',
	],
	['of the second shape with nothing beside it', { error: 'No', value: { errors: [] } }, 'No'],
	['of no shape, with errors', { value: { errors: [{ message: 'No' }] } }, undefined],
])('reads the message of an error body %s', (_name, body, words) =>
	expect(readServiceMessage(body)).toBe(words),
);

const EXISTS = 'There is already English content for this template';
const D = { message: 'Invalid parameter', code: 100, subCode: 2388024, description: EXISTS };

test.each<[string, object, string]>([
	['the reason first, then the rest', D, `${EXISTS} (Invalid parameter, 100, 2388024)`],
	['a code within as text', { ...D, subCode: 'S' }, `${EXISTS} (Invalid parameter, 100, S)`],
	['no description', { ...D, description: undefined }, 'Invalid parameter (100, 2388024)'],
	[
		'the ID to ask about it',
		{ ...D, traceId: 'Az3 ' },
		`${EXISTS} (Invalid parameter, 100, 2388024, traceId Az3)`,
	],
	[
		'an ID to ask about it of another type',
		{ ...D, traceId: {} },
		`${EXISTS} (Invalid parameter, 100, 2388024)`,
	],
	['a blank description', { ...D, description: ' ' }, 'Invalid parameter (100, 2388024)'],
	['no message', { ...D, message: undefined }, `${EXISTS} (100, 2388024)`],
	['an empty message', { ...D, message: '' }, `${EXISTS} (100, 2388024)`],
	['words and no code', { message: 'No', description: EXISTS }, `${EXISTS} (No)`],
	['a code that the words name', { message: '(#100) No', code: 100 }, '(#100) No'],
	[
		'one code twice',
		{ ...D, description: `(#100) ${EXISTS}`, subCode: 100 },
		`(#100) ${EXISTS} (Invalid parameter)`,
	],
	['a code that a longer number holds', { message: 'Over 1000', code: 100 }, 'Over 1000 (100)'],
	['the same words twice', { ...D, message: EXISTS }, `${EXISTS} (100, 2388024)`],
	['fields of other types', { ...D, description: 7, subCode: {} }, 'Invalid parameter (100)'],
	['nulls', { ...D, description: null, subCode: null, code: null }, 'Invalid parameter'],
])('quotes an inner error: %s', (_name, inner, words) => {
	expect(readServiceMessage({ error: { errors: [inner] } })).toBe(words);
	expect(readServiceMessage({ errors: [inner] })).toBe(words);
	expect(readServiceMessage({ error: 'No', value: { errors: [inner] } })).toBe(`No: ${words}`);
});

test('quotes the first five inner errors', () => {
	const errors = Array.from({ length: 1000 }, (_, index) => ({ message: `E${index}` }));
	expect(readServiceMessage({ error: { errors } })).toBe('E0; E1; E2; E3; E4');
});

test.each<[unknown, string | undefined]>([
	[{ ...C, subCode: 'MEDIA_TOO_LARGE' }, 'MEDIA_TOO_LARGE'],
	[{ code: 400, message: '', subCode: 'MEDIA_OF_TOMORROW' }, 'MEDIA_OF_TOMORROW'],
	[{ ...C, subCode: 'OTHER' }, undefined],
	[{ ...C, subCode: 'MEDIA_<b>' }, undefined],
	[{ ...C, subCode: `MEDIA_${'A'.repeat(100)}` }, undefined],
	[{ ...C, subCode: null }, undefined],
	[{ ...C, subCode: ['MEDIA_TOO_LARGE'] }, undefined],
	[{ subCode: 'MEDIA_TOO_LARGE' }, undefined],
	['MEDIA_TOO_LARGE', undefined],
])('reads the code about media of %j: %j', (body, subCode) =>
	expect(readMediaSubCode(body)).toBe(subCode),
);
