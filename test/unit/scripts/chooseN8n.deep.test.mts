import { chooseN8n, GENERATIONS, versionOf } from '../../../scripts/n8n/host.mts';

test.each(GENERATIONS)('%s is its pinned version, by either name', (generation) => {
	const choice = { generation, version: versionOf(generation), isPinned: true };
	expect(chooseN8n(generation)).toEqual(choice);
	expect(chooseN8n(versionOf(generation))).toEqual(choice);
});

test('is the current one by default', () => {
	expect(chooseN8n()).toEqual(chooseN8n('current'));
});

test.each([
	['2.20.12', 'current'],
	['3.0.0', 'current'],
	['1.120.4', 'oldest'],
	['10.0.0', 'current'],
])('any other version belongs to its generation, and has no lock: %s', (version, generation) => {
	expect(chooseN8n(version)).toEqual({ generation, version, isPinned: false });
});

test.each(['newest', '2.20', 'v2.20.12', '2.20.12-rc.1', ''])('refuses "%s"', (value) => {
	expect(() => chooseN8n(value)).toThrow(
		/^Unknown n8n '.*'\. Use 'current', 'oldest', or a version such as \d/,
	);
});
