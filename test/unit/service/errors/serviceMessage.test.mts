import { readMediaSubCode, readServiceMessage } from '#nodes/service/errors/serviceMessage.ts';

const C = { timestamp: 1779980473342, code: 404, message: 'Not found' };
const within = (...errors: unknown[]) => ({ error: { errors } });

/** The four shapes of an error body, and a list at the top. */
test.each<[unknown, string | undefined]>([
	[{ error: 404, message: 'Not found' }, 'Not found'],
	[{ error: 'Not found' }, 'Not found'],
	[{ error: 404, message: '  ' }, undefined],
	[{ error: '' }, undefined],
	[{ code: 1 }, undefined],
	['Not found', undefined],
	[undefined, undefined],
	[C, 'Not found'],
	[{ ...C, code: 'E4' }, 'Not found'],
	[{ ...C, subCode: 'MEDIA_TOO_LARGE' }, 'Not found'],
	// Of another server.
	[{ code: 404, message: 'Not found' }, undefined],
	[
		within('One', { message: 'Two', code: 132001 }, { message: 'Three', code: 'X' }, 'Four'),
		'One; Two (132001); Three (X); Four',
	],
	[within(' ', { message: 'One', code: null }, {}, 'Two', { message: 'Four' }), 'One; Two; Four'],
	[within(), undefined],
	[within(1, null, {}, ' ', { code: 100, subCode: 1 }), undefined],
	[{ errors: [{ message: 'One', code: 132001 }, { description: 'Two' }] }, 'One (132001); Two'],
	[{ errors: [] }, undefined],
	[{ errors: { message: 'No' } }, undefined],
	[{ error: { errors: { message: 'No' } } }, undefined],
	[
		{ error: 'Template refused', value: { errors: [{ message: 'Name is taken', code: 2388024 }] } },
		'Template refused: Name is taken (2388024)',
	],
	[{ error: 'No', value: { errors: [] } }, 'No'],
	[{ value: { errors: [{ message: 'No' }] } }, undefined],
])('reads the message of the error body %j', (body, words) =>
	expect(readServiceMessage(body)).toBe(words),
);

const EXISTS = 'There is already English content for this template';
const D = { message: 'Invalid parameter', code: 100, subCode: 2388024, description: EXISTS };

const ALL = `${EXISTS} (Invalid parameter, 100, 2388024)`;
const NO_DESCRIPTION = 'Invalid parameter (100, 2388024)';
const NO_MESSAGE = `${EXISTS} (100, 2388024)`;

test.each<[object, string]>([
	[D, ALL],
	[{ ...D, subCode: 'S' }, `${EXISTS} (Invalid parameter, 100, S)`],
	[{ ...D, description: undefined }, NO_DESCRIPTION],
	[{ ...D, description: ' ' }, NO_DESCRIPTION],
	[{ ...D, traceId: 'Az3 ' }, `${EXISTS} (Invalid parameter, 100, 2388024, traceId Az3)`],
	[{ ...D, traceId: {} }, ALL],
	[{ ...D, message: undefined }, NO_MESSAGE],
	[{ ...D, message: '' }, NO_MESSAGE],
	[{ ...D, message: EXISTS }, NO_MESSAGE],
	[{ message: 'No', description: EXISTS }, `${EXISTS} (No)`],
	// A code that the words name, one that a longer number holds, and one code twice.
	[{ message: '(#100) No', code: 100 }, '(#100) No'],
	[{ message: 'Over 1000', code: 100 }, 'Over 1000 (100)'],
	[{ ...D, description: `(#100) ${EXISTS}`, subCode: 100 }, `(#100) ${EXISTS} (Invalid parameter)`],
	[{ ...D, description: 7, subCode: {} }, 'Invalid parameter (100)'],
	[{ ...D, description: null, subCode: null, code: null }, 'Invalid parameter'],
])('quotes the inner error %j', (inner, words) => {
	expect(readServiceMessage(within(inner))).toBe(words);
	expect(readServiceMessage({ errors: [inner] })).toBe(words);
	expect(readServiceMessage({ error: 'No', value: { errors: [inner] } })).toBe(`No: ${words}`);
});

test('quotes the first five inner errors', () => {
	const errors = Array.from({ length: 1000 }, (_, index) => ({ message: `E${index}` }));
	expect(readServiceMessage(within(...errors))).toBe('E0; E1; E2; E3; E4');
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
