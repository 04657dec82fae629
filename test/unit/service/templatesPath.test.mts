import { templatesPathOf } from '#nodes/service/baseUrl.ts';

test.each([
	[undefined, ['chatapp', 'businesses']],
	['', ['chatapp', 'businesses']],
	[' /chatapp/businesses/ ', ['chatapp', 'businesses']],
	['v2/message-templates', ['v2', 'message-templates']],
	['/a.b/c_d~e', ['a.b', 'c_d~e']],
])('%j is a path', (typed, segments) => expect(templatesPathOf(typed)).toEqual(segments));

test.each([
	'https://other.example/businesses',
	'//other.example/businesses',
	'/a/../v1/channels',
	'/a/./b',
	'/a/%2e%2e/b',
	'/a\\b',
	'/a?x=1',
	'/a#b',
	'/a//b',
	'/user@other.example',
	'/a b',
])('%s is refused, with the field and the remedy', (typed) => {
	expect(() => templatesPathOf(typed)).toThrow(
		/Templates Path in the credential is not a path below the Base URL\. Enter/,
	);
});
