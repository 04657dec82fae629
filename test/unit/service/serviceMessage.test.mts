import {
	readMediaSubCode,
	readServiceMessage,
} from '../../../nodes/BusinessMessaging/service/serviceMessage.ts';

test.each<[string, unknown, string | undefined]>([
	['of the first shape', { error: 404, message: 'Not found' }, 'Not found'],
	['of the second shape', { error: 'Not found' }, 'Not found'],
	['blank', { error: 404, message: '  ' }, undefined],
	['blank in the second shape', { error: '' }, undefined],
	['of no shape', { code: 1 }, undefined],
	['a text', 'Not found', undefined],
	['nothing', undefined, undefined],
])('the words of an error body that is %s', (_name, body, words) =>
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
	['of the fourth shape, without words', { error: { errors: [1, null, {}, ' '] } }, undefined],
	['of an object that is no list', { error: { errors: { message: 'No' } } }, undefined],
	[
		'of the second shape with more beside it',
		{ error: 'Template refused', value: { errors: [{ message: 'Name is taken', code: 2388024 }] } },
		'Template refused: Name is taken (2388024)',
	],
	['of the second shape with nothing beside it', { error: 'No', value: { errors: [] } }, 'No'],
	['of no shape, with errors', { value: { errors: [{ message: 'No' }] } }, undefined],
])('the words of an error body that is %s', (_name, body, words) =>
	expect(readServiceMessage(body)).toBe(words),
);

test('of many inner errors the first five are quoted', () => {
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
])('the code about media of %j is %j', (body, subCode) =>
	expect(readMediaSubCode(body)).toBe(subCode),
);
