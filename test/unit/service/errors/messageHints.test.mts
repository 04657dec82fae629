import { ServiceError } from '#nodes/service/errors/index.ts';
import type { FailureReason } from '#nodes/service/errors/index.ts';
import { messageHint } from '#nodes/service/errors/messageHints.ts';
import { saying } from '#nodes/service/errors/nodeError.ts';

const BEFORE = 'Do this.';
const CHECK = 'Check the recipient: a number may be mistyped, or lack its country code.';
const NO_COUNTRY =
	'Check the recipient: its country code may be missing. Begin a phone number with + and its country code, e.g. +55 11 99999-0000.';
const CONNECT =
	'Connect the channel with the operation Channel → Connect, or in the dashboard of the service.';
const MISTYPED = 'Check the recipient: it may be mistyped.';
const DID_WRITE = `${BEFORE} If they did write, check the recipient:`;
const MAYBE_WRONG =
	'a number may be mistyped or lack its country code, and a reply goes to sender.identifier.';
const CLOSED = 'Conversation window is closed';

type Message = Parameters<typeof messageHint>[1];
const to = (recipient: string): Message => ({ content: { type: 'TEXT' }, recipient });
const text = to('5500000000101');
const language = { policy: 'deterministic', code: 'en_US' };
const named = { template: { name: 'order_update', language, components: [] } };
const template: Message = { ...text, content: { type: 'TEMPLATE', attachments: [named] } };

test.each<[FailureReason, string, Message, string]>([
	['window_closed', CLOSED, text, `${DID_WRITE} ${MAYBE_WRONG}`],
	['window_closed', CLOSED, to('1198765000'), `${DID_WRITE} its country code may be missing.`],
	['window_closed', CLOSED, to('@store'), BEFORE],
	['window_closed', CLOSED, to('@store24'), BEFORE],
	['invalid_request', 'recipient.identifier: must be', text, CHECK],
	['rejected', 'Unknown recipient', to('@store24'), MISTYPED],
	['not_found', 'Recipient not found', to('178414000012345678'), MISTYPED],
	[
		'rejected',
		'recipient.identifier: must be a phone number with its country code',
		to('@store'),
		'Check the recipient: "@store" is not a phone number, and this channel takes only phone numbers.',
	],
	['rejected', 'Unknown recipient', to('1198765000'), NO_COUNTRY],
	['rejected', 'No recipient', to('+44 2079 4600'), CHECK],
	['rejected', 'No recipient', to('0151 23456789'), NO_COUNTRY],
	['rejected', 'No recipient', to('005511987650000'), NO_COUNTRY],
	['rejected', 'No recipient', to('55-11-98765-0000'), NO_COUNTRY],
	['not_found', 'No recipient', to('+1 (2)'), CHECK],
	['not_found', 'Recipient not found', text, CHECK],
	['rejected', 'Unknown recipient (131026)', template, CHECK],
	['not_found', 'Channel not found', template, BEFORE],
	['service_error', 'The recipient was lost', text, BEFORE],
	['rejected', 'Channel is not connected', text, CONNECT],
	['rejected', 'INSTANCE NOT CONNECTED', template, CONNECT],
	['rejected', '', text, BEFORE],
	['rejected', 'Too long', text, BEFORE],
	[
		'invalid_request',
		'(#132001) Template name does not exist',
		template,
		'About the template "order_update" (en_US): Check its name and language, or whether it was deleted. Template → Get Many lists the languages of each template.',
	],
	[
		'invalid_request',
		'Template is not approved (132015)',
		template,
		'About the template "order_update" (en_US): It may have been paused, rejected or changed since it was chosen. Template → Get Many shows its status, and Template → Update submits it again.',
	],
	[
		'rejected',
		'Number of parameters does not match (132000)',
		template,
		'About the template "order_update" (en_US): The template takes other variables: choose it again in "Template". By name, "Body Parameters" needs one text for each variable of its body.',
	],
	[
		'rejected',
		'Hydrated text is too long (132005)',
		template,
		'Check "Template", its language and its variables.',
	],
	['invalid_request', 'Wrong (132001)', text, BEFORE],
	['unauthorized', 'No (132001)', template, BEFORE],
])('%s, "%s", to %j: %s', async (reason, said, message, hint) => {
	const failure = { reason, effect: 'none' as const, cause: 'It failed', hint: BEFORE };
	const error = new ServiceError('send it', {
		...failure,
		...(said ? { serviceMessage: said } : {}),
	});
	const sent = saying(Promise.reject(error), (failed) => messageHint(failed, message));
	await expect(sent).rejects.toMatchObject({ action: 'send it', failure: { ...failure, hint } });
});

test('an error of something else stays as it is', async () => {
	const error = new TypeError('no');
	await expect(saying(Promise.reject(error), () => ({ hint: CHECK }))).rejects.toBe(error);
});
