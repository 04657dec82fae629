import { setImmediate as tick } from 'node:timers/promises';

import fc from 'fast-check';

import { ByteBudget } from '#nodes/sending/byteBudget.ts';
import { runs } from '../../support/runs.mts';

test('caps the bytes in flight, and serves callers in order', async () => {
	const works = fc.array(
		fc.record({ bytes: fc.integer({ min: 1, max: 130 }), turns: fc.nat(4), fails: fc.boolean() }),
		{ minLength: 1, maxLength: 20 },
	);
	await fc.assert(
		fc.asyncProperty(works, async (plan) => {
			const budget = new ByteBudget(100);
			const started: number[] = [];
			let underWay = 0;
			const done = await Promise.allSettled(
				plan.map(async ({ bytes, turns, fails }, index) =>
					budget.spend(bytes, async () => {
						const share = Math.min(bytes, 100);
						started.push(index);
						underWay += share;
						expect(underWay).toBeLessThanOrEqual(100);
						for (let turn = 0; turn < turns; turn++) await tick();
						underWay -= share;
						if (fails) throw new Error('failed');
						return index;
					}),
				),
			);
			expect(started).toEqual(plan.map((_, index) => index));
			expect(done.map(({ status }) => status)).toEqual(
				plan.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
			);
			// The whole budget is free again.
			expect(await budget.spend(100, async () => 'free')).toBe('free');
		}),
		{ numRuns: runs(300) },
	);
});

test('work that fits starts at once', async () => {
	const budget = new ByteBudget(100);
	let end = () => {};
	const long = budget.spend(60, async () => await new Promise<void>((resolve) => (end = resolve)));
	expect(await budget.spend(40, async () => 'beside')).toBe('beside');
	let hasStarted = false;
	const tooMuch = budget.spend(41, async () => void (hasStarted = true));
	await tick();
	expect(hasStarted).toBe(false);
	end();
	await Promise.all([long, tooMuch]);
	expect(hasStarted).toBe(true);
});

test('work whose execution was cancelled begins without bytes, and others keep their turn', async () => {
	const budget = new ByteBudget(100);
	let end = () => {};
	const long = budget.spend(100, async () => await new Promise<void>((resolve) => (end = resolve)));
	const cancel = new AbortController();
	const cancelled = budget.spend(50, async () => 'cancelled', cancel.signal);
	let hasStarted = false;
	const next = budget.spend(100, async () => void (hasStarted = true));
	cancel.abort();
	expect(await cancelled).toBe('cancelled');
	expect(await budget.spend(1, async () => 'at once', cancel.signal)).toBe('at once');
	expect(hasStarted).toBe(false);
	end();
	await Promise.all([long, next]);
	expect(hasStarted).toBe(true);
});
