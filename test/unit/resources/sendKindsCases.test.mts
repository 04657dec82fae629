/** What the sending operations make of their fields. */
import { CHANNEL, run } from './actionNode.mts';

type Fields = Record<string, unknown>;

const send = (operation: string, entered: Fields) =>
	run({
		resource: 'message',
		operation,
		channelId: CHANNEL,
		recipient: '5511999990000',
		...entered,
	});
const yes = { values: [{ title: 'Yes' }] };
const replies = (entered: Fields) => ({ text: 'Well?', replyButtons: yes, ...entered });
const actions = (...values: Fields[]) => ({
	text: 'Well?',
	buttonType: 'action',
	actionButtons: { values },
});
const template = (additionalComponents: unknown) => ({
	template: { __rl: true, mode: 'name', value: 'welcome' },
	languageCode: 'en_US',
	additionalComponents,
});
const header = (address: string, headerMediaType: string) =>
	replies({ headerMediaUrl: `https://example.com/${address}`, headerMediaType });
const caption = (length: number) => ({
	mediaType: 'image',
	mediaUrl: 'https://example.com/a.png',
	caption: 'x'.repeat(length),
});

it.each<[string, string, Fields, Fields]>([
	[
		'IDs and titles of reply buttons without blanks around them',
		'sendButtons',
		replies({
			replyButtons: {
				values: [
					{ title: ' Yes ', id: ' yes ' },
					{ title: 'No', id: ' ' },
				],
			},
		}),
		{
			attachments: [
				{ id: 'yes', title: 'Yes' },
				{ id: '2', title: 'No' },
			],
		},
	],
	[
		'a PNG above the buttons, chosen as an image',
		'sendButtons',
		header('a.PNG', 'image'),
		{ body: { mimeType: 'image/png' } },
	],
	[
		'what is chosen as a video, whatever its name',
		'sendButtons',
		header('a.png', 'video'),
		{ body: { mimeType: 'video/mp4' } },
	],
	[
		'what is chosen as an image, without a name',
		'sendButtons',
		header('', 'image'),
		{ body: { mimeType: 'image/jpeg' } },
	],
	[
		'a link and a number without blanks around them',
		'sendButtons',
		actions(
			{ title: 'Shop', url: ' https://shop.example ' },
			{ title: 'Call', action: 'call', phone: ' 551 ' },
		),
		{
			attachments: [
				{ id: '1', title: 'Shop', name: 'URL', url: 'https://shop.example' },
				{ id: '2', title: 'Call', name: 'CALL', phones: ['551'] },
			],
		},
	],
	[
		'a template without further components',
		'sendTemplate',
		template(''),
		{ attachments: [{ template: { components: [{ type: 'body', parameters: [] }] } }] },
	],
	[
		'a caption as long as it may be',
		'sendMedia',
		caption(1024),
		{ attachments: [{ caption: 'x'.repeat(1024) }] },
	],
	[
		'a title and a text as long as they may be',
		'sendButtons',
		replies({ text: 'x'.repeat(1024), replyButtons: { values: [{ title: 'x'.repeat(20) }] } }),
		{ body: { message: 'x'.repeat(1024) }, attachments: [{ title: 'x'.repeat(20) }] },
	],
	[
		'a long title of a link, which the service judges',
		'sendButtons',
		actions({ title: 'x'.repeat(21), url: 'https://shop.example' }),
		{ attachments: [{ title: 'x'.repeat(21) }] },
	],
	[
		'a text as long as it may be',
		'sendText',
		{ text: 'x'.repeat(4096) },
		{ body: { message: 'x'.repeat(4096) } },
	],
	[
		'Markdown of which nothing would be left, as it stands',
		'sendText',
		{ text: '<br>', options: { convertMarkdown: true } },
		{ type: 'TEXT', body: { message: '<br>' } },
	],
])('sends %s', async (_what, operation, entered, content) => {
	const { sent } = await send(operation, entered);
	// Send Template reads templates, too, if it can.
	expect(sent.filter(({ method }) => method === 'POST')).toMatchObject([{ body: { content } }]);
});

