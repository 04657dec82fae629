import { claimKeyOf, Claims, WORKFLOWS } from '#nodes/replies/claims.ts';

const mine = (claims: Claims, key: string, side: string) => {
	const claimed = claims.claim(key, side);
	if (claimed.state !== 'mine') throw new Error(`it is ${claimed.state}`);
	return claimed;
};

test('the first of two sides has a message, and the other one once it is released', () => {
	const claims = new Claims();
	const first = mine(claims, 'm', 'question');
	expect(claims.claim('m', WORKFLOWS)).toEqual({ state: 'pending' });
	first.end(false);
	first.end(true);
	const second = mine(claims, 'm', WORKFLOWS);
	second.end(true);
	expect(claims.claim('m', 'question')).toEqual({ state: 'counted' });
	expect(claims.othersHave('m', 'question')).toBe('counted');
	expect(claims.othersHave('m', WORKFLOWS)).toBe('no');
});

test('deliveries of one side share a claim: it counts if one of them got a 2xx', () => {
	const claims = new Claims();
	const [one, other] = [mine(claims, 'm', WORKFLOWS), mine(claims, 'm', WORKFLOWS)];
	one.end(false);
	expect(claims.othersHave('m', 'question')).toBe('pending');
	other.end(true);
	expect(claims.othersHave('m', 'question')).toBe('counted');
	mine(claims, 'm', WORKFLOWS).end(false);
	expect(claims.othersHave('m', 'question')).toBe('counted');
});

test('forgets the oldest that count, and none that is open', () => {
	const claims = new Claims(2);
	const open = mine(claims, 'open', 'question');
	for (const key of ['1', '2', '3', '4']) mine(claims, key, 'question').end(true);
	const states = ['open', '1', '2', '3', '4'].map((key) => claims.othersHave(key, WORKFLOWS));
	expect(states.join(' ')).toBe('pending no no counted counted');
	open.end(false);
	expect(claims.othersHave('open', WORKFLOWS)).toBe('no');
});

test('a message is the same in any spelling of its IDs, and another one of another account', () => {
	const at = (channelId: string, account = 'one') => ({ account, channelId });
	expect(claimKeyOf(at('aB-1'), 'c-d')).toBe(claimKeyOf(at('AB1'), 'CD'));
	expect(claimKeyOf(at('a'), 'bc')).not.toBe(claimKeyOf(at('ab'), 'c'));
	expect(claimKeyOf(at('a'), 'b'.repeat(1_000_000)).length).toBeLessThan(100);
	expect(claimKeyOf(at('a'), 'b')).not.toBe(claimKeyOf(at('a', 'two'), 'b'));
});

test('a question takes a tap on its own button, whoever claimed it, and keeps it', () => {
	const claims = new Claims();
	const workflow = mine(claims, 'm', WORKFLOWS);
	const question = claims.take('m', 'question');
	workflow.end(true);
	expect(claims.othersHave('m', WORKFLOWS)).toBe('pending');
	question.end(true);
	expect(claims.othersHave('m', WORKFLOWS)).toBe('counted');
	mine(claims, 'n', WORKFLOWS).end(true);
	claims.take('n', 'question').end(true);
	expect(claims.claim('n', WORKFLOWS)).toEqual({ state: 'counted' });
});
