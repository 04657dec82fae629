import { withoutTokens } from '../../../nodes/BusinessMessaging/service/secrets.ts';

test('removes every field "token" and the signatures in texts', () => {
	expect(
		withoutTokens({
			id: 'A',
			token: 'secret',
			webhooks: [{ Token: 'secret', url: 'https://n8n.example/?signature=secret&a=1' }],
		}),
	).toEqual({ id: 'A', webhooks: [{ url: 'https://n8n.example/?signature=[hidden]&a=1' }] });
});

test.each<[string, (value: unknown) => unknown]>([
	['lists', (value) => [value]],
	['objects', (value) => ({ value })],
])('keeps twenty levels of %s', (_name, wrap) => {
	const wrapped = (times: number): unknown => (times === 0 ? 'deep' : wrap(wrapped(times - 1)));
	expect(withoutTokens(wrapped(20))).toEqual(wrapped(20));
	expect(JSON.stringify(withoutTokens(wrapped(21)))).not.toContain('deep');
});
