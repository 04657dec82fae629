import { Database } from '#sandbox/core/database.mts';
import { hostNamed, hostOf, isAllowedHost } from '#sandbox/core/loopback.mts';
import { closeContext, createContext } from '#sandbox/context.mts';
import { DEMO_CHANNEL_ID, seedIfNew } from '#sandbox/seed.mts';
import { MediaFiles } from '#sandbox/store/media.mts';
import { Meta } from '#sandbox/core/meta.mts';
import { parseRetryAfter, waitAfter } from '#sandbox/delivery/schedule.mts';
import { MAX_DEPTH, parseJson } from '#sandbox/http/json.mts';

describe('work in one commit', () => {
	it('is kept if other work fails, and only the failed work is rolled back', async () => {
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
		const work = ['a', 'b', 'c', 'd', 'e'].map((key) => put(key, key === 'b' || key === 'd'));
		const outcomes = await Promise.all(work.map((one) => one.catch(String)));
		expect(outcomes).toEqual([...['a', 'Error: b failed', 'c', 'Error: d failed', 'e']]);
		expect(['a', 'b', 'c', 'd', 'e'].filter((key) => meta.get(key))).toEqual(['a', 'c', 'e']);
		expect(committed).toEqual(['a', 'c', 'e']);
		db.close();
	});

	it('rolls back a failed transaction and the one inside it', () => {
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

it('refuses new files at its limit, and keeps the stored ones', async () => {
	const context = createContext({ dataFile: ':memory:', allowDeliveryTo: [], deliveryTimeout: 1 });
	try {
		seedIfNew(context, { seed: 'files' });
		const media = new MediaFiles(context.db, context.clock, 10);
		const add = (size: number) =>
			media.add(DEMO_CHANNEL_ID, { type: 'image/png', bytes: Buffer.alloc(size) });
		const first = add(6);
		expect(() => add(5)).toThrow('keeps 10 bytes of files');
		add(4);
		expect(media.at(first)?.bytes).toHaveLength(6);
	} finally {
		await closeContext(context);
	}
});

it('allows calls to this machine and to named hosts, or to any', () => {
	const mine = ['localhost', 'LOCALHOST', '127.0.0.1', '127.9.9.9', '[::1]', 'n8n'];
	const mapped = ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]'];
	const names = ['127.0.0.1.example', 'localhost.example', '127.0.0.1]', ''];
	const others = ['0.0.0.0', '169.254.169.254', '10.0.0.1', '[::ffff:10.0.0.1]', ...names];
	const hosts = [...mine, ...mapped, ...others];
	expect(hosts.filter((host) => isAllowedHost(host, ['n8n']))).toEqual([...mine, ...mapped]);
	expect(hosts.every((host) => isAllowedHost(host, ['*']))).toBe(true);
});

it('reads the name only from a valid Host header', () => {
	expect(['127.0.0.1:4010', 'LOCALHOST', '[::1]:80', 'null', 'my_n8n'].map(hostOf)).toEqual([
		...['127.0.0.1', 'localhost', '[::1]', 'null', 'my_n8n'],
	]);
	for (const none of ['http://localhost:1', 'a b', '', 'a@b', 'a/b', 'a:1:2', '*', '[::1'])
		expect(hostOf(none)).toBeUndefined();
	const named = ['n8n', '[::1]', '[::1]', '10.0.0.1'];
	expect(['n8n', '::1', '[::1]', '10.0.0.1'].map(hostNamed)).toEqual(named);
	for (const none of ['n8n:80', '[::1]:80', '*', '']) expect(hostNamed(none)).toBeUndefined();
});

it('follows Retry-After, up to a day', () => {
	const now = Date.parse('2026-07-15T12:00:00Z');
	const day = 'Wed, 15 Jul 2026';
	const given = ['5', ' 7 ', '0', '999999999', `${day} 12:01:00 GMT`, `${day} 11:00:00 GMT`];
	const read = [...given, 'soon', '-5', undefined].map((value) => parseRetryAfter(value, now));
	expect(read).toEqual([...[5, 7, 0, 86_400, 60, 0, undefined, undefined, undefined]]);
	expect(waitAfter(1, 'k:0:1', 60)).toBe(60_000);
	expect(waitAfter(10, 'k:0:1', 60)).toBeUndefined();
	expect(waitAfter(3, 'k:0:1', undefined)).toBe(waitAfter(3, 'k:0:1', undefined));
	expect(waitAfter(3, 'k:0:1', undefined)).not.toBe(waitAfter(3, 'k:0:2', undefined));
});

it('accepts JSON up to the allowed depth, and ignores brackets in texts', () => {
	const nested = (depth: number) => Buffer.from(`${'['.repeat(depth)}${']'.repeat(depth)}`);
	expect(parseJson(nested(MAX_DEPTH))).toBeDefined();
	expect(() => parseJson(nested(MAX_DEPTH + 1))).toThrow('nested');
	expect(parseJson(Buffer.from(JSON.stringify({ text: `\\"${'[{'.repeat(500)}` })))).toEqual({
		text: `\\"${'[{'.repeat(500)}`,
	});
	for (const start of ['\\', '\\\\', '"', '\\"\\'])
		expect(() =>
			parseJson(Buffer.from(`[${JSON.stringify(start)},${nested(MAX_DEPTH).toString()}]`)),
		).toThrow('nested');
	expect(() => parseJson(Buffer.from('"x'))).toThrow('not valid JSON');
	expect(parseJson(Buffer.alloc(0))).toBeUndefined();
	expect(() => parseJson(Buffer.from('\ufeff{}'))).toThrow('not valid JSON');
	expect(() => parseJson(Buffer.from('{} x'))).toThrow('not valid JSON');
	expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
