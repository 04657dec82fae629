import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../../credentials/BusinessMessagingApi.credentials.ts';

/** n8n's HTTP Request node has `uri` instead of `url`, and may have anything else. */
type Options = Partial<Omit<IHttpRequestOptions, 'headers' | 'proxy' | 'method' | 'agentOptions'>> &
	Record<string, unknown>;

async function authenticate(options: Options, more: ICredentialDataDecryptedObject = {}) {
	const { authenticate: add } = new BusinessMessagingApi();
	if (typeof add !== 'function')
		throw new Error('the credential no longer keeps the key to its host');
	const baseUrl = ' https://api.example.com/gateway/ ';
	const credentials: ICredentialDataDecryptedObject = { baseUrl, secretKey: 'key', ...more };
	return await add(credentials, options as unknown as IHttpRequestOptions);
}

test.each([
	[{ url: 'https://api.example.com/gateway/v1/webhooks' }],
	[{ url: '/v1/webhooks', baseURL: 'https://api.example.com/gateway' }],
	[{ url: 'https://API.example.com:443/elsewhere' }],
	[{ uri: 'https://api.example.com/gateway/v1/webhooks' }],
	[{ uri: new URL('https://api.example.com/gateway/v1/webhooks') }],
	[{ url: '', uri: 'https://api.example.com/gateway/v1/webhooks' }],
])('sends the key to the host of the Base URL: %j', async (options) => {
	expect(
		(await authenticate({ ...options, headers: { Accept: 'application/json' } })).headers,
	).toEqual({ Accept: 'application/json', Authorization: 'Bearer key' });
});

test.each([
	[{ url: 'https://evil.example.com/v1/webhooks' }],
	[{ url: 'http://api.example.com/v1/webhooks' }],
	[{ url: 'https://api.example.com:8443/v1/webhooks' }],
	[{ url: 'https://api.example.com@evil.example.com/v1' }],
	[{ url: '/v1/webhooks', baseURL: 'https://evil.example.com' }],
	[{ url: '//evil.example.com/v1', baseURL: 'https://api.example.com' }],
	[{ uri: 'https://evil.example.com/v1/webhooks' }],
	[{ uri: new URL('https://evil.example.com/v1/webhooks') }],
	[{ url: 'https://api.example.com/v1/webhooks', uri: 'https://evil.example.com/v1/webhooks' }],
	[{}],
	[{ url: '', uri: '' }],
])('sends the key to no other host: %j', async (options) => {
	await expect(authenticate(options)).rejects.toThrow(
		'The secret key is sent only to the host of the Base URL in the credential.',
	);
});

const ADDRESS = { uri: 'https://api.example.com/gateway/v1/webhooks' };

const API = 'https://api.example.com';

test.each<[string, Options]>([
	['a blank first', { uri: ` ${API}/v1` }],
	['a line break first', { uri: `\n${API}/v1` }],
	['no slashes: some take it for a path, some for a host', { uri: 'https:evil.example.com/v1' }],
	['no slashes, of the test request', { url: 'https:evil.example.com/v1', baseURL: API }],
	['one slash', { uri: 'https:/evil.example.com/v1' }],
	['backslashes', { uri: 'https:\\\\evil.example.com/v1' }],
	['no scheme', { uri: '//api.example.com/v1' }],
	['no scheme, backslashes', { uri: '\\\\api.example.com/v1', baseURL: API }],
	['a backslash after the slash', { url: '/\\evil.example.com', baseURL: API }],
	['a relative address without a base', { url: '/v1/webhooks' }],
	['another scheme', { uri: 'javascript:alert(1)' }],
	['a file', { uri: 'file:///etc/passwd' }],
	['an object', { uri: { href: `${API}/v1` } }],
	['null', { uri: null }],
	['a base that is none', { url: '/v1/webhooks', baseURL: 'api.example.com' }],
])(
	'refuses an address that is neither absolute nor relative to a base: %s',
	async (_name, given) => {
		await expect(authenticate(given)).rejects.toThrow(
			'Begin the address of the request with http:// or https://.',
		);
	},
);

const headers = (given: object): Options => ({ ...ADDRESS, headers: given });
const FORWARDING =
	'host Host hOST :authority X-Forwarded-Host Forwarded X-Original-Host X-HTTP-Host-Override';

