import { flatValue } from '#nodes/service/template/variables.ts';

test.each([
	['Marina', 'Marina'],
	['Marina\n', 'Marina'],
	['\t Marina \r\n', 'Marina'],
	['Rua A, 1\nSão Paulo', 'Rua A, 1 São Paulo'],
	['a \r\n\r\n b', 'a b'],
	['a\tb', 'a b'],
	['a\u2028b\u0085c', 'a b c'],
	['a    b', 'a    b'],
	['a     b', 'a b'],
	['a\u00a0b', 'a\u00a0b'],
	['\n\t ', ''],
])('the value %j becomes %j', (value, flat) => {
	expect(flatValue(value)).toBe(flat);
});
