import { inspect } from 'node:util';

import { type Admission, DeliveryMemory } from '#nodes/delivery/respond.ts';

type New = Extract<Admission, { state: 'new' }>;

function admitNew(memory: DeliveryMemory, ...parts: string[]): New {
	const admission = memory.admit(...parts);
	if (admission.state !== 'new') throw new Error(`It was ${admission.state}`);
	return admission;
}

it('counts a delivery as seen only once it is confirmed, and ends an admission once', () => {
	const memory = new DeliveryMemory();
	const first = admitNew(memory, 'node', 'key');
	expect(memory.admit('node', 'key').state).toBe('inFlight');
	first.end(false);
	first.end(true);
	const second = admitNew(memory, 'node', 'key');
	first.end(true);
	first.end(false);
	expect(memory.admit('node', 'key').state).toBe('inFlight');
	second.end(true);
	second.end(false);
	expect(memory.admit('node', 'key').state).toBe('seen');
});

it('tells nodes apart, whatever their keys hold', () => {
	const memory = new DeliveryMemory();
	admitNew(memory, 'a', 'b:c').end(true);
	expect(memory.admit('a:b', 'c').state).toBe('new');
	expect(memory.admit('a', 'b', 'c').state).toBe('new');
});

it('recognises a delivery by a key of any length, even if two differ only at the end', () => {
	const memory = new DeliveryMemory();
	for (const length of [100, 155, 156, 157, 16_000]) {
		const key = 'k'.repeat(length);
		admitNew(memory, `${key}1`).end(true);
		expect(memory.admit(`${key}1`).state).toBe('seen');
		expect(memory.admit(`${key}2`).state).toBe('new');
	}
});

it('needs no more memory for a long key than for a short one', () => {
	const memory = new DeliveryMemory();
	admitNew(memory, 'k'.repeat(16_000)).end(true);
	admitNew(memory, 'l'.repeat(16_000));
	expect(inspect(memory, { maxStringLength: Infinity }).length).toBeLessThan(1000);
});

it('forgets the oldest delivery when it is full', () => {
	const memory = new DeliveryMemory(2);
	admitNew(memory, '1').end(true);
	admitNew(memory, '2').end(true);
	expect(memory.admit('1').state).toBe('seen');
	admitNew(memory, '3').end(true);
	expect([memory.admit('1').state, memory.admit('2').state, memory.admit('3').state]).toEqual([
		'seen',
		'new',
		'seen',
	]);
});

it('keeps the order of last sight when repeated and new deliveries alternate', () => {
	const memory = new DeliveryMemory(50);
	let expected: string[] = [];
	for (let number = 0; number < 2_000; number++) {
		// Every third comes again after 20 others.
		const key = String(number % 3 === 0 ? Math.max(0, number - 20) : number);
		const admission = memory.admit(key);
		expect(admission.state).toBe(expected.includes(key) ? 'seen' : 'new');
		if (admission.state === 'new') admission.end(true);
		expected = [...expected.filter((other) => other !== key), key].slice(-50);
	}
	expect(memory.size).toEqual({ seen: 50, inFlight: 0 });
});
