import {
	CAPTION_MAX,
	CHANNEL_NOT_FOUND,
	DELIVERY_SCHEDULE,
	DELIVERY_TIMEOUT,
	GZIP_THRESHOLD,
	INVALID_BODY_STATUS,
	SUGGESTED_TIMESTAMP_TOLERANCE,
	TEMPLATE_REFUSALS,
	WINDOW_CLOSED,
	WINDOW_CLOSED_PATTERN,
} from '../contract.mts';
import type { Fact } from './fact.mts';

const sends = { need: 'sends' } as const;
const deliveries = { need: 'deliveries' } as const;
const conversation = { need: 'conversation' } as const;
const onSend = { operations: ['sendMessage'] } as const;
const accepted = { success: { operation: 'sendMessage', statuses: [200] } } as const;

/** Facts about messages to the phone. */
const SENDS = {
	'send.unknown-channel': {
		...{ ...sends, says: 'An unknown channel sends nothing' },
		refusal: {
			...{ ...onSend, status: CHANNEL_NOT_FOUND.status, shape: 'A' },
			words: CHANNEL_NOT_FOUND.message,
		},
	},
	'send.malformed': {
		...{ ...sends, says: 'A message without content is refused', assumes: ['INVALID_BODY_STATUS'] },
		refusal: { ...onSend, status: INVALID_BODY_STATUS, sandboxWords: /^content is required$/ },
	},
	'send.window-closed': {
		...{ ...sends, says: 'A text is refused while the window is closed' },
		refusal: {
			...{ ...onSend, status: WINDOW_CLOSED.status, shape: 'A', words: WINDOW_CLOSED.message },
		},
	},
	'send.refused-at-once': {
		...{ ...sends, says: 'That refusal comes at once, and not later as a status FAILED' },
		assumes: ['WINDOW_CLOSED_FAILURE'],
	},
	'send.window-recognised': {
		...{ ...sends, says: 'The nodes recognise that refusal by its words' },
		assumes: ['WINDOW_CLOSED_PATTERN'],
		refusal: { ...onSend, status: WINDOW_CLOSED.status, words: WINDOW_CLOSED_PATTERN },
	},
	'send.text': { ...sends, ...accepted, says: 'A text is accepted while the window is open' },
	'send.id-form': { ...sends, says: 'The ID of a message is 32 hexadecimal characters' },
	'send.buttons': { ...sends, says: 'Quick-reply buttons are accepted' },
	'send.contact': { ...sends, says: 'A contact is accepted' },
	'send.actions': { ...sends, says: 'Action buttons are accepted' },
	'send.image': { ...sends, says: 'An image is accepted by its URL' },
	'send.one-file': {
		...{ ...sends, says: 'A message has one file', assumes: ['MEDIA_ATTACHMENTS_MAX'] },
	},
	'send.url-required': {
		...{ ...sends, says: 'An image without a URL is refused' },
		refusal: { ...onSend, status: 400, shape: 'C', subCode: 'MEDIA_URL_REQUIRED' },
	},
	'send.invalid-url': {
		...{ ...sends, says: 'An image whose URL is none is refused' },
		refusal: { ...onSend, status: 400, shape: 'C', subCode: 'MEDIA_INVALID_URL' },
	},
	'send.long-caption': {
		...{ ...sends, says: `A caption has at most ${CAPTION_MAX} characters` },
		refusal: { ...onSend, status: 400, shape: 'C', subCode: 'MEDIA_CAPTION_TOO_LONG' },
	},
	'send.unknown-template': {
		...{ ...sends, says: 'An unknown template is refused', assumes: ['TEMPLATE_REFUSALS'] },
		refusal: {
			...{ ...onSend, status: TEMPLATE_REFUSALS.unknown.status, shape: 'D' },
			words: [String(TEMPLATE_REFUSALS.unknown.code), TEMPLATE_REFUSALS.unknown.message],
		},
	},
	'send.named-variables': {
		...{ ...sends, says: 'The names of variables are read: an unknown one is refused' },
		assumes: ['PARAMETER_NAME_FIELD'],
	},
} as const satisfies Record<string, Fact>;

