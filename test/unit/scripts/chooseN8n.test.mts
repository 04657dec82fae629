import { chooseN8n, GENERATIONS, versionOf } from '../../../scripts/n8n/host.mts';

test.each(GENERATIONS)('%s is its pinned version, by either name', (generation) => {
	const choice = { generation, version: versionOf(generation), isPinned: true };
	expect(chooseN8n(generation)).toEqual(choice);
	expect(chooseN8n(versionOf(generation))).toEqual(choice);
});

test('without a choice it is the current one', () => {
	expect(chooseN8n()).toEqual(chooseN8n('current'));
});

test.each([
	['2.20.12', 'current'],
	['3.0.0', 'current'],
	['1.120.4', 'oldest'],
	['10.0.0', 'current'],
])('any other version is like its generation, and has no lock: %s', (version, generation) => {
	expect(chooseN8n(version)).toEqual({ generation, version, isPinned: false });
});

test.each(['newest', '2.20', 'v2.20.12', '2.20.12-rc.1', ''])('%s is none', (value) => {
	expect(() => chooseN8n(value)).toThrow(
		/^There is no n8n '.*': it is 'current', 'oldest', or a version such as \d/,
	);
});
