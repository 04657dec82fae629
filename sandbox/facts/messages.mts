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
import { done, factsOf, type Fact, refused } from './fact.mts';

const sends = factsOf('sends');
const deliveries = factsOf('deliveries');
const conversation = factsOf('conversation');

/** Facts about messages to the phone. */
const SENDS = {
	'send.unknown-channel': sends(
		'An unknown channel sends nothing',
		refused('sendMessage', 'A', CHANNEL_NOT_FOUND),
	),
	'send.malformed': sends('A message without content is refused', {
		...refused('sendMessage', 'any', {
			status: INVALID_BODY_STATUS,
			sandboxWords: /^content is required$/,
		}),
		assumes: ['INVALID_BODY_STATUS'],
	}),
	'send.window-closed': sends(
		'A text is refused while the window is closed',
		refused('sendMessage', 'A', WINDOW_CLOSED),
	),
	'send.refused-at-once': sends('That refusal comes at once, and not later as a status FAILED', {
		assumes: ['WINDOW_CLOSED_FAILURE'],
	}),
	'send.window-recognised': sends('The nodes recognise that refusal by its words', {
		...refused('sendMessage', 'any', {
			status: WINDOW_CLOSED.status,
			words: WINDOW_CLOSED_PATTERN,
		}),
		assumes: ['WINDOW_CLOSED_PATTERN'],
	}),
	'send.text': sends('A text is accepted while the window is open', done('sendMessage', 200)),
	'send.id-form': sends('The ID of a message is 32 hexadecimal characters'),
	'send.buttons': sends('Quick-reply buttons are accepted'),
	'send.contact': sends('A contact is accepted'),
	'send.actions': sends('Action buttons are accepted'),
	'send.image': sends('An image is accepted by its URL'),
	'send.one-file': sends('A message has one file', { assumes: ['MEDIA_ATTACHMENTS_MAX'] }),
	'send.url-required': sends(
		'An image without a URL is refused',
		refused('sendMessage', 'C', { status: 400, subCode: 'MEDIA_URL_REQUIRED' }),
	),
	'send.invalid-url': sends(
		'An image whose URL is none is refused',
		refused('sendMessage', 'C', { status: 400, subCode: 'MEDIA_INVALID_URL' }),
	),
	'send.long-caption': sends(
		`A caption has at most ${CAPTION_MAX} characters`,
		refused('sendMessage', 'C', { status: 400, subCode: 'MEDIA_CAPTION_TOO_LONG' }),
	),
	'send.unknown-template': sends('An unknown template is refused', {
		...refused('sendMessage', 'D', {
			status: TEMPLATE_REFUSALS.unknown.status,
			words: [String(TEMPLATE_REFUSALS.unknown.code), TEMPLATE_REFUSALS.unknown.message],
		}),
		assumes: ['TEMPLATE_REFUSALS'],
	}),
	'send.named-variables': sends('The names of variables are read: an unknown one is refused', {
		assumes: ['PARAMETER_NAME_FIELD'],
	}),
} satisfies Record<string, Fact>;

/** Facts about the deliveries of what the person writes. */
const DELIVERIES = {
	'delivery.signature': deliveries('The signature covers time, topic, partition, offset and body'),
	'delivery.key-form': deliveries('The idempotency key is topic, partition and offset'),
	'delivery.bearer': deliveries('BEARER sends Authorization: Bearer'),
	'delivery.basic': deliveries('BASIC sends HTTP Basic'),
	'delivery.custom-header': deliveries('CUSTOM_HEADER sends its header'),
	'delivery.api-key': deliveries('API_KEY sends its key in x-api-key', {
		assumes: ['API_KEY_HEADER'],
	}),
	'delivery.gzip': deliveries(`Bodies from ${GZIP_THRESHOLD} bytes on are compressed`),
	'delivery.message': deliveries("A customer's message has from_me false and its sender"),
	'delivery.new-message-type': deliveries('messageEventType of a new message is NEW_MESSAGE', {
		assumes: ['MESSAGE_EVENT_TYPES'],
	}),
	'delivery.time': deliveries('Times of messages and signatures are one clock', {
		assumes: ['WEBHOOK_TIME_RESOLUTION'],
	}),
	'delivery.age': deliveries(`Deliveries are less than ${SUGGESTED_TIMESTAMP_TOLERANCE} s old`, {
		assumes: ['SUGGESTED_TIMESTAMP_TOLERANCE'],
	}),
	'delivery.first-retry': deliveries(
		`A refused delivery comes again after ${DELIVERY_SCHEDULE[1]} s`,
		{ assumes: ['DELIVERY_SCHEDULE'] },
	),
	'delivery.same-key': deliveries('A redelivery has the same idempotency key'),
	'delivery.signed-afresh': deliveries('A redelivery is signed afresh'),
	'delivery.redirect': deliveries('A redirect is not followed: it is a failure'),
	'delivery.retry-after': deliveries('A redelivery honours Retry-After'),
	'delivery.timeout': deliveries(`The service waits ${DELIVERY_TIMEOUT / 1000} s for a response`, {
		assumes: ['DELIVERY_TIMEOUT'],
	}),
} satisfies Record<string, Fact>;

/** Facts about the events of what the probe sends and the person taps. */
const CONVERSATION = {
	'status.type': conversation('messageEventType of a changed state is NEW_MESSAGE', {
		assumes: ['MESSAGE_EVENT_TYPES'],
	}),
	'status.states': conversation('States are PENDING, SENT, DELIVERED, READ, FAILED', {
		assumes: ['MESSAGE_STATES'],
	}),
	'status.window-failure': conversation('If it comes later, FAILED says so: the code 131047', {
		assumes: ['WINDOW_CLOSED_FAILURE'],
	}),
	'status.same-id': conversation('Its events have the ID of the sent message'),
	'status.from-api': conversation('Its events have from_me and from_api true'),
	'tap.fields': conversation('A tap has id and title of the button', {
		assumes: ['BUTTON_REPLY_FIELDS'],
	}),
	'tap.ids': conversation('A tap carries the ID that its button was sent with', {
		assumes: ['TAPS_CARRY_IDS'],
	}),
	'tap.place': conversation('They are in the field button of the content', {
		assumes: ['BUTTON_REPLY_FIELD'],
	}),
	'tap.type': conversation('The type of that content is INTERACTIVE_BUTTON', {
		assumes: ['BUTTON_REPLY_TYPE'],
	}),
	'tap.text': conversation('The message of a tap is the title of the button'),
} satisfies Record<string, Fact>;

export const MESSAGES = { ...SENDS, ...DELIVERIES, ...CONVERSATION };
