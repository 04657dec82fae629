import type { Fact } from './fact.mts';

const unasked = (says: string, reason: string, ...assumes: string[]) =>
	({ says, need: 'never', reason, assumes }) as const satisfies Fact;

/** Facts that no run asks, each with the reason. */
export const UNASKED = {
	'address.refused': unasked(
		'A call from an address that is not allowed is refused with 400',
		'needs a call from another address',
	),
	'channel.delete-connected': unasked(
		'A connected channel is not deleted',
		'a channel in use could be deleted',
	),
	'channel.delete-paid': unasked('A paid channel is not deleted', 'needs a paid channel'),
	'channel.subscribe': unasked('Subscribing a channel', 'it charges the account'),
	'channel.cancel': unasked('Cancelling a subscription', 'it ends what was paid'),
	'connect.succeeds': unasked('Connecting with a code of the SDK', 'needs a number to connect'),
	'connect.events': unasked('CONNECTED and DISCONNECTED', 'needs a number to disconnect'),
	'window.length': unasked('The window is open for 24 hours', 'takes 24 hours'),
	'window.advertisement': unasked(
		'After an advertisement the window is open for 72 hours',
		'needs an advertisement',
	),
	'delivery.schedule': unasked(
		'A refused delivery comes again up to nine times',
		'takes three days. The first wait is probed',
		'DELIVERY_SCHEDULE',
	),
	'send.templates': unasked('An approved template is sent', 'a template can be charged'),
	'tap.payload': unasked(
		"A tap on a template's quick reply carries its payload",
		'a template can be charged',
		'TAP_ID_FIELDS',
	),
	'tap.quote': unasked(
		'A message names what it quotes by the ID of its sending',
		'a tap need not quote anything',
		'QUOTE_FIELDS',
	),
	'send.template-refusals': unasked(
		'A template that is not approved, or has other parameters, is refused',
		'a template could be sent, and charged',
		'TEMPLATE_REFUSALS',
	),
	'send.lengths': unasked(
		'Texts, titles and values that the chat application does not take are refused',
		'a message that is taken and fails afterwards is sent all the same',
		'CHAT_LIMITS',
	),
	'template.states': unasked(
		'States of a template',
		'needs a template in each state',
		'TEMPLATE_STATUSES',
	),
	'template.passing-trouble': unasked(
		'A list of errors that speaks of a time-out or a limit does not refuse a template',
		'cannot be provoked',
		'PASSING_TROUBLE_PATTERN',
	),
	'template.events': unasked('Events of templates', 'needs a review of a template'),
	'template.routing': unasked(
		'A new template webhook gets its events after up to 5 minutes',
		'needs a review of a template',
	),
	'media.kinds': unasked('Video, audio and stickers are accepted', 'needs such files'),
	'media.limits': unasked('Sizes and types of files', 'needs files of each type, and large ones'),
	'message.from-phone': unasked(
		'A message that a colleague writes on the phone has from_api false',
		'needs the phone of the business',
	),
	'message.failed': unasked(
		'A message that failed with 500 in the form of a send was not sent',
		'cannot be provoked',
		'MESSAGE_FAILED_STATUS',
	),
	'service.trouble': unasked("The service's own trouble has 502", 'cannot be provoked'),
} as const satisfies Record<string, Fact>;
