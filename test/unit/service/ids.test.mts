import { ID_PATTERN, idKey, isSameId } from '#nodes/service/contract/common.ts';

const HEX = '019E4C54B1B375A28970B605CA9B03C3';
const UUID = '019e4c54-b1b3-75a2-8970-b605ca9b03c3';

test.each([
	[HEX, true],
	[HEX.toLowerCase(), true],
	[UUID, true],
	[UUID.toUpperCase(), true],
	[`${HEX}0`, false],
	[HEX.slice(1), false],
	[HEX.replace('0', 'g'), false],
	[`${UUID}-`, false],
	[UUID.replace('-', ''), false],
	['-'.repeat(32), false],
	[` ${HEX}`, false],
	[`${HEX}\n`, false],
	['..', false],
])('%j is an id: %s', (text, isId) => expect(ID_PATTERN.test(text)).toBe(isId));

test('compares IDs in any spelling', () => {
	for (const one of [HEX, UUID, ` ${HEX.toLowerCase()} `, UUID.toUpperCase()]) {
		expect(idKey(one)).toBe(HEX);
		expect(isSameId(one, UUID)).toBe(true);
		expect(isSameId(one, HEX.replace('3', '4'))).toBe(false);
	}
	expect(isSameId(undefined, undefined)).toBe(false);
	expect(isSameId(HEX, undefined)).toBe(false);
});
