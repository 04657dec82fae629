import fc from 'fast-check';

import { normalizeBaseUrl } from '#nodes/service/baseUrl.ts';
import { changeText, oddText, textChange } from '../../support/oddTexts.mts';
import { runs } from '../../support/runs.mts';

test.each([
	['https://api.example.com', 'https://api.example.com'],
	['https://api.example.com///', 'https://api.example.com'],
	['  http://127.0.0.1:4010/ ', 'http://127.0.0.1:4010'],
	['https://example.com/gateway/', 'https://example.com/gateway'],
])('reads %s as the root %s', (typed, root) => expect(normalizeBaseUrl(typed)).toBe(root));

test.each([
	['', 'is empty'],
	[undefined, 'is empty'],
	['api.example.com', 'is not a URL'],
	['ftp://api.example.com', 'must start with https:// or http://'],
	['https://user:pass@api.example.com', 'must not hold a user name'],
	['https://user@api.example.com', 'must not hold a user name'],
	['https://:pass@api.example.com', 'must not hold a user name'],
	['https://api.example.com/?a=b', 'must not hold a query'],
	['http://a.aa#', 'must not hold a query or a fragment'],
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

test('what is accepted is a root that requests can be put under, and nothing in it leads elsewhere', () => {
	const root = fc.oneof(
		fc.constantFrom('https://[::1]:8080/a/b/', 'HTTPS://EXAMPLE.COM', 'http://127.0.0.1:4010//'),
		fc.webUrl({ withQueryParameters: true, withFragments: true }),
		oddText,
	);
	fc.assert(
		fc.property(root, fc.array(textChange, { maxLength: 3 }), (text, changes) => {
			const typed = changes.reduce(changeText, text);
			let read: string;
			try {
				read = normalizeBaseUrl(typed);
			} catch (error) {
				expect(String(error)).toContain('The Base URL in the credential ');
				return;
			}
			expect(typed).not.toMatch(/[?#\\]/);
			expect(normalizeBaseUrl(read)).toBe(read);
			const { href, username, password } = new URL(`${read}/v1/channels`);
			expect([href, username, password]).toEqual([`${read}/v1/channels`, '', '']);
		}),
		{ numRuns: runs(1000) },
	);
});
