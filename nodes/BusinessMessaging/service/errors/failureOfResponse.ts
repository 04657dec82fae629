import { ADDRESS_REFUSED_PATTERN, KEY_REFUSED_PATTERN, MESSAGE_FAILED_STATUS } from '../contract';
import { withoutSignatures } from '../secrets';
import type { Diagnosis, ErrorResponse, QuotableResponse, RequestKind, Rule } from './response';
import {
	asQuoted,
	failed,
	isFromService,
	MAYBE_DONE,
	RETRY_LATER,
	says,
	TEMPLATE_CHANGES,
} from './response';
import { describeMissing, roleHint } from './route';
import type { Failure, FailureReason } from './serviceError';
import { MESSAGE_RULES, TEMPLATE_RULES } from './rulesOfKinds';

/**
 * The failure of a response with an error status. A status of 500 or more, without a message of the
 * service and without `Retry-After`, may come from a server in between. Its effect is unknown.
 */
export function failureOfResponse(response: ErrorResponse): Failure {
	const { status, excerpt, retryAfter, subCode, codes } = response;
	const isFromService = response.serviceMessage !== undefined;
	// It may quote the URL of a webhook.
	const message = withoutSignatures(response.serviceMessage ?? '');
	const body = excerpt ? `"${excerpt}"` : 'an empty body';
	const said = isFromService ? message : withoutSignatures(`status ${status} with ${body}`);
	const quotable: QuotableResponse = {
		...response,
		isFromService,
		said,
		quote: codes ? [`status ${status}`, ...codes].join(', ') : said,
		wait: retryAfter === undefined ? '' : ` It asks to wait for ${Math.ceil(retryAfter / 1000)} s.`,
	};
	const serviceMessage = codes ? codes.join(', ') : message;
	const diagnosis = diagnose(quotable);
	return {
		effect: 'none',
		...(response.kind === 'message' ? certainly(quotable, diagnosis) : diagnosis),
		status,
		...(isFromService && (serviceMessage || !codes) ? { serviceMessage } : {}),
		...(subCode === undefined ? {} : { subCode }),
		...(retryAfter === undefined ? {} : { retryAfter }),
	};
}

/**
 * What a response means for a message. A message that is repeated can arrive twice, so it takes a
 * refusal in one of the service's shapes to call it not sent. (assumed: docs/contract.md)
 */
function certainly(response: QuotableResponse, diagnosis: Diagnosis): Diagnosis {
	const { status, isFromService, isSendForm, retryAfter } = response;
	if (diagnosis.effect !== undefined) return diagnosis;
	if (status === 429 || (status === 503 && retryAfter !== undefined)) return diagnosis;
	if (status < 500)
		return isFromService && status >= 400 ? diagnosis : { ...diagnosis, effect: 'unlikely' };
	if (status === MESSAGE_FAILED_STATUS && isSendForm) return { ...diagnosis, effect: 'unlikely' };
	const hint = 'The message may have been sent. Check before you repeat it.';
	return { ...diagnosis, hint, effect: 'unknown' };
}

const CHECK_BASE_URL = 'Check the Base URL in the credential.';
const CHECK_FIELDS = "Check the values of the node's fields.";
/** Nothing is published about a limit. */
const MAYBE_TOO_MANY =
	'If the service allows no more webhooks here, delete those that nobody needs. Each question that waits in the chat has one.';
const READS: readonly RequestKind[] = ['read', 'templateRead'];
const CHANGES: readonly RequestKind[] = ['change', ...TEMPLATE_CHANGES];

const KEY_REFUSED: Diagnosis = {
	reason: 'unauthorized',
	cause: 'the service refused the secret key',
	hint: 'Check the Secret Key in the credential: it is generated in the security panel of the service, and is not the public key.',
};

/** A rule whose cause ends with what the response says. */
const quoting = (
	status: readonly number[],
	reason: FailureReason,
	cause: string,
	hint: string,
): Rule => ({ status, says: ({ quote }) => ({ reason, cause: `${cause} (${quote})`, hint }) });

