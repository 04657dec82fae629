/**
 * Wishes that begin with anything but a customer: a time, another system, a template, the account.
 */
import {
	byId,
	act,
	channelId,
	COLLEAGUE,
	code,
	given,
	listOf,
	message,
	onFailure,
	onlyIf,
	onRequest,
	onSchedule,
	onTemplates,
	post,
	request,
	respond,
	type Sentence,
	sendText,
	toColleague,
	toNamed,
	wish,
} from './parts.mts';

const daily = { field: 'days', triggerAtHour: 9 };
const hourly = { field: 'hours' };
const weekly = { field: 'weeks', triggerAtDay: [1], triggerAtHour: 8 };
const template = (templateName: string, ...bodyParameters: string[]) => ({
	template: { __rl: true, mode: 'name', value: templateName },
	languageCode: 'en_US',
	bodyParameters,
});
const webhookId = byId('={{ $json.id }}');
const target = { url: 'https://crm.example.com/events' };

export const starting: Sentence[] = [
	wish(
		'Every morning, remind customers of their appointments with a template',
		onSchedule(daily),
		request('Appointments', 'https://calendar.example.com/today'),
		listOf('Each Appointment', 'appointments'),
		message('Remind', 'sendTemplate', toNamed(), template('appointment', '={{ $json.time }}')),
	),
	wish(
		'When an order is shipped, tell the customer once, even if the shop calls twice',
		onRequest('order-shipped'),
		message('Tell', 'sendTemplate', toNamed('body.customer'), {
			...template('order_shipped', '={{ $json.body.order }}'),
			options: { sendOnceKey: '={{ $json.body.order }} shipped' },
		}),
	),
	wish(
		'Send a campaign to all customers, at most five in a second',
		onSchedule(weekly),
		request('Customers', 'https://crm.example.com/customers'),
		listOf('Each Customer', 'customers'),
		act('Read the Number', 'message', 'normalizeRecipient', {
			recipient: '={{ $json.customer }}',
		}),
		message('Send', 'sendTemplate', toNamed('recipient.identifier'), {
			...template('news_of_the_week'),
			options: { maxPerSecond: 5 },
		}),
	),
	wish(
		'Have the manager approve each campaign by a link before it goes out',
		onRequest('campaign'),
		message('Ask', 'sendAndWait', toColleague, {
			message: `=Shall this go out? ${given('body.text')}`,
			responseType: 'approval',
			approvalOptions: { values: { approvalType: 'double' } },
			options: {
				limitWaitTime: {
					values: { limitType: 'afterTimeInterval', resumeAmount: 1, resumeUnit: 'days' },
				},
			},
		}),
		onlyIf('Approved?', '$json.data.approved'),
		code(
			'Each Customer',
			"return $('When It Happens').first().json.body.customers.map((customer) => ({ json: { customer } }));",
		),
		message('Send', 'sendTemplate', toNamed(), template('campaign')),
	),
	wish(
		'Ask two colleagues at once, the first answer counts',
		onRequest('discount'),
		message('Ask', 'sendAndWait', toColleague, {
			message: `=A discount for ${given('body.customer')}?`,
			responseType: 'approval',
			askIn: 'chat',
			approvalOptions: { values: { approvalType: 'double' } },
			approvers: ['5511999990003'],
		}),
		post(
			'Decide',
			'https://shop.example.com/discounts',
			'={{ { approved: $json.data.approved } }}',
		),
	),
	wish(
		'Ask a colleague for a reason in free text, on a page',
		onRequest('cancelled-order'),
		message('Ask', 'sendAndWait', toColleague, {
			message: 'Why was the order cancelled?',
			responseType: 'freeText',
		}),
		post('Store', 'https://shop.example.com/reasons', '={{ { reason: $json.data.text } }}'),
	),
	wish(
		'Send a video to a customer from our website',
		onRequest('video'),
		message('Send', 'sendMedia', toNamed('body.customer'), {
			mediaType: 'video',
			mediaUrl: '={{ $json.body.url }}',
		}),
	),
	wish(
		'Let my app send texts through n8n, and get the message ID',
		onRequest('send-text', { responseMode: 'responseNode' }),
		sendText(toNamed('body.to'), '={{ $json.body.text }}'),
		respond('={{ { id: $json.messageId } }}'),
	),
	wish(
		'Send a kind of message that the node does not know yet',
		onRequest('send-anything'),
		message('Send', 'sendOther', toNamed('body.to'), { content: '={{ $json.body.content }}' }),
	),
	wish(
		'When a workflow fails, write me a message',
		onFailure(),
		sendText(toColleague, '={{ $json.workflow.name }} failed: {{ $json.execution.error.message }}'),
	),
	wish(
		'When a template is rejected, tell the marketing team why',
		onTemplates('UPDATE_TEMPLATE_STATUS'),
		onlyIf('Rejected?', "$json.status === 'REJECTED'"),
		sendText(toColleague, `=${given('templateName')} was rejected: ${given('reason')}`),
	),
	wish(
		'Make a channel for a new client',
		onRequest('new-client', { responseMode: 'responseNode' }),
		act('Make It', 'channel', 'create', {
			name: '={{ $json.body.client }}',
			type: byId('OFFICIAL_CHATAPP'),
		}),
		respond('={{ { channelId: $json.id } }}'),
	),
	wish(
		'Connect a number when the client has gone through the connection page',
		onRequest('connected', { responseMode: 'responseNode' }),
		act('Connect It', 'channel', 'connect', {
			connectionData: 'object',
			sdkObject: '={{ $json.body }}',
		}),
		act('Subscribe It', 'channel', 'subscribe', {
			channelId: byId('={{ $json.channelId }}'),
		}),
		respond('={{ { subscribed: $json.subscribed } }}'),
	),
	wish(
		'For each of our businesses, submit the template that a request brings',
		onRequest('new-template'),
		act('List Businesses', 'business', 'getAll', { returnAll: true }),
		act('Read Anew', 'template', 'sync', { businessId: byId('={{ $json.businessId }}') }),
		act('Submit', 'template', 'create', {
			businessId: byId('={{ $json.businessId }}'),
			name: 'order_shipped',
			body: 'Hello {{1}}, your order is on its way.',
			variableExamples: { values: [{ name: '1', example: 'Ana' }] },
		}),
	),
	wish(
		'When marketing asks for it, write a template anew, or delete it',
		onRequest('templates'),
		act('Write Anew', 'template', 'update', {
			businessId: byId('={{ $json.body.businessId }}'),
			templateId: byId('={{ $json.body.templateId }}'),
			definition: 'json',
			components: '={{ JSON.stringify($json.body.components) }}',
		}),
		act('Delete It', 'template', 'delete', {
			businessId: byId('={{ $("When It Happens").item.json.body.businessId }}'),
			templateId: byId('={{ $json.id }}'),
		}),
	),
	wish(
		'When a client leaves, end the subscription of their channel, disconnect it and delete it',
		onRequest('client-left'),
		act('Cancel It', 'channel', 'cancelSubscription', {
			channelId: byId('={{ $json.body.channelId }}'),
		}),
		act('Disconnect It', 'channel', 'disconnect', {
			channelId: byId('={{ $json.channelId }}'),
		}),
		act('Delete It', 'channel', 'delete', {
			channelId: byId('={{ $json.channelId }}'),
			cancelReason: 'The client left',
		}),
	),
	wish(
		'Every hour, check that our channel still has its webhooks',
		onSchedule(hourly),
		act('Look', 'channel', 'get', { channelId }),
		onlyIf('None?', '$json.webhooks.length === 0'),
		post('Alert', 'https://alerts.example.com/', '={{ { channel: $json.name } }}'),
	),
	wish(
		'List all our channels, and then our templates, in two reports',
		onSchedule(weekly),
		act('List Them', 'channel', 'getAll', { returnAll: true }),
		post('Report', 'https://reports.example.com/', '={{ { id: $json.id, name: $json.name } }}'),
		act('List Templates', 'template', 'getAll', { businessId: 'business-1', returnAll: true }),
		post('Report Too', 'https://reports.example.com/', '={{ { name: $json.name } }}'),
	),
	wish(
		'Have our CRM get the messages of a channel directly, signed',
		onRequest('crm-wants-events'),
		act('Register', 'webhook', 'create', {
			channelId,
			...target,
			events: ['MESSAGE_RECEIVED'],
			additionalFields: { signing: true },
		}),
		post('Hand Over', 'https://crm.example.com/secret', '={{ { secret: $json.secret } }}'),
	),
	wish(
		'Pause the deliveries to our CRM at night',
		onSchedule({ field: 'days', triggerAtHour: 22 }),
		act('Find It', 'webhook', 'getAll', {
			channelId,
			filters: { urlContains: 'crm.example.com' },
		}),
		act('Pause It', 'webhook', 'update', {
			channelId,
			webhookId,
			updateFields: { status: 'DISABLED' },
		}),
	),
	wish(
		'Remove webhooks to an address that we no longer have',
		onRequest('clean-up'),
		act('Find Them', 'webhook', 'getAll', {
			channelId,
			returnAll: true,
			filters: { urlContains: 'old.example.com', createdByN8n: false },
		}),
		act('Remove Them', 'webhook', 'delete', { channelId, webhookId }),
	),
	wish(
		'Send template events to our dashboard',
		onRequest('dashboard'),
		act('Register', 'templateWebhook', 'create', {
			...target,
			events: ['UPDATE_TEMPLATE_STATUS'],
		}),
	),
	wish(
		'Our dashboard has a new address: send the template events there',
		onRequest('dashboard-moved'),
		act('Find It', 'templateWebhook', 'getAll', { filters: { urlContains: 'dashboard' } }),
		act('Move It', 'templateWebhook', 'update', { webhookId, updateFields: target }),
	),
	wish(
		'Every night, remove template webhooks that nobody needs, and tell who answers for them',
		onSchedule({ field: 'days', triggerAtHour: 3 }),
		act('Find Them', 'templateWebhook', 'getAll', { filters: { urlContains: 'unused' } }),
		act('Remove Them', 'templateWebhook', 'delete', { webhookId }),
		code('Count', 'return [{ json: { removed: $input.all().length } }];'),
		sendText({ channelId, recipient: COLLEAGUE }, '={{ $json.removed }} webhooks were removed.'),
	),
];