test.each<[Options, RegExp]>([
	[{ url: `${API}/v1`, baseURL: 'https://evil.example.com' }, /use another credential/],
	[{ uri: 'https://user:pass@api.example.com/v1' }, /use another credential/],
	[{ uri: 'https://[api.example.com/v1' }, /use another credential/],
	[{ uri: `${API}//evil.example.com/v1` }, /one slash/],
	[{ uri: `${API}/..//evil.example.com/v1` }, /one slash/],
	[{ uri: `${API}/\\evil.example.com/v1` }, /one slash/],
	[{ url: '/v1', baseURL: `${API}//evil.example.com` }, /one slash/],
	[{}, /The request has no address\.$/],
	[{ ...ADDRESS, proxy: 'http://evil.example.com:3128' }, /"Proxy"/],
	[{ ...ADDRESS, proxy: { host: 'evil.example.com', port: 3128 } }, /"Proxy"/],
	[{ ...ADDRESS, rejectUnauthorized: false }, /"Ignore SSL Issues"/],
	[{ ...ADDRESS, rejectUnauthorized: 0 }, /"Ignore SSL Issues"/],
	[{ ...ADDRESS, skipSslCertificateValidation: true }, /"Ignore SSL Issues"/],
	[{ ...ADDRESS, agentOptions: { ca: 'an authority of the author' } }, /NODE_EXTRA_CA_CERTS/],
	[{ ...ADDRESS, agentOptions: { rejectUnauthorized: false } }, /"Ignore SSL Issues"/],
	[{ ...ADDRESS, agentOptions: { cert: 'a', host: 'evil.example.com' } }, /"Ignore SSL Issues"/],
	[{ ...ADDRESS, agentOptions: { socketPath: '/tmp/evil' } }, /"Ignore SSL Issues"/],
	[{ ...ADDRESS, method: 'TRACE' }, /GET, HEAD/],
	[{ ...ADDRESS, method: 'CONNECT' }, /GET, HEAD/],
	...[' host', ...FORWARDING.split(' ')].map((name): [Options, RegExp] => [
		headers({ Accept: 'application/json', [name]: 'evil.example.com' }),
		new RegExp(`"${name}"`),
	]),
	[headers({ Host: '' }), /"Host"/],
	[headers({ [`Host-${'x'.repeat(100)}`]: 'a' }), /"Host-x{35}"/],
	[headers({ common: { Accept: 'application/json' } }), /"common"/],
	[headers({ common: ['a', { Accept: 'application/json' }] }), /"common"/],
	[headers({ get: [{ Accept: 'application/json' }] }), /"get"/],
	[headers(JSON.parse('{"__proto__": {"common": {"a": "b"}}}') as object), /"__proto__"/],
])('refuses the key to a request that somebody could redirect: %j', async (options, remedy) => {
	const error = await authenticate(options).then(
		() => undefined,
		(thrown: Error) => thrown,
	);
	expect(error?.message).toMatch(
		/^The secret key is sent only to the host of the Base URL in the credential\. /,
	);
	expect(error?.message).toMatch(remedy);
	expect(error?.message).not.toContain('Bearer');
});

test.each<Options>([
	{ ...headers({ 'X-Tags': ['a', 'b'], 'X-None': null }), rejectUnauthorized: true },
	{ ...ADDRESS, followRedirect: true, method: 'PATCH' },
	{ ...ADDRESS, proxy: undefined, skipSslCertificateValidation: false },
	{ ...ADDRESS, agentOptions: { cert: 'a', key: 'of the caller', passphrase: 'too' } },
	{ ...ADDRESS, proxy: '', method: undefined, headers: undefined },
	{ uri: API },
	{ uri: `${API}/v1/channels?query=//evil.example.com&url=https://evil.example.com` },
])('leaves other options of a request alone: %j', async (options) => {
	expect((await authenticate(options)).headers).toMatchObject({ Authorization: 'Bearer key' });
});

const FRAMING = `
	Content-Length content-length Transfer-Encoding tRANSFER-eNCODING Connection Keep-Alive
	Proxy-Connection Proxy-Authorization Upgrade HTTP2-Settings TE Trailer Expect
	X-HTTP-Method-Override x-http-method-override X_HTTP_Method_Override X-HTTP-Method
	X-Method-Override X.Method.Override _method X-Original-URL X-Original-URI X-Rewrite-URL
	X-Envoy-Original-Path X-Upstream X-Real-IP X-Client-IP True-Client-IP Destination Via
	Max-Forwards`;
const ORDINARY = `
	Accept accept-language Content-Type User-Agent If-None-Match Cache-Control Idempotency-Key
	traceparent Prefer Referer authorization X-Request-Id x-correlation-id X-Tenant X-Team-Name
	X-Custom_Mark`;
const namesIn = (list: string) => list.trim().split(/\s+/);

test.each([' Content-Length ', ...namesIn(FRAMING)])(
	'refuses the key with a header that frames or redirects the request: %j',
	async (name) => {
		for (const value of ['0', 0, '', ['0', 'x'], null])
			await expect(authenticate(headers({ [name]: value }))).rejects.toThrow(
				`Remove the header "${name}" from the request.`,
			);
	},
);

test.each(namesIn(ORDINARY))('sends the key with an ordinary header: %s', async (name) => {
	expect((await authenticate(headers({ [name]: 'a' }))).headers).toMatchObject({
		Authorization: 'Bearer key',
	});
});

test("gives n8n's own request nodes no key if the credential does not allow other nodes", async () => {
	const kept = { allowedHttpRequestDomains: 'none' };
	await expect(authenticate(ADDRESS, kept)).rejects.toThrow('"Allowed HTTP Request Domains"');
	expect((await authenticate({ url: ADDRESS.uri }, kept)).headers).toMatchObject({
		Authorization: 'Bearer key',
	});
});

test('follows no redirect, under the names of both request helpers', async () => {
	const wanted = { followRedirect: true, followAllRedirects: true, maxRedirects: 21 };
	const others = { disableFollowRedirect: false, sendCredentialsOnCrossOriginRedirect: true };
	expect(await authenticate({ ...ADDRESS, ...wanted, ...others })).toMatchObject({
		...{ followRedirect: false, followAllRedirects: false, disableFollowRedirect: true },
		sendCredentialsOnCrossOriginRedirect: false,
	});
});
