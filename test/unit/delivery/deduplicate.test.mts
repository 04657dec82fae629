import { inspect } from 'node:util';

import {
	type Admission,
	DeliveryMemory,
	settleWithResponse,
} from '../../../nodes/BusinessMessaging/delivery/deduplicate.ts';
import { FakeResponse } from '../fakeResponse.mts';

type New = Extract<Admission, { state: 'new' }>;

function admitNew(memory: DeliveryMemory, ...parts: string[]): New {
	const admission = memory.admit(...parts);
	if (admission.state !== 'new') throw new Error(`It was ${admission.state}`);
	return admission;
}

it('counts a delivery as seen only once it was confirmed', () => {
	const memory = new DeliveryMemory();
	const first = admitNew(memory, 'node', 'key');
	expect(memory.admit('node', 'key').state).toBe('inFlight');
	first.confirm();
	expect(memory.admit('node', 'key').state).toBe('seen');
});

it('admits a delivery again that was released', () => {
	const memory = new DeliveryMemory();
	admitNew(memory, 'node', 'key').release();
	expect(memory.admit('node', 'key').state).toBe('new');
});

it('ends an admission once: what comes after changes nothing', () => {
	const memory = new DeliveryMemory();
	const first = admitNew(memory, 'node', 'key');
	first.release();
	first.confirm();
	const second = admitNew(memory, 'node', 'key');
	first.confirm();
	first.release();
	expect(memory.admit('node', 'key').state).toBe('inFlight');
	second.confirm();
	second.release();
	expect(memory.admit('node', 'key').state).toBe('seen');
});

it('a sender that goes away after the end says nothing of the next delivery', () => {
	const memory = new DeliveryMemory();
	const first = admitNew(memory, 'node', 'key');
	first.release();
	admitNew(memory, 'node', 'key');
	first.abandon(() => false);
	expect(memory.admit('node', 'key').state).toBe('inFlight');
});

it('tells nodes apart, whatever their keys hold', () => {
	const memory = new DeliveryMemory();
	admitNew(memory, 'a', 'b:c').confirm();
	expect(memory.admit('a:b', 'c').state).toBe('new');
	expect(memory.admit('a', 'b', 'c').state).toBe('new');
});

it('recognises a delivery by a key of any length, and tells it from one that differs at the end', () => {
	const memory = new DeliveryMemory();
	for (const length of [100, 155, 156, 157, 16_000]) {
		const key = 'k'.repeat(length);
		admitNew(memory, `${key}1`).confirm();
		expect(memory.admit(`${key}1`).state).toBe('seen');
		expect(memory.admit(`${key}2`).state).toBe('new');
	}
});

it('takes no more room for a long key than for a short one', () => {
	const memory = new DeliveryMemory();
	admitNew(memory, 'k'.repeat(16_000)).confirm();
	admitNew(memory, 'l'.repeat(16_000)).abandon(() => undefined);
	expect(inspect(memory, { maxStringLength: Infinity }).length).toBeLessThan(1000);
});

it('forgets the one that was not seen for the longest time when it is full', () => {
	const memory = new DeliveryMemory(2);
	admitNew(memory, '1').confirm();
	admitNew(memory, '2').confirm();
	expect(memory.admit('1').state).toBe('seen');
	admitNew(memory, '3').confirm();
	expect([memory.admit('1').state, memory.admit('2').state, memory.admit('3').state]).toEqual([
		'seen',
		'new',
		'seen',
	]);
});

it('stays within its bounds over many deliveries', () => {
	const memory = new DeliveryMemory(100);
	for (let number = 0; number < 10_000; number++) admitNew(memory, String(number)).confirm();
	expect(memory.size).toEqual({ seen: 100, inFlight: 0 });
});

it('keeps the order of last sight when repeated and new deliveries alternate', () => {
	const memory = new DeliveryMemory(50);
	let expected: string[] = [];
	for (let number = 0; number < 2_000; number++) {
		// Every third comes again after 20 others.
		const key = String(number % 3 === 0 ? Math.max(0, number - 20) : number);
		const admission = memory.admit(key);
		expect(admission.state).toBe(expected.includes(key) ? 'seen' : 'new');
		if (admission.state === 'new') admission.confirm();
		expected = [...expected.filter((other) => other !== key), key].slice(-50);
	}
});

describe('the response decides', () => {
	const settled = (change: (response: FakeResponse) => void): string => {
		const memory = new DeliveryMemory();
		const response = new FakeResponse();
		const admission = admitNew(memory, 'key');
		settleWithResponse(response, admission);
		expect(memory.admit('key').state).toBe('inFlight');
		change(response);
		return memory.admit('key').state;
	};
	const finish = (statusCode: number) => (response: FakeResponse) => {
		response.statusCode = statusCode;
		response.emit('finish');
		response.emit('close');
	};

	it.each([
		[200, 'seen'],
		[201, 'seen'],
		[299, 'seen'],
		[199, 'new'],
		[302, 'new'],
		[401, 'new'],
		[500, 'new'],
		[503, 'new'],
	])('after status %i a redelivery is %s', (status, state) => {
		expect(settled(finish(status))).toBe(state);
	});

	it.each([
		[200, 'seen'],
		[500, 'new'],
	])(
		'after a sender that gave up, status %i, which nobody got, makes a redelivery %s',
		(statusCode, state) => {
			expect(
				settled((response) => {
					response.emit('close');
					Object.assign(response, { statusCode, writableEnded: true });
				}),
			).toBe(state);
		},
	);

	it('asks for patience while n8n goes on after its sender gave up, but not for ever', () => {
		let now = 0;
		const memory = new DeliveryMemory(10, () => now);
		const response = new FakeResponse();
		settleWithResponse(response, admitNew(memory, 'key'));
		response.emit('close');
		now = 60_000;
		expect(memory.admit('key').state).toBe('inFlight');
		now = 60_001;
		expect(memory.admit('key').state).toBe('new');
	});

	it('remembers no more senders that gave up than it may', () => {
		const memory = new DeliveryMemory(10);
		for (let number = 0; number < 1000; number++)
			admitNew(memory, String(number)).abandon(() => undefined);
		expect(memory.size).toEqual({ seen: 0, inFlight: 10 });
	});

	it.each([
		[{ destroyed: true }, 'inFlight'],
		[{ destroyed: true, writableEnded: true }, 'seen'],
		[{ destroyed: true, writableEnded: true, statusCode: 500 }, 'new'],
		[{ writableFinished: true }, 'seen'],
		[{ writableFinished: true, statusCode: 500 }, 'new'],
	])('knows a response that ended before it was looked at: %j', (ended, state) => {
		const memory = new DeliveryMemory();
		settleWithResponse(Object.assign(new FakeResponse(), ended), admitNew(memory, 'key'));
		expect(memory.admit('key').state).toBe(state);
	});
});
