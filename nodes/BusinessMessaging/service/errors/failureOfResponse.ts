import { MESSAGE_FAILED_STATUS } from '../contract';
import { withoutSignatures } from '../secrets';
import type { Failure } from './serviceError';
import type { Diagnosis, ErrorResponse, QuotableResponse } from './response';
import { diagnose } from './rules';

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