/** Facts about the deliveries of what the person writes. */
const DELIVERIES = {
	'delivery.signature': {
		...{ ...deliveries, says: 'The signature covers time, topic, partition, offset and body' },
	},
	'delivery.key-form': {
		...{ ...deliveries, says: 'The idempotency key is topic, partition and offset' },
	},
	'delivery.bearer': { ...deliveries, says: 'BEARER sends Authorization: Bearer' },
	'delivery.basic': { ...deliveries, says: 'BASIC sends HTTP Basic' },
	'delivery.custom-header': { ...deliveries, says: 'CUSTOM_HEADER sends its header' },
	'delivery.api-key': {
		...{ ...deliveries, says: 'API_KEY sends its key in x-api-key', assumes: ['API_KEY_HEADER'] },
	},
	'delivery.gzip': {
		...{ ...deliveries, says: `Bodies from ${GZIP_THRESHOLD} bytes on are compressed` },
	},
	'delivery.message': {
		...{ ...deliveries, says: "A customer's message has from_me false and its sender" },
	},
	'delivery.new-message-type': {
		...{ ...deliveries, says: 'messageEventType of a new message is NEW_MESSAGE' },
		assumes: ['MESSAGE_EVENT_TYPES'],
	},
	'delivery.time': {
		...{ ...deliveries, says: 'Times of messages and signatures are one clock' },
		assumes: ['WEBHOOK_TIME_RESOLUTION'],
	},
	'delivery.age': {
		...{ ...deliveries, says: `Deliveries are less than ${SUGGESTED_TIMESTAMP_TOLERANCE} s old` },
		assumes: ['SUGGESTED_TIMESTAMP_TOLERANCE'],
	},
	'delivery.first-retry': {
		...{ ...deliveries, says: `A refused delivery comes again after ${DELIVERY_SCHEDULE[1]} s` },
		assumes: ['DELIVERY_SCHEDULE'],
	},
	'delivery.same-key': { ...deliveries, says: 'A redelivery has the same idempotency key' },
	'delivery.signed-afresh': { ...deliveries, says: 'A redelivery is signed afresh' },
	'delivery.redirect': { ...deliveries, says: 'A redirect is not followed: it is a failure' },
	'delivery.retry-after': { ...deliveries, says: 'A redelivery honours Retry-After' },
	'delivery.timeout': {
		...{ ...deliveries, says: `The service waits ${DELIVERY_TIMEOUT / 1000} s for a response` },
		assumes: ['DELIVERY_TIMEOUT'],
	},
} as const satisfies Record<string, Fact>;

/** Facts about the events of what the probe sends and the person taps. */
const CONVERSATION = {
	'status.type': {
		...{ ...conversation, says: 'messageEventType of a changed state is NEW_MESSAGE' },
		assumes: ['MESSAGE_EVENT_TYPES'],
	},
	'status.states': {
		...{ ...conversation, says: 'States are PENDING, SENT, DELIVERED, READ, FAILED' },
		assumes: ['MESSAGE_STATES'],
	},
	'status.window-failure': {
		...{ ...conversation, says: 'If it comes later, FAILED says so: the code 131047' },
		assumes: ['WINDOW_CLOSED_FAILURE'],
	},
	'status.same-id': { ...conversation, says: 'Its events have the ID of the sent message' },
	'status.from-api': { ...conversation, says: 'Its events have from_me and from_api true' },
	'tap.fields': {
		...{ ...conversation, says: 'A tap has id and title of the button' },
		assumes: ['BUTTON_REPLY_FIELDS'],
	},
	'tap.ids': {
		...{ ...conversation, says: 'A tap carries the ID that its button was sent with' },
		assumes: ['TAPS_CARRY_IDS'],
	},
	'tap.place': {
		...{ ...conversation, says: 'They are in the field button of the content' },
		assumes: ['BUTTON_REPLY_FIELD'],
	},
	'tap.type': {
		...{ ...conversation, says: 'The type of that content is INTERACTIVE_BUTTON' },
		assumes: ['BUTTON_REPLY_TYPE'],
	},
	'tap.text': { ...conversation, says: 'The message of a tap is the title of the button' },
} as const satisfies Record<string, Fact>;

export const MESSAGES = { ...SENDS, ...DELIVERIES, ...CONVERSATION } as const satisfies Record<
	string,
	Fact
>;
