import { resultOf } from '#nodes/service/exchange.ts';
import type { ServiceClient, ServiceRequest } from '#nodes/service/client.ts';
import { sendMessage } from '#nodes/service/messages.ts';
import { signaturesIn, withoutSecrets } from '#nodes/service/secrets.ts';
import { time } from '../../support/timing.mts';

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

test.each<[string, (value: unknown) => object]>([
	['lists', (value) => [value]],
	['objects', (value) => ({ value })],
])('keeps a hundred levels of %s, and tells of more', (_name, wrap) => {
	const wrapped = (times: number): object => wrap(times === 1 ? 'deep' : wrapped(times - 1));
	const onCut = jest.fn();
	expect(withoutSecrets(wrapped(100), [], onCut)).toEqual(wrapped(100));
	expect(onCut).not.toHaveBeenCalled();
	expect(JSON.stringify(withoutSecrets(wrapped(101), [], onCut))).not.toContain('deep');
	expect(onCut).toHaveBeenCalledTimes(1);
});

test('hides in what a user wrote only values under secret names, and says so', () => {
	const text = 'See https://a.example/?signature=abc';
	const given = { secret: 'new', components: [{ text, flow_token: 'shh' }], name: text };
	expect(withoutSecrets(given, ['secret', 'components'])).toEqual({
		...{ secret: 'new', components: [{ text, flow_token: '[hidden]' }] },
		name: 'See https://a.example/?signature=[hidden]',
	});
});

test("what is too short for a signature is no secret, so nobody's words hide an error", () => {
	const signature = '7f3ab1'.repeat(10);
	const texts = ['%41%41%41', 'window', signature].map((value) => `?signature=${value} `);
	expect(signaturesIn({ body: { message: texts.join('') } })).toEqual([signature]);
});

test('of a message with more links than an error can be searched for, nothing is quoted', async () => {
	const errorOf = (signatures: number) => {
		const links = Array.from({ length: signatures }, (_, at) => `signature=abcdef${at + 100_000}`);
		const last = `abcdef${signatures + 99_999}`;
		const response = { statusCode: 400, headers: {}, body: `Wrong: signature=${last} ${last}` };
		const wanted = { action: 'send', method: 'POST' as const, path: [], body: links };
		try {
			return resultOf(wanted, response, [], () => undefined);
		} catch (error) {
			return (error as Error).message;
		}
	};
	expect(errorOf(200)).toContain('Wrong: signature=[hidden] [hidden]"');
	const { worked } = await time(() => errorOf(16_000), '');
	expect(worked).toBeLessThan(500);
	expect(errorOf(16_000)).not.toMatch(/Wrong|abcdef/);
});

test('a refused file is not searched for links', async () => {
	const remember = { parts: 0 };
	const request = async ({ body, secrets }: ServiceRequest<unknown>) => {
		remember.parts = (secrets ?? []).length;
		const searched = jest.spyOn(body as Buffer, 'toString');
		const response = { statusCode: 400, headers: {}, body: { error: 400, message: 'No' } };
		try {
			return resultOf(
				{ action: 'a', method: 'POST', path: [], ...{ body } },
				response,
				[],
				() => {},
			);
		} finally {
			expect(searched).not.toHaveBeenCalled();
		}
	};
	const sent = sendMessage({ request } as unknown as ServiceClient, {
		...{ channelId: 'C', recipient: '1', file: { mimeType: 'image/png', data: Buffer.from('a') } },
		content: {
			type: 'IMAGE',
			attachments: [{ url: '', caption: `?signature=${'ab12'.repeat(9)}` }],
		},
	});
	await expect(sent).rejects.toThrow('No');
	expect(remember.parts).toBe(1);
});
