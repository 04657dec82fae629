/** What we decided, because nobody published it, with its doubt. docs/contract.md lists it. */

/** The header with the key of auth type API_KEY. Doubt: only its existence is published. */
export const API_KEY_HEADER = 'x-api-key';

/**
 * How a closed window is recognised among refusals of a message with 422: words about a window, or
 * 24 hours and the customer's last message, and none about a limit, a rolling period or a change.
 * The service may word it differently. The lookaheads keep the time linear.
 */
export const WINDOW_CLOSED_PATTERN =
	/(?<![^])(?![^]*\b(?:limit|rolling|chang(?:e|ing)|edit))[^]*?^(?:(?=(.*?\bwindow\b))\1.*\b(?:closed|expired|not open)\b|(?=.*\b24[ -]?h(?:ours?)?\b)(?=.*\b(?:customer|user|recipient|contact)\b).*\b(?:last|since|repl(?:y|ied))\b)/im;

/**
 * What a list of errors about a template speaks of if it is no refusal: a time-out, an unknown
 * error, a limit of requests. Doubt: the words are the chat application's, and not published.
 */
export const PASSING_TROUBLE_PATTERN =
	/\btime[ -]?out\b|\btimed out\b|\bunknown error\b|\btemporar|\b(?:rate|request|call|hourly|daily)s?[ -]limit|\blimit (?:was |is |has been )?(?:reached|hit)\b|\btoo many (?:requests|calls|templates|messages)\b/i;

/** Maximum age of a delivery's timestamp, in seconds. Published as a suggestion. */
export const SUGGESTED_TIMESTAMP_TOLERANCE = 300;

/** In order. FAILED can follow the first two. Doubt: only PENDING is published. */
export const MESSAGE_STATES = ['PENDING', 'SENT', 'DELIVERED', 'READ', 'FAILED'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/**
 * The fields that identify the tapped button, on a content of the message or in any object in it.
 * The content's text is the button's title. Doubt: nothing is published about a tap.
 */
export const BUTTON_REPLY_FIELDS = ['id', 'title'] as const;

/** The fields in which a tap can carry its button's ID, or its payload. Doubt: the same. */
export const TAP_ID_FIELDS = ['id', 'payload'] as const;

/** Whether a tap carries its button's ID: *Taps Carry IDs*. Doubt: the service left it open. */
export const TAPS_CARRY_IDS = true;

/**
 * The names of fields that hold what a message quotes, whose `id`, or one of whose
 * `integration_message_ids`, names its sending. Doubt: nothing is published about quotes.
 */
export const QUOTE_FIELDS =
	/^(?:quot|context|in_?reply|reply_?to|repl(?:y|ied)_?message|refer|parent)/i;

/**
 * Milliseconds by which a change of a webhook can be later than its `createdAt` or `updatedAt`.
 * Doubt: nothing is published, nor that these and the times of messages follow one clock.
 */
export const WEBHOOK_TIME_RESOLUTION = 1000;

/**
 * The only status from 500 on that, in the form of a send's own error, counts as "not sent". Under
 * a Send Once Key it is in doubt. Doubt: the service can fail after it handed the message on.
 */
export const MESSAGE_FAILED_STATUS = 500;

/** Responses to a template that cannot be sent, in shape D. Doubt: only the shape is published. */
export const TEMPLATE_REFUSALS = {
	unknown: {
		status: 400,
		code: 132001,
		message: 'Template name does not exist in the translation',
	},
	notApproved: { status: 400, code: 132015, message: 'Template is not approved' },
	parameters: { status: 400, code: 132000, message: 'Number of parameters does not match' },
	format: { status: 422, code: 132012, message: 'Parameter format does not match' },
	lineBreak: { status: 422, code: 132018, message: 'Parameters of the template are not valid' },
} as const;

/**
 * Limits of the chat application that no channel passes, in UTF-16 units: of a text, of a text with
 * buttons, of a quick reply's title, and of blanks in a row in a template's value. Doubt: the
 * service does not publish them, nor how it counts.
 */
export const CHAT_LIMITS = {
	text: 4096,
	textWithButtons: 1024,
	buttonTitle: 20,
	blanksInValue: 4,
} as const;

/**
 * The field that names the variable of a template's text, if variables have names. Doubt: the
 * published examples send named ones by position, which the chat application behind refuses.
 */
export const PARAMETER_NAME_FIELD = 'parameter_name';

/** The credential's *Templates Path*. Doubt: the published one bears a chat application's name. */
export const DEFAULT_TEMPLATES_PATH = '/chatapp/businesses';
