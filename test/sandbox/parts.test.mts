import { Database } from '../../sandbox/core/database.mts';
import { Heap } from '../../sandbox/core/heap.mts';
import { hostOf, isAllowedHost } from '../../sandbox/core/loopback.mts';
import { Meta } from '../../sandbox/core/meta.mts';
import { parseRetryAfter, waitAfter } from '../../sandbox/delivery/schedule.mts';
import { MAX_DEPTH, parseJson } from '../../sandbox/http/json.mts';

describe('work that is written down together', () => {
	it('is kept when something beside it fails, which alone is refused and leaves nothing', async () => {
		const db = new Database(':memory:');
		const meta = new Meta(db);
		const committed: string[] = [];
		const put = (key: string, fails = false) =>
			db.grouped(() => {
				meta.set(key, 'here');
				db.afterCommit(() => committed.push(key));
				if (fails) throw new Error(`${key} failed`);
				return key;
			});
		const outcomes = await Promise.allSettled([put('a'), put('b', true), put('c'), put('d', true), put('e')]);
		expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason)))).toEqual([
			...['a', 'Error: b failed', 'c', 'Error: d failed', 'e'],
		]);
		expect(['a', 'b', 'c', 'd', 'e'].filter((key) => meta.get(key))).toEqual(['a', 'c', 'e']);
		expect(committed).toEqual(['a', 'c', 'e']);
		db.close();
	});

	it('leaves nothing of a transaction that fails, nor of one inside it', () => {
		const db = new Database(':memory:');
		const meta = new Meta(db);
		expect(() =>
			db.transaction(() => {
				meta.set('outer', 'x');
				db.transaction(() => meta.set('inner', 'x'));
				throw new Error('stop');
			}),
		).toThrow('stop');
		expect([meta.get('outer'), meta.get('inner')]).toEqual([undefined, undefined]);
		db.close();
	});
});

it('a heap gives the smallest first, whatever was taken from its middle', () => {
	const heap = new Heap<number>((left, right) => left - right);
	const numbers = Array.from({ length: 500 }, (_, n) => (n * 7919) % 1009);
	for (const number of numbers) heap.push(number);
	const removed = [heap.removeAt(250)!, heap.removeAt(100)!, heap.remove((number) => number === 7919 % 1009)!];
	expect(heap.remove((number) => number === -1)).toBeUndefined();
	const rest = [...numbers];
	for (const number of removed) rest.splice(rest.indexOf(number), 1);
	const popped: number[] = [];
	while (heap.size > 0) popped.push(heap.pop()!);
	expect(popped).toEqual(rest.sort((left, right) => left - right));
	expect(heap.pop()).toBeUndefined();
});

it.each([
	['localhost', true],
	['127.0.0.1', true],
	['127.9.9.9', true],
	['[::1]', true],
	['LOCALHOST', true],
	['n8n', true],
	['0.0.0.0', false],
	['127.0.0.1.example', false],
	['localhost.example', false],
	['169.254.169.254', false],
	['10.0.0.1', false],
	['[::ffff:10.0.0.1]', false],
	['', false],
])('calls may go to %s: %s', (host, allowed) => {
	expect(isAllowedHost(host, ['n8n'])).toBe(allowed);
	expect(isAllowedHost(host, ['*'])).toBe(true);
});

it('reads the name out of a Host or Origin header', () => {
	expect(['127.0.0.1:4010', 'http://localhost:1', '[::1]:80', 'null', 'a b', ''].map(hostOf)).toEqual([
		'127.0.0.1',
		'localhost',
		'[::1]',
		'null',
		undefined,
		undefined,
	]);
});

it('waits as Retry-After says, up to a day', () => {
	const now = Date.parse('2026-07-15T12:00:00Z');
	expect(
		['5', ' 7 ', '0', '999999999', 'Wed, 15 Jul 2026 12:01:00 GMT', 'Wed, 15 Jul 2026 11:00:00 GMT', 'soon', '-5', undefined].map(
			(value) => parseRetryAfter(value, now),
		),
	).toEqual([...[5, 7, 0, 86_400, 60, 0, undefined, undefined, undefined]]);
	expect(waitAfter(1, 'k:0:1', 60)).toBe(60_000);
	expect(waitAfter(10, 'k:0:1', 60)).toBeUndefined();
	expect(waitAfter(3, 'k:0:1', undefined)).toBe(waitAfter(3, 'k:0:1', undefined));
	expect(waitAfter(3, 'k:0:1', undefined)).not.toBe(waitAfter(3, 'k:0:2', undefined));
});

it('takes JSON as deep as allowed, and does not count brackets in texts', () => {
	const nested = (depth: number) => Buffer.from(`${'['.repeat(depth)}${']'.repeat(depth)}`);
	expect(parseJson(nested(MAX_DEPTH))).toBeDefined();
	expect(() => parseJson(nested(MAX_DEPTH + 1))).toThrow('nested');
	expect(parseJson(Buffer.from(JSON.stringify({ text: `\\"${'[{'.repeat(500)}` })))).toEqual({ text: `\\"${'[{'.repeat(500)}` });
	expect(parseJson(Buffer.alloc(0))).toBeUndefined();
	expect(() => parseJson(Buffer.from('\ufeff{}'))).toThrow('not valid JSON');
	expect(() => parseJson(Buffer.from('{} x'))).toThrow('not valid JSON');
	expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
