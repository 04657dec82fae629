/** Wishes that begin with what a customer does. */
import {
	act,
	agent,
	asTool,
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
	when,
	withMemory,
	wish,
} from './parts.mts';

const forAgent = { grouping: 'customer', options: { chatFields: true } };
const approval = (askIn: 'chat' | 'link') => ({
	askIn,
	responseType: 'approval',
	approvalOptions: { values: { approvalType: 'double' } },
});

export const answering: Sentence[] = [
	wish(
		'When a customer writes, thank them',
		onChannel(),
		sendText(toSender, 'Thank you! We will answer within the hour.'),
	),
	wish(
		'When a customer writes, ask our agent and answer',
		onChannel(forAgent),
		withMemory(agent('You answer customers of a shop.')),
		sendText(toSender, '={{ $json.output }}', { convertMarkdown: true }),
	),
	wish(
		'Let an agent answer customers, and let it send the messages itself',
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
	),
	wish(
		'Our agent may refund only after a colleague has approved',
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
	),
	wish(
		'Offer three buttons when somebody writes',
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
	),
	wish(
		'Save the pictures that customers send',
		onChannel({ options: { contentKinds: ['IMAGE'] } }),
		act('Get the Files', 'message', 'downloadAttachments'),
		request('Store', 'https://files.example.com/', {
			method: 'POST',
			sendBody: true,
			contentType: 'binaryData',
			inputDataFieldName: 'attachment_0',
		}),
	),
	wish(
		'Ask the customer for an email address, and store it',
		onChannel(),
		message('Ask', 'sendAndWait', toSender, {
			message: 'What is your email address?',
			askIn: 'chat',
			responseType: 'replyInChat',
		}),
		post('Store', 'https://crm.example.com/contacts', '={{ { email: $json.data.text } }}'),
	),
	wish(
		'Let the customer choose a day',
		onChannel(),
		message('Ask', 'sendAndWait', toSender, {
			message: 'When shall we come?',
			askIn: 'chat',
			responseType: 'replyInChat',
			choices: { values: [{ choice: 'Monday' }, { choice: 'Tuesday' }] },
		}),
		sendText(toSender, '=See you on {{ $json.data.choice }}.'),
	),
	wish(
		'Let the customer fill in a form with name and day',
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
	),
	wish(
		'When a customer wants a refund, a colleague approves it in the chat',
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
	),
	wish(
		'Hand over to a colleague, with their contact',
		onChannel(),
		onlyIf('A Person Wanted?', "$json.text?.toLowerCase().includes('human')"),
		message('Send the Contact', 'sendContact', toSender, {
			contactName: 'Bo Example',
			contactPhones: ['5511988880000'],
		}),
	),
	wish(
		'Answer only our best customers',
		onChannel({ options: { senders: ['5511999990000', '5511999990002'] } }),
		sendText(toSender, 'We will call you at once.'),
	),
	wish(
		'Send our location when somebody asks where we are',
		onChannel(),
		onlyIf('Where?', "$json.text?.toLowerCase().includes('where')"),
		message('Send the Map', 'sendButtons', toSender, {
			buttonType: 'action',
			text: 'We are in Example Street 1.',
			actionButtons: {
				values: [{ action: 'url', title: 'Open the map', url: 'https://maps.example.com/shop' }],
			},
		}),
	),
	wish(
		'When a message could not be delivered, tell me',
		onChannel({ channelEvents: ['MESSAGE_STATUS'], options: { statuses: ['FAILED'] } }),
		sendText(toColleague, `=Not delivered to ${given('recipient.identifier')}`),
	),
	wish(
		'When the number is disconnected, alert us',
		onChannel({ channelEvents: ['DISCONNECTED'], options: { output: 'raw' } }),
		post('Alert', 'https://alerts.example.com/', '={{ { title: "The channel is offline" } }}'),
	),
];
