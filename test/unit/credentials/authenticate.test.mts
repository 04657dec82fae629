import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../../credentials/BusinessMessagingApi.credentials.ts';

async function authenticate(options: IHttpRequestOptions) {
	const { authenticate: add } = new BusinessMessagingApi();
	if (typeof add !== 'function') throw new Error('the credential no longer keeps the key to its host');
	const credentials: ICredentialDataDecryptedObject = { baseUrl: ' https://api.example.com/gateway/ ', secretKey: 'key' };
	return await add(credentials, options);
}

test.each([
	[{ url: 'https://api.example.com/gateway/v1/webhooks' }],
	[{ url: '/v1/webhooks', baseURL: 'https://api.example.com/gateway' }],
	[{ url: 'https://API.example.com:443/elsewhere' }],
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
])('it goes to no other: %j', async (options) => {
	await expect(authenticate(options)).rejects.toThrow('The secret key is sent only to the host of the Base URL in the credential.');
});