const NO_COMPONENTS = '"Additional Components" is not a list of components.';

it.each<[string, string, Fields, string]>([
	[
		'four reply buttons',
		'sendButtons',
		replies({ replyButtons: { values: ['a', 'b', 'c', 'd'].map((title) => ({ title })) } }),
		'"Reply Buttons" has 4 buttons. Add at least one and at most 3.',
	],
	[
		'a longer title of a reply button',
		'sendButtons',
		replies({
			replyButtons: { values: [{ title: 'Yes' }, { title: 'Yes, please, on Monday at ten' }] },
		}),
		'Title of button 2 has 29 characters. A reply button has room for 20.',
	],
	[
		'a title whose signs take two units each',
		'sendButtons',
		replies({ replyButtons: { values: [{ title: '😀'.repeat(11) }] } }),
		'Title of button 1 has 22 characters.',
	],
	[
		'a longer text above reply buttons',
		'sendButtons',
		replies({ text: 'x'.repeat(1025) }),
		'"Text" has 1025 characters. A message with buttons has room for 1024.',
	],
	[
		'a longer text above a link',
		'sendButtons',
		{ ...actions({ title: 'Shop', url: 'https://shop.example' }), text: 'x'.repeat(1025) },
		'"Text" has 1025 characters. A message with buttons has room for 1024.',
	],
	[
		'a longer text',
		'sendText',
		{ text: 'x'.repeat(4097) },
		'"Text" has 4097 characters. A message has room for 4096. Shorten it, or add the option "Max Length"',
	],
	[
		'parts that are longer',
		'sendText',
		{ text: 'x'.repeat(9000), options: { maxLength: 5000 } },
		'"Max Length" is 5000. A message has room for 4096 characters.',
	],
	[
		'media above the buttons that have no address',
		'sendButtons',
		replies({ headerMediaUrl: 'a.png' }),
		'"Header Media URL" is not a URL',
	],
	[
		'an action button without a title',
		'sendButtons',
		actions({ title: 'Shop', url: 'https://shop.example' }, { title: ' ' }),
		'Button 2 has no title.',
	],
	[
		'a blank number to call',
		'sendButtons',
		actions({ title: 'Call', action: 'call', phone: ' ' }),
		'Button 1 has no phone number.',
	],
	['a component that is null', 'sendTemplate', template([null]), NO_COMPONENTS],
	['a component that is a number', 'sendTemplate', template([7]), NO_COMPONENTS],
	['a component whose type is a number', 'sendTemplate', template([{ type: 7 }]), NO_COMPONENTS],
	['a component whose type is empty', 'sendTemplate', template([{ type: '' }]), NO_COMPONENTS],
	['components that are an object', 'sendTemplate', template({ type: 'body' }), NO_COMPONENTS],
	[
		'an unknown kind of media, of which it quotes the beginning',
		'sendMedia',
		{ mediaType: 'g'.repeat(65), mediaUrl: 'https://example.com/a.gif' },
		`"Media Type" is "${'g'.repeat(64)}". Enter one of image, video, audio, sticker.`,
	],
	[
		'a PDF by its address',
		'sendMedia',
		{ mediaType: 'image', mediaUrl: 'https://example.com/menu.PDF?v=2' },
		'"Media URL" leads to a document. Documents cannot be sent: send a link with Send Text,',
	],
	['a longer caption', 'sendMedia', caption(1025), '"Caption" has 1025 characters'],
	['content that is no JSON', 'sendOther', { content: '{' }, '"Content" is not valid JSON.'],
	[
		'content with a blank type',
		'sendOther',
		{ content: { type: ' ' } },
		'"Content" is not a JSON object with a "type".',
	],
	[
		'an empty phone of a contact',
		'sendContact',
		{ contactName: 'Bo', contactPhones: [''] },
		'Value 1 of "Contact Phones" is empty.',
	],
])('refuses %s', async (_what, operation, entered, words) => {
	await expect(send(operation, entered)).rejects.toThrow(words);
});
