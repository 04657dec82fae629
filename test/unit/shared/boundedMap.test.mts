import { BoundedMap } from '#nodes/shared/tools/boundedMap.ts';

it('keeps no long text of others as a key, and knows it all the same', () => {
	const map = new BoundedMap<number>(2);
	const [one, other] = ['1', '2'].map((end) => 'x'.repeat(1_000_000) + end) as [string, string];
	map.set(one, 1).set(other, 2);
	expect([map.get(one), map.get(other), map.has(other)]).toEqual([1, 2, true]);
	expect([...map.keys()].join('').length).toBeLessThan(200);
	map.set('short', 3);
	expect([map.has(one), map.get('short'), map.delete(other), map.size]).toEqual([
		false,
		3,
		true,
		1,
	]);
});
