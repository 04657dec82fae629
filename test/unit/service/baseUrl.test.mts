import { normalizeBaseUrl } from '../../../nodes/BusinessMessaging/service/baseUrl.ts';

test.each([
	['https://api.example.com', 'https://api.example.com'],
	['https://api.example.com///', 'https://api.example.com'],
	['  http://127.0.0.1:4010/ ', 'http://127.0.0.1:4010'],
	['https://example.com/gateway/', 'https://example.com/gateway'],
])('reads %s as the root %s', (typed, root) => expect(normalizeBaseUrl(typed)).toBe(root));

test.each([
	['', 'is empty'],
	['  ', 'is empty'],
	[undefined, 'is empty'],
	['api.example.com', 'is not a URL'],
	['ftp://api.example.com', 'must start with https:// or http://'],
	['https://user:pass@api.example.com', 'must not hold a user name'],
	['https://user@api.example.com', 'must not hold a user name'],
	['https://:pass@api.example.com', 'must not hold a user name'],
	['https://api.example.com/?a=b', 'must not hold a query'],
	['https://api.example.com/#x', 'must not hold a query or a fragment'],
	['https://api.example.com/a/../b', '".."'],
	['https://api.example.com/%2e%2E/b', '".."'],
	['https://api.example.com\\..\\b', '".."'],
	['https://api.example.com/a/..', '".."'],
	['https://api.example.com/a/.', '"."'],
	['https://../b', '".."'],
])('refuses %j and names the field', (typed, problem) => {
	expect(() => normalizeBaseUrl(typed)).toThrow(
		/^The Base URL in the credential .*Enter the root address of the service/,
	);
	expect(() => normalizeBaseUrl(typed)).toThrow(problem);
});
