/** What the sending operations make of their fields. */
import { CHANNEL } from '../../support/constants.mts';
import { run } from './actionNode.mts';

type Fields = Record<string, unknown>;

const send = (operation: string, entered: Fields) =>
	run({
		...{ resource: 'message', operation, channelId: CHANNEL, recipient: '5511999990000' },
		...entered,
	});
const replies = (entered: Fields, ...values: Fields[]) => ({
	...{ text: 'Well?', replyButtons: { values: values.length > 0 ? values : [{ title: 'Yes' }] } },
	...entered,
});
const actions = (...values: Fields[]) => ({
	...{ text: 'Well?', buttonType: 'action', actionButtons: { values } },
});
const template = (additionalComponents: unknown) => ({
	template: { __rl: true, mode: 'name', value: 'welcome' },
	languageCode: 'en_US',
	additionalComponents,
});
const header = (address: string, headerMediaType: string) =>
	replies({ headerMediaUrl: `https://example.com/${address}`, headerMediaType });
const media = (name: string, more: Fields = {}) => ({
	...{ mediaType: 'image', mediaUrl: `https://example.com/${name}` },
	...more,
});
const url = 'https://shop.example';
const x = (count: number) => 'x'.repeat(count);
const titled = (...titles: string[]) => ({
	...{ text: 'Well?', replyButtons: { values: titles.map((title) => ({ title })) } },
});
const option = (name: string, value: unknown) => ({ options: { [name]: value } });

const AT_HOME = 'http://localhost/shop.png';
const UNREACHED = `The service cannot reach ${AT_HOME}: it is an address of this machine only. Put the file at a public address.`;

it.each<[string, string, Fields, Fields, string?]>([
	[
		'reply buttons without blanks around',
		'sendButtons',
		replies({}, { title: ' Yes ', id: ' yes ' }, { title: 'No', id: ' ' }),
		{
			attachments: [
				{ id: 'yes', title: 'Yes' },
				{ id: '2', title: 'No' },
			],
		},
	],
	['a video', 'sendButtons', header('a.png', 'video'), { body: { mimeType: 'video/mp4' } }],
	[
		'a link and a number without blanks around',
		'sendButtons',
		actions({ title: 'Shop', url: ` ${url} ` }, { title: 'Call', action: 'call', phone: ' 551 ' }),
		{
			attachments: [
				{ id: '1', title: 'Shop', name: 'URL', url },
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
	['4096 characters', 'sendText', { text: x(4096) }, { body: { message: x(4096) } }],
	[
		'Markdown of which nothing would be left',
		'sendText',
		{ text: '<br>', ...option('convertMarkdown', true) },
		{ type: 'TEXT', body: { message: '<br>' } },
	],
	['a file of this machine', 'sendMedia', media('', { mediaUrl: AT_HOME }), {}, UNREACHED],
	[
		'a template with one',
		'sendTemplate',
		template([{ type: 'header', parameters: [{ type: 'image', image: { link: AT_HOME } }] }]),
		{ type: 'TEMPLATE' },
		UNREACHED,
	],
	['a link to one', 'sendButtons', actions({ title: 'Shop', url: AT_HOME }), {}],
])('sends %s', async (_what, operation, entered, content, hint = '') => {
	const { sent, hints } = await send(operation, entered);
	expect(hints.join()).toBe(hint);
	// Send Template reads templates, too, if it can.
	expect(sent.filter(({ method }) => method === 'POST')).toMatchObject([{ body: { content } }]);
});

const NO_COMPONENTS = '"Additional Components" is not a list of components.';

it.each<[string, Fields, string]>([
	['sendMedia', media('', { mediaUrl: 'data:image/png;base64,eA==' }), '"Media URL" is not a URL'],
	['sendButtons', replies({}, { title: 'Yes', id: '2' }, { title: 'No' }), 'same ID'],
	['sendButtons', replies({ headerMediaUrl: url }), 'Choose one in "Header Media Type"'],
	['sendButtons', actions({ title: 'Shop' }), '"URL of button 1" is not a URL'],
	['sendButtons', actions(), '"Action Buttons" has no button'],
	[
		'sendTemplate',
		{ ...template([{ type: 'BODY', parameters: [] }]), bodyParameters: ['Ana'] },
		'"Additional Components" holds the template\'s body, which another field gives, too',
	],
	[
		'sendTemplate',
		{ ...template(''), bodyParameters: ['Ana', ''] },
		'Value 2 of "Body Parameters" is empty',
	],
	['sendButtons', titled('a', 'b', 'c', 'd'), 'has 4 buttons. Add at least one and at most 3.'],
	[
		'sendButtons',
		titled('Yes', x(29)),
		'Title of button 2 has 29 characters. A reply button has room for 20.',
	],
	[
		'sendButtons',
		replies({ text: x(1025) }),
		'"Text" has 1025 characters. A message with buttons has room for 1024.',
	],
	['sendText', { text: x(4097) }, 'room for 4096. Shorten it, or add the option "Max Length"'],
	[
		'sendText',
		{ text: x(9000), ...option('maxLength', 5000) },
		'"Max Length" is 5000. A message has room for 4096 characters.',
	],
	['sendTemplate', template([null]), NO_COMPONENTS],
	['sendTemplate', template({ type: 'body' }), NO_COMPONENTS],
	[
		'sendMedia',
		media('a.gif', { mediaType: 'g'.repeat(65) }),
		`"Media Type" is "${'g'.repeat(64)}". Enter one of image, video, audio, sticker.`,
	],
	[
		'sendMedia',
		media('menu.PDF?v=2'),
		'leads to a document. Documents cannot be sent: send a link with Send Text,',
	],
	['sendMedia', media('a.png', { caption: x(1025) }), '"Caption" has 1025 characters'],
	['sendOther', { content: { type: ' ' } }, '"Content" is not a JSON object with a "type".'],
])('%s refuses %j: %s', async (operation, entered, words) => {
	await expect(send(operation, entered)).rejects.toThrow(words);
});
