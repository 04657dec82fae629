import type { Content } from '../../../../nodes/BusinessMessaging/service/contract';
import { ServiceError } from '../../../../nodes/BusinessMessaging/service/errors/index.ts';
import type { FailureReason } from '../../../../nodes/BusinessMessaging/service/errors/index.ts';
import { withMessageHint } from '../../../../nodes/BusinessMessaging/service/errors/messageHints.ts';

const BEFORE = 'Do this.';
const CHECK = 'Check the recipient: a number may be mistyped, or lack its country code.';
const NO_COUNTRY =
	'Check the recipient: its country code may be missing. Begin a phone number with + and its country code, e.g. +55 11 99999-0000.';
const CONNECT =
	'Connect the channel with the operation Channel → Connect, or in the dashboard of the service.';
const text = { content: { type: 'TEXT' }, recipient: '5500000000101' };
const template = { ...text, content: { type: 'TEMPLATE' } };

const hintOf = (
	reason: FailureReason,
	serviceMessage: string | undefined,
	message: { content: Content; recipient: string },
): string => {
	const failure = { reason, effect: 'none' as const, cause: 'It failed', hint: BEFORE };
	const error = withMessageHint(
		new ServiceError('send it', { ...failure, ...(serviceMessage ? { serviceMessage } : {}) }),
		message,
	);
	expect(error).toMatchObject({
		action: 'send it',
		failure: { ...failure, hint: expect.any(String) },
	});
	return (error as ServiceError).hint;
};

test.each<
	[string, FailureReason, string | undefined, { content: Content; recipient: string }, string]
>([
	[
		'a closed window, beside the window',
		'window_closed',
		'Conversation window is closed',
		text,
		`${BEFORE} If the customer did write, check the recipient: a number may be mistyped, or lack its country code.`,
	],
	[
		'a closed window of somebody without a digit',
		'window_closed',
		'Conversation window is closed',
		{ ...text, recipient: '@store' },
		BEFORE,
	],
	['a recipient that is refused', 'invalid_request', 'recipient.identifier: must be', text, CHECK],
	[
		'a name that is refused',
		'rejected',
		'Unknown recipient',
		{ ...text, recipient: '@store24' },
		'Check the recipient: it may be mistyped.',
	],
	[
		'an ID that is not there',
		'not_found',
		'Recipient not found',
		{ ...text, recipient: '178414000012345678' },
		'Check the recipient: it may be mistyped.',
	],
	[
		'a closed window of somebody with digits in their name',
		'window_closed',
		'Conversation window is closed',
		{ ...text, recipient: '@store24' },
		BEFORE,
	],
	[
		'a name on a channel of numbers',
		'rejected',
		'recipient.identifier: must be a phone number with its country code',
		{ ...text, recipient: '@store' },
		'Check the recipient: "@store" is not a phone number, and this channel takes only phone numbers.',
	],
	[
		'a short number',
		'rejected',
		'Unknown recipient',
		{ ...text, recipient: '1198765000' },
		NO_COUNTRY,
	],
	[
		'a short number with +',
		'rejected',
		'No recipient',
		{ ...text, recipient: '+44 2079 4600' },
		CHECK,
	],
	[
		'a number that begins with 0',
		'rejected',
		'No recipient',
		{ ...text, recipient: '0151 23456789' },
		NO_COUNTRY,
	],
	[
		'digits behind 00',
		'rejected',
		'No recipient',
		{ ...text, recipient: '005511987650000' },
		NO_COUNTRY,
	],
	[
		'digits with dashes',
		'rejected',
		'No recipient',
		{ ...text, recipient: '55-11-98765-0000' },
		NO_COUNTRY,
	],
	[
		'a closed window of a short number',
		'window_closed',
		'Conversation window is closed',
		{ ...text, recipient: '1198765000' },
		`${BEFORE} If the customer did write, check the recipient: its country code may be missing. Begin a phone number with + and its country code, e.g. +55 11 99999-0000.`,
	],
	['a number with signs', 'not_found', 'No recipient', { ...text, recipient: '+1 (2)' }, CHECK],
	['a recipient that is not there', 'not_found', 'Recipient not found', text, CHECK],
	['a recipient of a template', 'rejected', 'Unknown recipient (131026)', template, CHECK],
	['a channel that is not there', 'not_found', 'Channel not found', template, BEFORE],
	['a failure that says recipient', 'service_error', 'The recipient was lost', text, BEFORE],
	['a channel without a number', 'rejected', 'Channel is not connected', text, CONNECT],
	[
		'a channel without a number, in other words',
		'rejected',
		'INSTANCE NOT CONNECTED',
		template,
		CONNECT,
	],
	['no words', 'rejected', undefined, text, BEFORE],
	['other words', 'rejected', 'Too long', text, BEFORE],
	[
		'a template that there is not',
		'invalid_request',
		'(#132001) Template name does not exist',
		template,
		'Check "Template" and its language: the dashboard of the service shows the languages of each template.',
	],
	[
		'a template that waits for approval',
		'invalid_request',
		'Template is not approved (132015)',
		template,
		'Choose another template in "Template", or wait: the dashboard of the service shows which ones are approved.',
	],
	[
		'parameters',
		'rejected',
		'Number of parameters does not match (132000)',
		template,
		'The template takes other variables: choose it again in "Template". By name, "Body Parameters" needs one text for each variable of its body.',
	],
	[
		'another template error',
		'rejected',
		'Hydrated text is too long (132005)',
		template,
		'Check "Template", its language and its variables.',
	],
	['the code of a template, of a text', 'invalid_request', 'Wrong (132001)', text, BEFORE],
	['a template, and a key that is wrong', 'unauthorized', 'No (132001)', template, BEFORE],
])('%s', (_what, reason, serviceMessage, message, hint) => {
	expect(hintOf(reason, serviceMessage, message)).toBe(hint);
});

test('an error of something else stays as it is', () => {
	const error = new TypeError('no');
	expect(withMessageHint(error, text)).toBe(error);
});
