import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../../credentials/BusinessMessagingApi.credentials.ts';

/** What n8n's HTTP Request node gives in the place of `url`. */
type Options = Partial<IHttpRequestOptions> & { uri?: string | URL };

async function authenticate(options: Options) {
	const { authenticate: add } = new BusinessMessagingApi();
	if (typeof add !== 'function') throw new Error('the credential no longer keeps the key to its host');
	const credentials: ICredentialDataDecryptedObject = { baseUrl: ' https://api.example.com/gateway/ ', secretKey: 'key' };
	return await add(credentials, options as IHttpRequestOptions);
}

test.each([
	[{ url: 'https://api.example.com/gateway/v1/webhooks' }],
	[{ url: '/v1/webhooks', baseURL: 'https://api.example.com/gateway' }],
	[{ url: 'https://API.example.com:443/elsewhere' }],
	[{ uri: 'https://api.example.com/gateway/v1/webhooks' }],
	[{ uri: new URL('https://api.example.com/gateway/v1/webhooks') }],
	[{ url: '', uri: 'https://api.example.com/gateway/v1/webhooks' }],
])('the key goes to the host of the Base URL: %j', async (options) => {
	expect((await authenticate({ ...options, headers: { Accept: 'application/json' } })).headers).toEqual({ Accept: 'application/json', Authorization: 'Bearer key' });
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
])('it goes to no other: %j', async (options) => {
	await expect(authenticate(options)).rejects.toThrow('The secret key is sent only to the host of the Base URL in the credential.');
});

test('it does not follow a redirect to another host, whatever the borrowing node wants', async () => {
	const options = { uri: 'https://api.example.com/v1', sendCredentialsOnCrossOriginRedirect: true };
	expect(await authenticate(options)).toMatchObject({ sendCredentialsOnCrossOriginRedirect: false });
});
