import { items, withFields } from './items.mts';

/** What a model gets of a message with these parts. */
const chatInput = (contents: unknown[], attachments: unknown[] = []): unknown =>
	items(withFields({ contents, attachments }), { chatFields: true })[0]?.chatInput;
const text = (message: unknown) => ({ type: 'TEXT', message });

test.each([
	['IMAGE', '(an image)'],
	['VIDEO', '(a video)'],
	['AUDIO', '(a voice message)'],
	['STICKER', '(a sticker)'],
	['DOCUMENT', '(a document)'],
	['HOLOGRAM', '(a message of the kind HOLOGRAM)'],
	[null, '(a file)'],
])('a file of the kind %s is named in words, before its caption', (type, words) => {
	expect(chatInput([], [{ type, url: 'u' }])).toBe(words);
	expect(chatInput([], [{ type, url: 'u', caption: ' \n' }])).toBe(words);
	expect(chatInput([], [{ type, url: 'u', caption: 'Is it this?' }])).toBe(`${words} Is it this?`);
});

test.each([
	[{ type: 'CONTACT_ARRAY', message: null, contacts: [{ name: 'Bo' }] }, '(a contact)'],
	[{ type: 'LOCATION', latitude: 1, longitude: 2 }, '(a location)'],
	[
		{ type: 'INTERACTIVE_ACTION', message: { title: 'Menu' } },
		'(a message of the kind INTERACTIVE_ACTION)',
	],
	[{ type: 'SOMETHING_NEW', message: 'with words' }, 'with words'],
	[{ type: 'INTERACTIVE_BUTTON', button: { id: 'yes', title: 'Yes' } }, 'Yes'],
	[text(''), '(an empty message)'],
	[text('  '), '(an empty message)'],
	[text(null), '(an empty message)'],
	[{}, '(an empty message)'],
])('a content is named in words, if it has no text: %j', (content, words) => {
	expect(chatInput([content])).toBe(words);
});

test('a text and its files come together, in their order', () => {
	const files = [
		{ type: 'IMAGE', url: 'u', caption: 'from above' },
		{ type: 'IMAGE', url: 'u' },
	];
	expect(chatInput([text('Look')], files)).toBe('Look\n(an image) from above\n(an image)');
});

test('a message has at most 4,096 characters, and a mark where more was', () => {
	expect(chatInput([text('a'.repeat(4096))])).toBe('a'.repeat(4096));
	expect(chatInput([text('a'.repeat(65_536))])).toBe(`${'a'.repeat(4092)} […]`);
	const files = Array.from({ length: 100 }, () => ({ type: 'IMAGE', caption: 'b'.repeat(1000) }));
	expect(chatInput([], files)).toHaveLength(4096);
	expect(String(chatInput([], [{ type: 'K'.repeat(65_536) }])).length).toBeLessThan(100);
});

test('an emoji at the cut is left out whole', () => {
	expect(chatInput([text(`${'a'.repeat(4091)}👋${'b'.repeat(10)}`)])).toBe(
		`${'a'.repeat(4091)} […]`,
	);
});
