/** Wishes that begin with what a customer does. */
import {
	act,
	agent,
	asTool,
	code,
	given,
	message,
	onChannel,
	onlyIf,
	post,
	request,
	type Sentence,
	sendText,
	toColleague,
	toSender,
	wait,
	when,
	withMemory,
} from './parts.mts';

const forAgent = { grouping: 'customer', options: { chatFields: true } };
const approval = (askIn: 'chat' | 'link') => ({
	askIn,
	responseType: 'approval',
	approvalOptions: { values: { approvalType: 'double' } },
});

export const answering: Sentence[] = [
	{
		wish: 'When a customer writes, thank them',
		workflow: [onChannel(), sendText(toSender, 'Thank you! We will answer within the hour.')],
	},
	{
		wish: 'When a customer writes, ask our agent and answer',
		workflow: [
			onChannel(forAgent),
			withMemory(agent('You answer customers of a shop.')),
			sendText(toSender, '={{ $json.output }}', { convertMarkdown: true }),
		],
	},
	{
		wish: 'Let an agent answer customers, and let it send the messages itself',
		workflow: [
			onChannel(forAgent),
			agent(
				'You answer customers of a shop. They see only what the tool sends.',
				{},
				asTool(
					sendText(toSender, "={{ $fromAI('text', 'The whole answer') }}", {
						convertMarkdown: true,
					}),
				),
			),
		],
	},
	{
		wish: 'Our agent may refund only after a colleague has approved',
		workflow: [
			onChannel(forAgent),
			agent(
				'You answer customers of a shop. Refund only what was approved.',
				{},
				asTool(
					message('Ask a Colleague', 'sendAndWait', toColleague, {
						message: "={{ $fromAI('question', 'What to approve, and why') }}",
						...approval('chat'),
					}),
				),
			),
			sendText(toSender, '={{ $json.output }}', { convertMarkdown: true }),
		],
	},
	{
		wish: 'Greet customers by their name',
		workflow: [onChannel(), sendText(toSender, `=Hello ${given('sender.name')}!`)],
	},
	{
		wish: 'When several messages come quickly, answer once',
		workflow: [
			onChannel({ grouping: 'customer', quietTime: 5 }),
			sendText(toSender, `=You wrote: ${given('text')}`),
		],
	},
	{
		wish: 'Answer "price" with our price list as a picture',
		workflow: [
			onChannel(),
			onlyIf('Is It About Prices?', "$json.text?.toLowerCase().includes('price')"),
			message('Send the List', 'sendMedia', toSender, {
				mediaUrl: 'https://shop.example.com/prices.png',
				caption: 'Our prices',
			}),
		],
	},
	{
		wish: 'Offer three buttons when somebody writes',
		workflow: [
			onChannel(),
			message('Offer', 'sendButtons', toSender, {
				text: 'How can we help?',
				replyButtons: {
					values: [
						{ title: 'My order', id: 'order' },
						{ title: 'A return', id: 'return' },
						{ title: 'Something else', id: 'other' },
					],
				},
			}),
		],
	},
	{
		wish: 'When a customer taps "My order", tell them where it is',
		workflow: [
			onChannel(),
			onlyIf('Tapped My Order?', "$json.reply?.id === 'order'"),
			request(
				'Find the Order',
				`=https://shop.example.com/orders?phone=${given('sender.identifier')}`,
			),
			sendText(toSender, '=Your order is {{ $json.status }}.'),
		],
	},
	{
		wish: 'Outside business hours, say when we are back',
		workflow: [
			onChannel(),
			onlyIf('Are We Closed?', '$now.hour < 9 || $now.hour >= 18'),
			sendText(toSender, 'We are back at 9.'),
		],
	},
	{
		wish: 'Save the pictures that customers send',
		workflow: [
			onChannel({ options: { contentKinds: ['IMAGE'] } }),
			act('Get the Files', 'message', 'downloadAttachments'),
			request('Store', 'https://files.example.com/', {
				method: 'POST',
				sendBody: true,
				contentType: 'binaryData',
				inputDataFieldName: 'attachment_0',
			}),
		],
	},
	{
		wish: 'Write down voice notes, and answer them',
		workflow: [
			onChannel({ options: { contentKinds: ['AUDIO'] } }),
			act('Get the Voice Note', 'message', 'downloadAttachments', { options: { maxSize: 16 } }),
			request('Write It Down', 'https://models.example.com/transcriptions', {
				method: 'POST',
				sendBody: true,
				contentType: 'binaryData',
				inputDataFieldName: 'attachment_0',
			}),
			sendText(toSender, '=You said: {{ $json.text }}'),
		],
	},
	{
		wish: 'Ask the customer for an email address, and store it',
		workflow: [
			onChannel(),
			message('Ask', 'sendAndWait', toSender, {
				message: 'What is your email address?',
				askIn: 'chat',
				responseType: 'replyInChat',
			}),
			post('Store', 'https://crm.example.com/contacts', '={{ { email: $json.data.text } }}'),
		],
	},
	{
		wish: 'Let the customer choose a day',
		workflow: [
			onChannel(),
			message('Ask', 'sendAndWait', toSender, {
				message: 'When shall we come?',
				askIn: 'chat',
				responseType: 'replyInChat',
				choices: { values: [{ choice: 'Monday' }, { choice: 'Tuesday' }] },
			}),
			sendText(toSender, '=See you on {{ $json.data.choice }}.'),
		],
	},
	{
		wish: 'Let the customer fill in a form with name and day',
		workflow: [
			onChannel(),
			message('Ask', 'sendAndWait', toSender, {
				message: 'Please tell us when you come.',
				responseType: 'customForm',
				formFields: {
					values: [
						{ fieldLabel: 'Name', requiredField: true },
						{ fieldLabel: 'Day', fieldType: 'date' },
					],
				},
			}),
			post('Book', 'https://calendar.example.com/bookings', '={{ $json.data }}'),
		],
	},
	{
		wish: 'When a customer wants a refund, a colleague approves it in the chat',
		workflow: [
			onChannel(),
			onlyIf('Is It a Refund?', "$json.text?.toLowerCase().includes('refund')"),
			message('Ask a Colleague', 'sendAndWait', toColleague, {
				message: `=${given('sender.name')} wants a refund: ${given('text')}`,
				...approval('chat'),
			}),
			when('Approved?', '$json.data.approved', {
				...sendText(toSender, 'We cannot refund this.'),
				name: 'Say No',
			}),
			sendText(toSender, 'Your money is on its way.'),
		],
	},
	{
		wish: 'Hand over to a colleague, with their contact',
		workflow: [
			onChannel(),
			onlyIf('A Person Wanted?', "$json.text?.toLowerCase().includes('human')"),
			message('Send the Contact', 'sendContact', toSender, {
				contactName: 'Bo Example',
				contactPhones: ['5511988880000'],
			}),
		],
	},
	{
		wish: 'Tell a colleague in the chat whenever a customer writes',
		workflow: [
			onChannel(),
			sendText(toColleague, `=${given('sender.name')} wrote: ${given('text')}`),
		],
	},
	{
		wish: 'Write every message into our CRM',
		workflow: [
			onChannel({ grouping: 'arrival' }),
			post(
				'Store',
				'https://crm.example.com/messages',
				'={{ { from: $json.sender.identifier, text: $json.text, at: $json.timestamp } }}',
			),
		],
	},
	{
		wish: 'Answer only our best customers',
		workflow: [
			onChannel({ options: { senders: ['5511999990000', '5511999990002'] } }),
			sendText(toSender, 'We will call you at once.'),
		],
	},
	{
		wish: 'Ten minutes after a customer wrote, ask whether they are happy',
		workflow: [
			onChannel(),
			wait(10, 'minutes'),
			message('Ask', 'sendButtons', toSender, {
				text: 'Are you happy with us?',
				replyButtons: { values: [{ title: 'Yes' }, { title: 'No' }] },
			}),
		],
	},
	{
		wish: 'Send our location when somebody asks where we are',
		workflow: [
			onChannel(),
			onlyIf('Where?', "$json.text?.toLowerCase().includes('where')"),
			message('Send the Map', 'sendButtons', toSender, {
				buttonType: 'action',
				text: 'We are in Example Street 1.',
				actionButtons: {
					values: [{ action: 'url', title: 'Open the map', url: 'https://maps.example.com/shop' }],
				},
			}),
		],
	},
	{
		wish: 'When a message could not be delivered, tell me',
		workflow: [
			onChannel({ channelEvents: ['MESSAGE_STATUS'], options: { statuses: ['FAILED'] } }),
			sendText(toColleague, `=Not delivered to ${given('recipient.identifier')}`),
		],
	},
	{
		wish: 'Count how many messages were read',
		workflow: [
			onChannel({
				channelEvents: ['MESSAGE_STATUS'],
				grouping: 'arrival',
				options: { statuses: ['READ'] },
			}),
			code('Count', 'return [{ json: { read: $input.all().length } }];'),
			post('Store', 'https://stats.example.com/read', '={{ $json }}'),
		],
	},
	{
		wish: 'When the number is disconnected, alert us',
		workflow: [
			onChannel({ channelEvents: ['DISCONNECTED'], options: { output: 'raw' } }),
			post('Alert', 'https://alerts.example.com/', '={{ { title: "The channel is offline" } }}'),
		],
	},
];