/** The first one that fits tells what a response means. */
const RULES: readonly Rule[] = [
	...MESSAGE_RULES,
	{
		status: [422],
		when: ({ said }) => /ENTERPRISE role/i.test(said),
		says: ({ method, path }) => ({
			reason: 'role_required',
			cause: 'the account lacks the ENTERPRISE role',
			hint: roleHint(method, path),
		}),
	},
	{ status: [400], when: says(ADDRESS_REFUSED_PATTERN), says: addressRefused },
	{ status: [400], when: says(KEY_REFUSED_PATTERN), says: KEY_REFUSED },
	{ status: [401], says: KEY_REFUSED },
	...TEMPLATE_RULES,
	quoting([400], 'invalid_request', 'the service did not accept the request', CHECK_FIELDS),
	quoting(
		[403],
		'forbidden',
		'the service forbids it',
		`Check what the secret key is allowed to do. ${CHECK_BASE_URL}`,
	),
	{ status: [404], when: isFromService, says: missing },
	quoting(
		[404],
		'unexpected_response',
		'nothing answers at this address',
		`${CHECK_BASE_URL} It must be the root of the service, without /v1.`,
	),
	quoting(
		[405, 501],
		'method_not_allowed',
		'the service does not offer this operation',
		'The service may not support it yet.',
	),
	quoting(
		[407],
		'rejected',
		'a proxy on the way asks for a login',
		"Check user and password in n8n's HTTP_PROXY or HTTPS_PROXY.",
	),
	quoting(
		[413],
		'rejected',
		'the request is too large for the service, or for a proxy on the way',
		'Send less in one request, a file by its URL, or raise the limit of the proxy.',
	),
	{
		status: [408, 499],
		says: ({ kind, quote }) => ({
			reason: 'timeout',
			cause: `the service stopped waiting for the request (${quote})`,
			...(READS.includes(kind) ? { hint: RETRY_LATER } : MAYBE_DONE),
		}),
	},
	{
		status: [429],
		says: ({ wait }) => ({
			reason: 'rate_limited',
			cause: 'the service asks to slow down',
			hint: `Try again later.${wait}`,
		}),
	},
	{
		status: [503],
		when: ({ isFromService: isOwn, retryAfter }) => isOwn || retryAfter !== undefined,
		says: ({ quote, wait }) => ({
			reason: 'service_unavailable',
			cause: `the service is not available at the moment (${quote})`,
			hint: `${RETRY_LATER}${wait}`,
		}),
	},
	{
		status: [502],
		of: CHANGES,
		when: isFromService,
		says: (response) => ({
			reason: 'service_error',
			cause: failed(response),
			hint: `The change was not made. ${RETRY_LATER}`,
		}),
	},
	// The service stopped waiting. The server behind it may go on.
	{
		status: [504],
		of: [...CHANGES, 'message'],
		when: isFromService,
		says: (response) => ({ reason: 'service_error', cause: failed(response), ...MAYBE_DONE }),
	},
	{
		status: { from: 500, to: 999 },
		when: isFromService,
		says: (response) => ({ reason: 'service_error', cause: failed(response), hint: RETRY_LATER }),
	},
	{
		status: { from: 500, to: 999 },
		says: ({ quote }) => ({
			reason: 'service_error',
			cause: `a server on the way answered with ${quote}`,
			hint: 'The request may have reached the service. Check before you repeat it.',
			effect: 'unknown',
		}),
	},
	{
		status: { from: 300, to: 399 },
		says: ({ method, status }) => ({
			reason: 'redirected',
			cause: 'the service answered with a redirect, which is not followed',
			hint: CHECK_BASE_URL,
			// 301 to 303 can mean that the change was made.
			...(method !== 'GET' && status <= 303 ? { effect: 'unknown' } : {}),
		}),
	},
];

function diagnose(response: QuotableResponse): Diagnosis {
	const rule = RULES.find(({ status, of, when }) => {
		const isIts =
			'from' in status
				? response.status >= status.from && response.status <= status.to
				: status.includes(response.status);
		return isIts && (of?.includes(response.kind) ?? true) && (when?.(response) ?? true);
	});
	if (!rule) return rejected(response);
	return typeof rule.says === 'function' ? rule.says(response) : rule.says;
}

function rejected(response: QuotableResponse): Diagnosis {
	const { method, path } = response;
	const isNewWebhook = method === 'POST' && path.at(-1) === 'webhooks';
	const hint = isNewWebhook ? `${CHECK_FIELDS} ${MAYBE_TOO_MANY}` : CHECK_FIELDS;
	return { reason: 'rejected', cause: asQuoted(response), hint };
}

function addressRefused({ said, codes }: QuotableResponse): Diagnosis {
	const named = codes ? undefined : ADDRESS_REFUSED_PATTERN.exec(said)?.[1];
	return {
		reason: 'address_not_allowed',
		cause: `the account does not allow requests from the address ${named ?? 'of this n8n'}`,
		hint: `Add the address ${named ?? 'of this n8n on the internet'} to the account's list of allowed addresses at the service. It is the public address of this n8n, or of its proxy. The list takes up to ten minutes to act.`,
	};
}

function missing({ path, said, quote, codes }: QuotableResponse): Diagnosis {
	const { ids, hint } = describeMissing(path, said, codes ? '' : said);
	return { reason: 'not_found', cause: `${codes ? `not found (${quote})` : quote}${ids}`, hint };
}
