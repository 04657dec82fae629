import { signaturesIn, withoutSecrets } from '../../../nodes/BusinessMessaging/service/secrets.ts';

test('removes what is secret by its name, all but the kind of "auth", and signatures', () => {
	const names = ['token', 'Token', 'botToken', 'access_token', 'pageAccessToken', 'secret'];
	const others = ['appSecret', 'password', 'credentials', 'apiKey', 'private_key', 'Authorization'];
	const secrets = Object.fromEntries([...names, ...others].map((name) => [name, 'shh']));
	const auth = { type: 'BASIC', configured: true, username: 'u', password: 'shh', more: 'shh' };
	const url = 'https://n8n.example/?signature=';
	expect(
		withoutSecrets({
			...{ id: 'A', phoneId: '1', key: 'of nothing', ...secrets },
			webhooks: [{ ...secrets, url: `${url}shh&a=1`, auth }, { auth: 'shh' }, { auth: null }],
			inbox: { configuration: secrets },
		}),
	).toEqual({
		...{ id: 'A', phoneId: '1', key: 'of nothing' },
		webhooks: [
			{ url: `${url}[hidden]&a=1`, auth: { type: 'BASIC', configured: true } },
			...[{ auth: null }, { auth: null }],
		],
		inbox: { configuration: {} },
	});
});

test.each<[string, (value: unknown) => unknown]>([
	['lists', (value) => [value]],
	['objects', (value) => ({ value })],
])('keeps twenty levels of %s', (_name, wrap) => {
	const wrapped = (times: number): unknown => (times === 0 ? 'deep' : wrap(wrapped(times - 1)));
	expect(withoutSecrets(wrapped(20))).toEqual(wrapped(20));
	expect(JSON.stringify(withoutSecrets(wrapped(21)))).not.toContain('deep');
});

test("what is too short for a signature is no secret, so nobody's words hide an error", () => {
	const signature = '7f3ab1'.repeat(10);
	const texts = ['%41%41%41', 'window', signature].map((value) => `?signature=${value} `);
	expect(signaturesIn({ body: { message: texts.join('') } })).toEqual([signature]);
});
